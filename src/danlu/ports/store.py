"""The store, as small Protocols that one database implements together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from danlu.domain.audit import Entry
from danlu.domain.events import Event
from danlu.domain.job import Attempt, Job, JobState, Kind, Time
from danlu.domain.members import Membership
from danlu.domain.names import run_title
from danlu.domain.node import Node
from danlu.domain.reasons import Reason, encode
from danlu.domain.rules import Rule
from danlu.domain.score import Charge, Settled
from danlu.domain.words import Words
from danlu.ports.accounts import CredentialStore, PeopleStore, PreferenceStore, TokenStore
from danlu.ports.code import CodeUses
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.governance import GovernanceStore
from danlu.ports.inputs import InputStore
from danlu.ports.metrics import Latest
from danlu.ports.outputs import OutputStore
from danlu.ports.transfers import ScheduleStore, TransferStore
from danlu.ports.volumes.claims import ClaimStore
from danlu.ports.volumes.records import LoginStore, VolumeStore


@dataclass(frozen=True, slots=True)
class JobChange:
    """A job to write: `job.version` is the version that was read; the store writes version + 1.

    It records at least one event, or followers would not notice it. A new specification needs a new `spec_version`, by
    which the store knows that it must be written."""

    job: Job
    records: tuple[Event, ...]
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class QuotaHolding:
    """What active jobs of one owner, class and GPU model use together, as quotas count it: with their maximum number
    of tasks. `gpu_mix` says how much of which model (`""`: any) each has, if its roles name different ones."""

    owner: str
    job_class: str
    gpu_model: str | None
    gpu_mix: Mapping[str, int]
    jobs: int
    gpu_milli: int
    cpu_milli: int
    memory: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Gate:
    """A check inside the transaction that starts a job: `check` gets what all other active jobs of these owners (None:
    everybody) use, and an exception in it undoes the start. Starts pass one at a time. It must be quick: it blocks all
    other writes."""

    owners: tuple[str, ...] | None
    check: Callable[[tuple[QuotaHolding, ...]], None]


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened to jobs after a point of the event log, up to `seq`."""

    jobs: tuple[Job, ...]
    gone: tuple[str, ...]
    seq: int
    ruled: bool = False
    """Whether any rule changed meanwhile."""


@dataclass(frozen=True, slots=True)
class JobQuery:
    """Which jobs to list. `owners` None means everybody's; a cursor is opaque and belongs to its sort.

    `search` finds parts of names, ignoring case, or a whole id. Sorts: created, name (each also with - for the
    reverse), state (in the order of the life cycle, newest first in each), and -ended (only jobs that ended, latest
    first). Invalid for any other. `until` instead of a cursor, which names a job: newest first, those created then or
    before."""

    owners: tuple[str, ...] | None = None
    states: tuple[JobState, ...] = ()
    kinds: tuple[Kind, ...] = ()
    project: str | None = None
    search: str | None = None
    sort: str = "-created"
    cursor: str | None = None
    limit: int = 50
    until: Time | None = None


@dataclass(frozen=True, slots=True)
class JobRow:
    """What a list shows of a job, without loading its specification; resources are of all tasks together."""

    id: str
    name: str
    kind: str
    job_class: str
    owner: str
    project: str
    state: str
    reason: Mapping[str, Any] | None
    waiting: Mapping[str, Any] | None
    image: str
    gpu_milli: int
    gpu_model: str | None
    cpu_milli: int
    memory: int
    tasks: int
    priority: str
    created_at: Time
    queued_at: Time | None
    started_at: Time | None
    ended_at: Time | None
    version: int
    attempts: int
    run: int = 1
    numbered: bool = False
    expected_time: int | None = None
    max_time: int | None = None
    placed: Sequence[str] | None = None
    """The nodes of its latest attempt, unless it waits."""
    latest: Mapping[str, Any] | None = None
    """The fields of a ports.metrics.Latest."""

    @property
    def title(self) -> str:
        return run_title(self.name, self.run, self.numbered)

    @classmethod
    def of(cls, job: Job, waiting: Reason | None = None, latest: Latest | None = None) -> Self:
        """The row of a job; a store keeps the same values in columns of the same names."""
        spec = job.spec
        sizes = [role.resources.times(role.replicas) for role in spec.roles]
        return cls(
            id=job.id,
            name=spec.name,
            kind=spec.kind.value,
            job_class=spec.job_class.value,
            owner=job.owner,
            project=spec.project,
            state=job.state.value,
            reason=encode(job.reason),
            waiting=encode(waiting),
            image=spec.image,
            gpu_milli=sum(size.gpu_milli for size in sizes),
            gpu_model=next((size.gpu_model for size in sizes if size.gpu_model and size.gpu_milli), None),
            cpu_milli=sum(size.cpu_milli for size in sizes),
            memory=sum(size.memory for size in sizes),
            tasks=spec.tasks_asked,
            priority=spec.priority,
            created_at=job.created_at,
            queued_at=job.queued_at,
            started_at=job.started_at,
            ended_at=job.ended_at,
            version=job.version,
            attempts=job.attempts,
            run=job.run,
            numbered=job.numbered,
            expected_time=spec.expected_time,
            max_time=spec.max_time,
            placed=placed_on(job),
            latest=None if latest is None else latest._asdict(),
        )


def placed_on(job: Job) -> tuple[str, ...]:
    """The nodes of its latest attempt, each once; none of a job that waits, which may go elsewhere next."""
    if job.attempt is None or job.state in (JobState.CREATED, JobState.QUEUED):
        return ()
    return tuple(dict.fromkeys(task.node for task in job.attempt.tasks))


@dataclass(frozen=True, slots=True)
class JobPage:
    rows: tuple[JobRow, ...]
    next_cursor: str | None
    total: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as the store keeps it."""

    seq: int
    time: Time
    kind: str
    job_id: str | None
    owner: str | None
    actor: str | None
    data: Mapping[str, Any] = field(default_factory=dict)
    text: Words = Words("", "")


@dataclass(frozen=True, slots=True)
class ChargePage:
    """Rows of the ledger, newest first; the cursor continues them."""

    rows: tuple[Charge, ...]
    next_cursor: str | None


class JobStore(Protocol):
    """Every write is one transaction that also appends its events; nothing is half written.

    Raises StoreBusy when the database stays locked and DiskFull when it cannot grow."""

    def add(
        self,
        change: JobChange,
        *,
        key: tuple[str, str] | None = None,
        gate: Gate | None = None,
        notes: Sequence[Entry] = (),
        first: Sequence[JobChange] = (),
    ) -> Job:
        """Store a new job, with its audit entries, as the next run of its name; returned with its number, which
        entries about run 0 of the name get too. With a second run, the first is numbered, without event or new
        version. `key` is (idempotency key, fingerprint of the request) of its owner: the same key and fingerprint
        return the job created then; another fingerprint raises KeyReused. What `first` changes is written with it
        (Stale: nothing is), and counts no more at the gate."""

    def save(
        self,
        changes: Sequence[JobChange],
        now: Time,
        charges: Sequence[Charge] = (),
        settled: Sequence[Settled] = (),
        *,
        gate: Gate | None = None,
        notes: Sequence[Entry] = (),
    ) -> tuple[Job, ...]:
        """Write all or nothing; Stale when any job's version has moved on (or the job is gone).
        Returns the jobs as written. A job that left the queue no longer waits for anything.
        `charges` are appended to the ledger, `settled` replaces what is kept of the same user and model;
        `notes` go to the audit log."""

    def get(self, job_id: str) -> Job | None: ...

    def find(self, owner: str, name: str, run: int | None = None) -> Job | None:
        """A run of this name; None: the latest."""

    def last_run(self, owner: str, name: str) -> int:
        """The number of the latest run that this name had; 0 if it has no job. Numbers of deleted runs count."""

    def runs(self, owner: str, name: str, limit: int, *, active: bool = False) -> tuple[JobRow, ...]:
        """The runs of a name, the latest first; with `active`, those that are queued or run."""

    def remove(self, change: JobChange, now: Time, *, notes: Sequence[Entry] = ()) -> None:
        """Delete the job with its attempts and record why. Already gone is success; Stale when its version
        has moved on. Its idempotency key is free again, and with the last run of its name the numbers."""

    def page(self, query: JobQuery) -> JobPage: ...

    def attempts(self, job_id: str) -> tuple[Attempt, ...]:
        """All attempts of a job, the latest last."""

    def set_waiting(self, reasons: Mapping[str, Reason | None]) -> None:
        """Store why these jobs wait now; None clears it. Without event or new version: it is derived data, kept for
        queued jobs only."""


class ActiveJobs(Protocol):
    """What a controller follows: every job that is active or still has live tasks."""

    def active(self) -> Changes:
        """All of them, and up to which event of the log this is true."""

    def changes(self, after: int, held: Mapping[str, int] = ...) -> Changes:
        """Jobs changed since, in their newest version (active or not), without those already known in that version."""

    def waiting(self, job_id: str) -> Reason | None: ...


class LatestReports(Protocol):
    """What trainings reported last, kept beside their jobs: lists would otherwise read a file for every row."""

    def set_latest(self, reports: Mapping[str, Latest]) -> None:
        """By job. Without event or new version: it is derived data."""

    def latest(self, job_id: str) -> Latest | None: ...


class HoldingStore(Protocol):
    """What quotas count: jobs that are active, whether or not they run yet."""

    def holdings(self, owners: Collection[str] | None) -> tuple[QuotaHolding, ...]:
        """What these owners' (None: everybody's) hold."""

    def holders(
        self, owners: Collection[str], job_class: str | None, resource: str, limit: int
    ) -> tuple[tuple[str, str], ...]:
        """The jobs, by owner and title, that use most of a resource (`cpus`, `memory`, `gpus`, `jobs`, `tasks` or a GPU
        model), of one class or of all; at most this many."""


class EventStore(Protocol):
    def record(self, event: Event, now: Time, *, actor: str | None, owner: str | None = None) -> None:
        """An event that belongs to no job."""

    def events_after(self, seq: int, limit: int) -> tuple[Recorded, ...]: ...

    def events_of(self, job_id: str, after: int, limit: int) -> tuple[Recorded, ...]: ...

    def events_about(
        self, subject: str, before: int | None, limit: int, owners: Collection[str] | None = None
    ) -> tuple[Recorded, ...]:
        """What happened to a subject, the latest first, earlier than `before`: of jobs, those of these owners (None:
        everybody's)."""

    def latest_seq(self) -> int: ...


class RuleStore(Protocol):
    """Rules of all kinds; rules of a kind that this version does not know are left alone."""

    def rules(self) -> tuple[Rule, ...]:
        """All of them, by kind and name."""

    def edit_rules(
        self,
        change: Callable[[tuple[Rule, ...]], Iterable[Rule]],
        now: Time,
        *,
        by: Entry,
        joining: Membership | None = None,
    ) -> tuple[Rule, ...]:
        """Write what `change` makes of all rules and return it, in one transaction; an exception in `change` undoes
        everything. Every rule that is new, different or missing is recorded as RuleChanged and noted in the audit log
        as an act of `by`, whose act (if it has none), subject, before and after are set. `joining` is a membership
        that is added with it; removing a project removes its memberships, and removing a group removes it from its
        members."""


class NodeStore(Protocol):
    """The nodes as the leader last saw them, for processes without engines."""

    def nodes(self) -> tuple[Node, ...]:
        """All of them, by name."""

    def keep_nodes(self, nodes: Sequence[Node]) -> None:
        """Store these as all nodes; only differences are written. Without events: it is derived data."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who is the leader. The epoch grows with every change of leader; `until` is by the database's clock."""

    holder: str
    epoch: int
    until: Time


TAKEN = Words(
    "another Danlu already uses this database, and two would start every job twice; stop the other one, or use "
    "another database",
    "另一个丹炉正在控制此数据库，两个同时控制会重复启动任务。请停止那一个，或使用其他数据库",
)


class LeaseStore(Protocol):
    """One row that makes one controller the leader; time is the database's own, so clocks need not agree."""

    def take_lease(self, holder: str, life_ms: int) -> Lease | None:
        """Become the leader with a new epoch, if there is none, its lease has expired, or it is this same holder."""

    def renew_lease(self, lease: Lease, life_ms: int) -> Lease | None:
        """Renew the lease; None if another controller has taken over."""

    def end_lease(self, lease: Lease) -> None:
        """Release the lease: a standby may take over at once."""

    def lease(self) -> Lease | None:
        """The last lease, expired or not."""


class LedgerStore(Protocol):
    """What people used; written by JobStore.save, together with the ends it follows from."""

    def settled(self) -> tuple[Settled, ...]:
        """The settled score of everybody, by user and model; values are exact to the last bit."""

    def charges(
        self, user: str, model: str | None, since: Time, limit: int, cursor: str | None = None
    ) -> ChargePage:
        """A person's rows that ended at `since` or later, latest end first. Invalid for a foreign cursor."""


class Store(
    JobStore,
    ActiveJobs,
    LatestReports,
    HoldingStore,
    EventStore,
    RuleStore,
    NodeStore,
    LeaseStore,
    LedgerStore,
    PeopleStore,
    PreferenceStore,
    CredentialStore,
    TokenStore,
    GovernanceStore,
    VolumeStore,
    DatasetStore,
    TransferStore,
    ScheduleStore,
    InputStore,
    OutputStore,
    ClaimStore,
    LoginStore,
    CodeUses,
    Protocol,
):
    """All of them in one database."""

    def claim(self) -> None:
        """Become the only Danlu on this database, until `close` or the process ends; Conflict if there is one."""

    def fenced(self, epoch: int) -> Store:
        """The same store for the leader of an epoch: every write of jobs, reasons and nodes checks in its own
        transaction that this is still the current epoch, and raises NotLeader otherwise. Closing it does not close the
        store."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` (from a thread of the store's own, cheap, may be spurious) after another process has recorded
        events, until `close`. PostgreSQL can notify, SQLite cannot: callers must poll as well."""

    def ready(self) -> None:
        """Raise Unavailable unless the database answers."""

    def close(self) -> None: ...
