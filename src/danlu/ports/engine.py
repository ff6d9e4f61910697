"""What runs attempts: a machine, a cluster, or a simulation of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.events import TaskEvent
from danlu.domain.job import Code, NetworkPolicy, Packages, Task
from danlu.domain.node import Node
from danlu.domain.resources import Resources

_BEFORE, _AFTER = "\u27e8danlu:", "\u27e9"
_PLACE = re.compile(f"{_BEFORE}([a-z0-9-]+){_AFTER}")


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """One task to run, with all it needs. `seen`: it was seen alive before, so never launch it again; `held`: do not
    launch it yet. `image` is set if it differs from the attempt's. Variables and command may contain placeholders for
    addresses (`at`), which the engine fills in."""

    name: str
    role: str
    node: str
    address: str
    gpus: tuple[int, ...]
    resources: Resources
    command: str | tuple[str, ...]
    env: Mapping[str, str]
    seen: bool
    host: str = ""
    image: str = ""
    held: bool = False

    @property
    def hostname(self) -> str:
        """The host name that other tasks know it by, the same for every try."""
        return self.host or self.name


@dataclass(frozen=True, slots=True)
class ClaimOrder:
    """A PersistentVolumeClaim for somebody's `volume`, or for their own directories where that is empty; `shared` if
    pods on several nodes write to it."""

    name: str
    storage_class: str
    capacity: int
    shared: bool
    owner: str
    volume: str = ""


@dataclass(frozen=True, slots=True)
class MountOrder:
    """A volume at a path of every task: on this machine its files belong to the group `gid`, on a cluster they are in
    the PersistentVolumeClaim `claim`, which is made first where it is `new`. Of a `bucket` it is a copy of what is
    `below` a folder. With `local`, a folder of the task's own of so many bytes; 0: any."""

    path: str
    read_only: bool
    volume: str = ""
    title: str = ""
    gid: int = 0
    claim: str = ""
    local: int | None = None
    bucket: bool = False
    below: str = ""
    new: ClaimOrder | None = None
    tree: str = ""
    """The root of a version of a dataset, shown read-only."""
    number: int = 0
    """Which of the job's mounts it is."""
    size: int = 0
    """How many bytes a version has, or how many of a bucket a pod may take; 0: nobody has said."""
    files: int = 0
    """How many files and folders a version has."""


class NotYet(Exception):
    """Something that the tasks need is being made ready: order again when the engine wakes its listener."""


@dataclass(frozen=True, slots=True)
class AttemptOrder:
    """One attempt to run: the gang's tasks together."""

    attempt_id: str
    job_id: str
    number: int
    owner: str
    image: str
    code: Code | None
    tasks: tuple[TaskOrder, ...]
    mounts: tuple[MountOrder, ...] = ()
    job_name: str = ""
    project: str = ""
    grace: int = 30_000
    network: NetworkPolicy | None = None
    packages: Packages | None = None


def at(host: str) -> str:
    """A placeholder for the address of a task until an engine knows it."""
    return f"{_BEFORE}{host}{_AFTER}"


def addressed(text: str, addresses: Mapping[str, str]) -> str:
    """The text with the placeholders replaced by addresses, given by host name."""
    if _BEFORE not in text:
        return text
    return _PLACE.sub(lambda found: addresses.get(found[1], found[1]), text)


class Engine(Protocol):
    """All methods may be called from any thread and return promptly."""

    def inventory(self) -> Sequence[Node]:
        """The nodes as they are now, sorted by name."""

    def start(self, order: AttemptOrder) -> None:
        """Launch the tasks of the attempt that were never launched, and report the current state of the others.

        NotYet while it makes ready what they need. Idempotent by attempt id and task: after a crash, starting again
        launches nothing twice. A task
        marked `seen` of which no trace is left is reported lost."""

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        """Ask the attempt's tasks to end and kill them after the grace; a shorter grace given later counts.

        Every task is then reported as ended: one that is already over with its own end, one never launched as
        NeverStarted (and it will not be launched, even if a `start` of the same attempt is still in progress)."""

    def events(self) -> Sequence[TaskEvent]:
        """What was seen since the last call, in order per task; never blocks; may repeat after a restart.
        A call that raises hands over nothing and loses nothing."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` (from any thread, cheap, may be spurious) when `events` has something."""

    def forget(self, attempt_id: str) -> None:
        """The attempt's end is recorded: the engine may delete its traces. Logs stay."""

    def sweep(self, keep: Collection[str]) -> None:
        """End and clean up every attempt that this engine has traces of and that is not in `keep`."""

    def close(self) -> None:
        """Stop watching. Running tasks keep running."""


class Interactive(Protocol):
    """An engine that can run a further command inside a running task."""

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Shell:
        """Run argv inside the task; with `tty` (columns, rows) on a terminal of that size."""


class Inspectable(Protocol):
    """An engine that can take the stacks of a running task."""

    def stacks(self, attempt_id: str, task: Task) -> str:
        """The stacks of all its processes as text for people; takes seconds. Unavailable if they cannot be taken."""


class Reachable(Protocol):
    """An engine that can connect to what listens inside a running task."""

    async def connect(self, attempt_id: str, task: Task, port: int) -> Connection:
        """A connection to a port of the task; Unavailable when nothing listens there."""


class Connection(Protocol):
    """Bytes to and from a port of a task."""

    async def read(self) -> bytes:
        """The next bytes; empty when the other side has closed."""

    async def write(self, data: bytes) -> None: ...

    async def close(self) -> None: ...


class Shell(Protocol):
    """A command running inside a task: bytes in, bytes out, an exit code."""

    async def read(self) -> bytes:
        """The next output; empty when the command has ended."""

    async def write(self, data: bytes) -> None:
        """Input for the command; empty means end of input."""

    def resize(self, columns: int, rows: int) -> None: ...

    async def wait(self) -> int:
        """The exit code, once output is finished."""

    async def close(self) -> None:
        """End the command if it still runs."""
