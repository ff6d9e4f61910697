"""What runs attempts: a machine, a cluster, or a simulation of one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.events import TaskEvent
from danlu.domain.job import Code, Mount, Task
from danlu.domain.node import Node
from danlu.domain.resources import Resources


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """One task to run, with all it needs. `seen` says it was observed alive before: never launch it again."""

    name: str
    role: str
    node: str
    address: str
    gpus: tuple[int, ...]
    resources: Resources
    command: str | tuple[str, ...]
    env: Mapping[str, str]
    seen: bool


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
    mounts: tuple[Mount, ...] = ()
    job_name: str = ""
    project: str = ""
    grace: int = 30_000


class Engine(Protocol):
    """All methods may be called from any thread and return promptly."""

    def inventory(self) -> Sequence[Node]:
        """The nodes as they are now, sorted by name."""

    def start(self, order: AttemptOrder) -> None:
        """Launch what of the attempt was never launched and report the present state of the rest.

        Idempotent by attempt id and task: after a crash, starting again launches nothing twice. A task
        marked `seen` of which no trace is left is reported lost."""

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        """Ask the attempt's tasks to end and kill them after the grace; a shorter grace given later counts.

        Every task is then reported ended: one already over as it ended, one never launched as NeverStarted
        (and it never will be, even if a `start` of the same attempt is still under way)."""

    def events(self) -> Sequence[TaskEvent]:
        """What was seen since the last call, in order per task; never blocks; may repeat after a restart.
        A call that raises hands over nothing and loses nothing."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` (from any thread, cheap, may be spurious) when `events` has something."""

    def forget(self, attempt_id: str) -> None:
        """The attempt's end is safely recorded: its traces may go. Logs stay."""

    def sweep(self, keep: Collection[str]) -> None:
        """End and clear away every attempt this engine has traces of that is not in `keep`."""

    def close(self) -> None:
        """Stop watching. What runs goes on running."""


class Interactive(Protocol):
    """An engine that can run a further command inside a running task."""

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Shell:
        """Run argv inside the task; with `tty` (columns, rows) on a terminal of that size."""


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
