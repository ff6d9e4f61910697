"""What the routes work with: one per application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from danlu.server.figures.prometheus import PrometheusPage
from danlu.server.http.cookies import Devices, is_secure
from danlu.server.http.identity import Identity
from danlu.server.http.password_line import PasswordLine
from danlu.server.http.sign_in_limits import SignInAttempts
from danlu.server.http.streams import Streams
from danlu.server.http.threads import Threads
from danlu.server.http.turns import Turns
from danlu.server.live.follow import Followed
from danlu.server.live.hub import EventHub
from danlu.server.live.terminals import Terminals
from danlu.server.services import Services

if TYPE_CHECKING:
    from danlu.server.http.provider import Provider


@dataclass(frozen=True, slots=True)
class Desk:
    services: Services
    identity: Identity
    threads: Threads
    turns: Turns
    hub: EventHub
    streams: Streams
    attempts: SignInAttempts
    followed: Followed
    terminals: Terminals
    metrics: PrometheusPage
    passwords: PasswordLine
    devices: Devices
    providers: Mapping[str, Provider] = field(default_factory=dict)

    def secure(self, connection: HTTPConnection) -> bool:
        """Whether the browser came by TLS."""
        return is_secure(connection, self.services.process.settings.public_url)
