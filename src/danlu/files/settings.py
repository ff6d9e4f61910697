"""Every setting of a Danlu server: one typed, frozen model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from danlu.domain.job import JobClass
from danlu.domain.rules import Policy
from danlu.files.forms import PUBLIC_URL
from danlu.files.oidc import OidcProvider
from danlu.files.quantities import Duration, Size


class Settings(BaseModel):
    """Read from `danlu.toml`, then `DANLU_…` variables, then options; the later wins."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: Path = Field(Path("~/.local/share/danlu"), description="The data directory.")
    host: str = Field("127.0.0.1", description="The address to listen on; beyond loopback, add TLS in front.")
    port: int = Field(8910, description="The port to listen on; 0 takes a free one.", ge=0, le=65535)
    controller_port: int = Field(
        8911,
        description="The port on which a controller tells how it is; 0 takes a free one.",
        ge=0,
        le=65535,
    )
    public_url: str | None = Field(
        None,
        description="How people reach this server, when not by host and port.",
        pattern=PUBLIC_URL,
    )
    trusted_proxies: tuple[str, ...] = Field(
        (),
        description="Addresses (or networks) of proxies whose word on where a request comes from is taken.",
    )
    database: str | None = Field(
        None,
        description="A database address (sqlite:///… or postgresql+psycopg://…); default: danlu.db in data.",
    )
    engine: Literal["local", "simulated", "none"] = Field(
        "local",
        description="What runs tasks beside clusters: local (this machine), simulated (nothing really runs) or none.",
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
    projects: tuple[str, ...] = Field(
        ("public",),
        description="Projects to make where they are missing, open to all; `danlu project` manages them.",
    )
    score_time: Duration = Field(
        6 * 3_600_000,
        description="How long use weighs on a person's score: what is left falls by e.",
        ge=1_000,
    )
    minimum_run_time: Duration = Field(
        10 * 60_000, description="How long a job has run before it may be made to give way.", ge=0
    )
    evict_workspaces: bool = Field(False, description="Whether workspaces may be made to give way.")
    default_max_time: dict[JobClass, Annotated[Duration, Field(ge=1)]] = Field(
        {},
        description="max_time of jobs that set none, by class (workspace, single, distributed, service); "
        "as a variable: single=12h,distributed=2d.",
    )
    maintenance_notice: Duration = Field(
        24 * 3_600_000,
        description="How far off a maintenance must be for jobs without max_time to still be started on its nodes.",
        ge=0,
    )
    node_failures: int = Field(
        3,
        description="After so many failures within an hour that are the node's own, under jobs of two people or more "
        "(two jobs, where the node itself went away), a node is put aside: nothing more starts there until somebody "
        "uncordons it. 0: never.",
        ge=0,
    )
    code_limit: Size = Field(2 * 2**30, description="The largest code archive taken.", ge=1)
    sign_in_attempts: int = Field(
        10, description="Failed sign-ins per minute for one name at one address.", ge=1
    )
    session_life: Duration = Field(
        14 * 86_400_000, description="How long a browser stays signed in.", ge=60_000
    )
    link_life: Duration = Field(
        7 * 86_400_000,
        description="How long an invitation or a reset link is good for; it signs in once.",
        ge=60_000,
        le=30 * 86_400_000,
    )
    oidc: tuple[OidcProvider, ...] = Field(
        (),
        description="Providers through which people sign in, a table each ([[oidc]] in danlu.toml); as a variable: "
        "a JSON list.",
    )
    cluster_programs: bool = Field(
        False,
        description="Whether the kubeconfig of a cluster may name a program (exec) to sign in with; it runs as Danlu: "
        "whoever may add clusters may then run anything there.",
    )
    demo: bool = Field(False, description="Seed people, projects and jobs to look at.")

    def policy(self) -> Policy:
        """What of this the scheduler goes by."""
        return Policy(
            self.score_time,
            self.minimum_run_time,
            self.evict_workspaces,
            dict(self.default_max_time),
            self.maintenance_notice,
        )
