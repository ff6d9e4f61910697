"""What the server reports about itself."""

from __future__ import annotations

from typing import Literal

from danlu.server.http.models import Answer


class Version(Answer):
    version: str
    api: str


class Health(Answer):
    status: Literal["alive"]


class Readiness(Answer):
    """Whether the server is ready. `half` is the kind of process: server, or up for server and controller in one."""

    status: Literal["ready"]
    half: Literal["up", "server"]
