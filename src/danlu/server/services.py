"""What the routes serve from: the control plane's verbs and the ports they read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from danlu.control.clusters import Clusters
from danlu.control.jobs import Jobs
from danlu.control.nodes import Nodes
from danlu.control.people import People
from danlu.control.queue import Queue
from danlu.control.registry import Registry
from danlu.control.resources import Panel
from danlu.ports.code import CodeStore
from danlu.ports.engine import Interactive
from danlu.ports.logs import LogFollower, LogReader
from danlu.ports.store import Store
from danlu.ports.usage import UsageReader
from danlu.wire.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a server needs; `shells` is None where nothing can be run inside tasks. `half` says which of Danlu's
    halves this process is: server, or up for both."""

    jobs: Jobs
    people: People
    nodes: Nodes
    clusters: Clusters
    registry: Registry
    queue: Queue
    panel: Panel
    store: Store
    logs: LogReader
    follower: LogFollower
    usage: UsageReader
    shells: Interactive | None
    code: CodeStore
    settings: Settings
    version: str
    half: Literal["up", "server"] = "up"
