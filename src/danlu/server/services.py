"""What the routes use: the capabilities of control, and the ports they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from danlu.control.audit import Audit
from danlu.control.datasets import DatasetsRoom
from danlu.control.environments import Environments
from danlu.control.flavors.flavors import Flavors
from danlu.control.foundation import Foundation
from danlu.control.jobs import JobsRoom
from danlu.control.machines import MachinesRoom
from danlu.control.people import PeopleRoom
from danlu.control.plane.decisions import Decisions
from danlu.control.projects import ProjectsRoom
from danlu.control.queue import QueueRoom
from danlu.control.quotas import QuotasRoom
from danlu.control.recipes import RecipesRoom
from danlu.control.rules.registry import Registry
from danlu.control.system.doctor import Doctor
from danlu.control.transfers import TransfersRoom
from danlu.control.usage import UsageRoom
from danlu.control.volumes.files import VolumeFiles
from danlu.control.volumes.volumes import Volumes
from danlu.files.settings import Settings
from danlu.ports.clock import Clock
from danlu.ports.code import PeoplesCode
from danlu.ports.engine import Interactive
from danlu.ports.examples import Examples
from danlu.ports.files import Files
from danlu.ports.logs import LogFollower, LogReader
from danlu.ports.store import Store
from danlu.ports.usage import MeasuredUse
from danlu.ports.volumes.changing import FileChanges
from danlu.ports.volumes.uploads import Uploads

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports that routes read directly; `shells` is None if no shell can be opened in tasks."""

    store: Store
    clock: Clock
    logs: LogReader
    follower: LogFollower
    usage: MeasuredUse
    code: PeoplesCode
    examples: Examples
    files: Files
    changes: FileChanges
    uploads: Uploads
    shells: Interactive | None


@dataclass(frozen=True, slots=True)
class Process:
    """About this process. `half` says which half of Danlu it is: server, or up for both; `decisions` is None where
    nothing is scheduled; `journey_key` signs the sign-in state that a browser keeps."""

    settings: Settings
    version: str
    journey_key: bytes
    half: Literal["up", "server"]
    decisions: Decisions | None


class Rooms:
    """Capabilities that are built on the foundation alone, each when it is first asked for by its `build`."""

    def __init__(self, on: Foundation) -> None:
        self._on = on
        self._built: dict[Any, Any] = {}

    def __call__(self, build: Callable[[Foundation], T]) -> T:
        if build not in self._built:
            self._built[build] = build(self._on)
        found: T = self._built[build]
        return found


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a server needs: a capability has the name of its folder in control. `rooms` are those that need
    nothing but the foundation."""

    audit: Audit
    people: PeopleRoom
    jobs: JobsRoom
    queue: QueueRoom
    projects: ProjectsRoom
    quotas: QuotasRoom
    environments: Environments
    flavors: Flavors
    machines: MachinesRoom
    system: Doctor
    usage: UsageRoom
    volumes: Volumes
    volume_files: VolumeFiles
    datasets: DatasetsRoom
    transfers: TransfersRoom
    recipes: RecipesRoom
    registry: Registry
    ports: Ports
    process: Process
    rooms: Rooms
