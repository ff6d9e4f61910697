"""Every setting of a Danlu server: one typed, frozen model."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from danlu.wire.forms import PUBLIC_URL
from danlu.wire.quantities import Duration, Size


class Settings(BaseModel):
    """Read from `danlu.toml`, then `DANLU_…` variables, then options; the later wins."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: Path = Field(Path("~/.local/share/danlu"), description="The data directory.")
    host: str = Field("127.0.0.1", description="The address to listen on; beyond loopback, add TLS in front.")
    port: int = Field(8910, description="The port to listen on; 0 takes a free one.", ge=0, le=65535)
    public_url: str | None = Field(
        None,
        description="How people reach this server, when not by host and port.",
        pattern=PUBLIC_URL,
    )
    database: str | None = Field(
        None,
        description="A database address (sqlite:///… or postgresql+psycopg://…); default: danlu.db in data.",
    )
    engine: Literal["local", "simulated"] = Field(
        "local", description="What runs the tasks: local (this machine) or simulated (nothing really runs)."
    )
    virtual_nodes: str | None = Field(
        None, description="Nodes this machine poses as, such as 2x8xA100,4x8xRTX3090 (nodes × GPUs × model)."
    )
    isolation: Literal["auto", "sandbox", "process"] = Field(
        "auto", description="auto: bubblewrap and cgroups where they work; process: plain processes."
    )
    python: Path | None = Field(
        None, description="The Python environment that image `host` means; default: Danlu's own."
    )
    projects: tuple[str, ...] = Field(("public",), description="The projects jobs may be queued in.")
    code_limit: Size = Field(2 * 2**30, description="The largest code archive taken.", ge=1)
    sign_in_attempts: int = Field(
        10, description="Failed sign-ins per minute for one name at one address.", ge=1
    )
    session_life: Duration = Field(
        14 * 86_400_000, description="How long a browser stays signed in.", ge=60_000
    )
    demo: bool = Field(False, description="Seed people, projects and jobs to look at.")
