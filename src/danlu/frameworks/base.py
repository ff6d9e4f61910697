"""How a framework describes itself, and what it gets to know about the gang that it runs in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from danlu.domain.job import Remedy, Trouble
from danlu.domain.words import NOTHING, Words

Command = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoleShape:
    """A role of a strategy: how many tasks it may have, what it is for, and how many are usual.

    Without `gpus` it belongs on CPU flavors; one that `serves` is ended when the others are done. `one_for` proposes
    one task per this many workers, and allows at most as many tasks as workers."""

    name: str
    about: Words
    least: int = 1
    most: int | None = None
    gpus: bool = True
    serves: bool = False
    one_for: int | None = None
    usual: Words = NOTHING


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to share the work. With `processes`, the framework starts several processes in each task; with
    `elastic`, it continues with fewer workers than requested. The rest are defaults for trouble."""

    name: str
    label: Words
    about: Words
    roles: tuple[RoleShape, ...]
    processes: bool = False
    elastic: bool = False
    on: Mapping[Trouble, Remedy] = field(default_factory=dict)
    restarts: int = 3
    hang_after: int | None = 3_600_000

    def role(self, name: str) -> RoleShape | None:
        return next((shape for shape in self.roles if shape.name == name), None)


@dataclass(frozen=True, slots=True)
class Seat:
    """One task in a gang: `host` is a placeholder for its address, `port` is its own even if tasks share a machine."""

    name: str
    role: str
    index: int
    rank: int
    host: str
    port: int
    gpus: int
    processes: int
    command: Command
    cpus: int = 1
    """Whole CPUs, at least one."""

    @property
    def threads(self) -> int:
        """How many threads each of its processes may use without crowding the others."""
        return max(1, self.cpus // self.processes)


@dataclass(frozen=True, slots=True)
class Gang:
    """The tasks of an attempt in the order of their ranks, and what its job says of them."""

    id: str
    strategy: str
    seats: tuple[Seat, ...]
    least: int
    most: int
    restarts: int = 0

    @property
    def first(self) -> Seat:
        return self.seats[0]

    def of(self, *roles: str) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.role in roles)


@dataclass(frozen=True, slots=True)
class Given:
    """What a task gets: variables, and the command as it is run."""

    env: Mapping[str, str]
    command: Command


@dataclass(frozen=True, slots=True)
class NeededPackage:
    """What pip calls the package without which a framework runs nothing, and the module that it brings."""

    package: str
    module: str


class Framework(ABC):
    """The first strategy is the default. With `ssh`, tasks get a key to reach each other."""

    name: str
    label: Words
    about: Words
    strategies: Sequence[Strategy]
    ssh: bool = False
    needs: NeededPackage | None = None

    @abstractmethod
    def given(self, gang: Gang, seat: Seat) -> Given:
        """What one task of the gang gets, in addition to what every task gets."""


ON_LOSS: Mapping[Trouble, Remedy] = {
    Trouble.NODE_LOST: Remedy.REQUEUE,
    Trouble.HUNG: Remedy.RESTART_JOB,
}
"""Defaults for most frameworks: a lost node is not the job's fault, and a hung collective never recovers."""

WORKERS = RoleShape(
    "worker",
    Words("trains on its part of the data", "在自己分到的数据上训练"),
    usual=Words("one per machine is usual", "通常每台机器一个"),
)
