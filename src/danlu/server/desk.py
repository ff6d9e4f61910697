"""Where the routes find everything: one per application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from danlu.server.attempts import SignInAttempts
from danlu.server.follow import Followed
from danlu.server.hub import EventHub
from danlu.server.identity import Identity
from danlu.server.metrics import Metrics
from danlu.server.services import Services
from danlu.server.streams import Streams
from danlu.server.terminals import Terminals

if TYPE_CHECKING:
    from danlu.server.oidc import Provider


@dataclass(frozen=True, slots=True)
class Desk:
    services: Services
    identity: Identity
    hub: EventHub
    streams: Streams
    attempts: SignInAttempts
    followed: Followed
    terminals: Terminals
    metrics: Metrics
    password_turns: anyio.CapacityLimiter
    providers: Mapping[str, Provider] = field(default_factory=dict)
