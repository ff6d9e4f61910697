"""The jobs that a controller follows, kept in memory and updated from the event log."""

from __future__ import annotations

import functools
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from danlu.control.plane.full_volumes import Full, lacking, written
from danlu.control.plane.ties import Ties, tied_labels
from danlu.domain.job import Attempt, Job, JobState, Task, TaskState, Time
from danlu.domain.labels import demanded_labels
from danlu.domain.node import Node
from danlu.domain.reasons import NotAdmitted, Reason
from danlu.domain.rules import Pool, Project
from danlu.domain.transfers.inputs import pending
from danlu.ports.store import ActiveJobs
from danlu.scheduler import (
    FOREVER,
    Ask,
    Assigned,
    BlockMount,
    Board,
    Pending,
    Rules,
    Running,
    Snapshot,
    ask_of,
    selecting,
)
from danlu.scheduler.board import Scores

_RUNS = frozenset({JobState.STARTING, JobState.RUNNING})
_WENT_WRONG = frozenset({TaskState.FAILED, TaskState.LOST})

Noticed = Callable[[Job | None, Job | None], None]
JobOf = Callable[[str], Job | None]


class ActiveView:
    """Every active job and every job with live tasks. Written by one thread, readable from any.

    `ruled` is called, while refreshing, when anybody has changed rules.
    With `all_serve`, every node runs images and has this machine's volumes, as simulated ones do; `ties` are volumes
    that only some nodes have, `inputs` how far the inputs are that jobs wait for, and `full` which of some volumes
    have no room for who would write to them."""

    def __init__(
        self,
        store: ActiveJobs,
        inventory: Callable[[], Sequence[Node]] = tuple,
        *,
        ruled: Callable[[], None] = lambda: None,
        all_serve: bool = False,
        ties: Callable[[], Ties] = dict,
        inputs: Callable[[JobOf], Mapping[str, Reason]] = lambda _: {},
        full: Callable[[Collection[str]], Full] = lambda _: {},
    ) -> None:
        self._store, self._inventory, self._ruled, self._all_serve = store, inventory, ruled, all_serve
        self._ties, self._inputs = ties, inputs
        self._tied: Ties = {}
        self._which_full = full
        self._full: Full = {}
        self._writing: dict[str, frozenset[str]] = {}
        self._seq: int | None = None
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._queued: dict[str, Job] = {}
        self._live: dict[str, Job] = {}
        self._firsts: dict[tuple[str, str], str] = {}
        self._owned: dict[str, dict[str, Job]] = defaultdict(dict)
        self._touched: set[str] = set()
        self._owners: set[str] = set()
        self._taken: dict[str, int] = {}
        self._projects: Mapping[str, Project] = {}
        self._noticing: list[Noticed] = []

    def notice(self, noticed: Noticed) -> None:
        """Call back on every change from now on, in order: the job before (None: new) and after (None: deleted). Runs
        in the thread that writes the view, so it must be quick."""
        self._noticing.append(noticed)

    @property
    def started(self) -> bool:
        return self._seq is not None

    def refresh(self) -> None:
        """Read what was written since the last time, by any process."""
        # What was just written by ourselves need not be read again.
        held, self._taken = self._taken, {}
        changes = self._store.active() if self._seq is None else self._store.changes(self._seq, held)
        self.take(changes.jobs)
        self._taken = {}
        with self._lock:
            for job_id in changes.gone:
                self._tell(self._jobs.get(job_id), None)
                self._drop(job_id)
        if changes.ruled:
            self._ruled()
        self._seq = changes.seq

    def take(self, jobs: Iterable[Job]) -> None:
        """Take newer versions of jobs; versions older than the known one are ignored."""
        with self._lock:
            for job in map(self._with_models, jobs):
                if job.run > 1:
                    self._number_first(job)
                known = self._jobs.get(job.id)
                if known is not None and known.version >= job.version:
                    continue
                self._tell(known, job)
                self._drop(job.id)
                self._touched.add(job.id)
                self._taken[job.id] = job.version
                if job.state is JobState.QUEUED:
                    self._queued[job.id] = job
                    if writes := written(job):
                        self._writing[job.id] = writes
                if job.live_tasks:
                    self._live[job.id] = job
                    self._owned[job.owner][job.id] = job
                    self._owners.add(job.owner)
                if job.active or job.live_tasks:
                    self._jobs[job.id] = job
                    self._put(job)
                    if not job.numbered:
                        self._firsts[job.owner, job.spec.name] = job.id

    def get(self, job_id: str) -> Job | None:
        return self._jobs.get(job_id)

    @property
    def empty(self) -> bool:
        """Whether nothing waits and nothing runs."""
        return not self._jobs

    def queued(self) -> tuple[Job, ...]:
        with self._lock:
            return tuple(self._queued.values())

    def waiting(self) -> int:
        """How many are queued."""
        return len(self._queued)

    def live(self) -> tuple[Job, ...]:
        with self._lock:
            return tuple(self._live.values())

    def active(self) -> tuple[Job, ...]:
        """Queued and running jobs: rules that they need must not be removed."""
        return (*self.queued(), *self.live())

    def live_of(self, owner: str) -> tuple[Job, ...]:
        """A person's jobs with live tasks."""
        with self._lock:
            return tuple(self._owned[owner].values()) if owner in self._owned else ()

    def snapshot(
        self, now: Time, nodes: Sequence[Node], pools: Mapping[str, Pool], rules: Rules, scores: Scores
    ) -> Snapshot:
        """What a decision sees."""
        ties, fetching = self._ties(), self._inputs(self.get)
        with self._lock:
            ruled_anew, tied_anew = rules.projects != self._projects, ties != self._tied
            self._projects, self._tied = rules.projects, ties
            if ruled_anew or tied_anew:
                for job in self._jobs.values():
                    if ruled_anew or job.spec.mounts:
                        self._put(job)
            self._look_for_room()
            self._board.set_nodes(nodes, pools)
            return self._board.snapshot(now, rules, scores, fetching)

    def _look_for_room(self) -> None:
        """In the volumes that queued jobs are to write to."""
        wanted = {name for names in self._writing.values() for name in names}
        full = self._which_full(wanted) if wanted else {}
        if full != self._full:
            self._full = full
            for job_id in self._writing:
                self._put(self._jobs[job_id])

    def pending(self, job: Job) -> Pending:
        """A job as it stands, or would stand, in the queue."""
        turn = job.turn
        return Pending(
            job_id=job.id,
            owner=job.owner,
            ask=self._ask(job),
            created_at=job.created_at,
            slot=job.slot,
            project=job.spec.project,
            priority=job.spec.priority,
            max_time=job.spec.max_time or FOREVER,
            pinned_at=turn.pinned_at,
            nominated=tuple(_assigned(job, task) for task in turn.nominated),
            gave_way_to=frozenset(turn.gave_way_to),
            refusals=turn.refusals,
            held_until=turn.held_until,
            troubles=turn.troubles,
            avoids=frozenset(turn.avoids),
            mounts=_block_mounts(job),
            fetching=pending(job),
            lacks=lacking(job, self._full),
        )

    def take_touched(self) -> set[str]:
        """The jobs that changed since this was last asked."""
        with self._lock:
            touched, self._touched = self._touched, set()
            return touched

    def take_owners(self) -> dict[str, tuple[Job, ...]]:
        """The people whose live tasks changed since this was last asked, with their live jobs."""
        with self._lock:
            owners, self._owners = self._owners, set()
            return {owner: tuple(self._owned[owner].values()) for owner in owners}

    def touch(self, job_id: str) -> None:
        with self._lock:
            self._touched.add(job_id)

    def _tell(self, before: Job | None, after: Job | None) -> None:
        for noticed in self._noticing:
            noticed(before, after)

    def _number_first(self, later: Job) -> None:
        """With a second run the first is shown with its number too, of which no event tells."""
        first = self._jobs.get(self._firsts.pop((later.owner, later.spec.name), ""))
        if first is None or first.id == later.id:
            return
        numbered = replace(first, numbered=True)
        for kept in (self._jobs, self._queued, self._live, self._owned.get(first.owner, {})):
            if first.id in kept:
                kept[first.id] = numbered

    def _drop(self, job_id: str) -> None:
        known = self._jobs.get(job_id)
        if known is not None and self._firsts.get(name := (known.owner, known.spec.name)) == job_id:
            del self._firsts[name]
        live = self._live.pop(job_id, None)
        if live is not None:
            self._owned[live.owner].pop(job_id, None)
            self._owners.add(live.owner)
        self._jobs.pop(job_id, None)
        self._queued.pop(job_id, None)
        self._writing.pop(job_id, None)
        self._board.drop(job_id)

    def _with_models(self, job: Job) -> Job:
        """Add the GPU model to tasks that were placed by an older Danlu."""
        if all(task.model or not task.gpus for task in job.live_tasks) or job.attempt is None:
            return job
        models = {node.name: node.gpu_model for node in self._inventory()}
        tasks = tuple(
            replace(task, model=models.get(task.node)) if task.gpus and not task.model else task
            for task in job.attempt.tasks
        )
        return replace(job, attempt=replace(job.attempt, tasks=tasks))

    # ── as the scheduler sees it ─────────────────────────────────────────────────────────────────────

    @functools.cached_property
    def _board(self) -> Board:
        return Board()  # made for the first job: it needs NumPy

    def _put(self, job: Job) -> None:
        if job.live_tasks:
            self._board.put(self._running(job))
        elif job.state is JobState.QUEUED:
            self._board.put(self.pending(job))

    def _running(self, job: Job) -> Running:
        assert job.attempt is not None
        stays = [task.leaving is None and job.state in _RUNS for task in job.live_tasks]
        held = [_assigned(job, task) for task in job.live_tasks]
        returning = job.ending is not None and job.ending.state is JobState.QUEUED
        return Running(
            job_id=job.id,
            owner=job.owner,
            ask=self._ask(job),
            began=job.attempt.created_at,
            tasks=tuple(task for task, stay in zip(held, stays, strict=True) if stay),
            leaving=tuple(task for task, stay in zip(held, stays, strict=True) if not stay),
            project=job.spec.project,
            priority=job.spec.priority,
            max_time=job.spec.max_time or FOREVER,
            preemptible=job.spec.preemptible,
            slot=job.slot,
            pinned_at=job.turn.pinned_at,
            gave_way_to=frozenset(job.turn.gave_way_to),
            nominated=tuple(_assigned(job, task) for task in job.turn.nominated) if returning else (),
            grows=_may_grow(job, job.attempt),
            saved_at=job.saved.at if job.saved is not None and job.saved.attempt == job.attempts else None,
            avoids=frozenset(job.turn.avoids),
            mounts=_block_mounts(job),
            expected_time=job.spec.expected_time or FOREVER,
        )

    def _ask(self, job: Job) -> Ask:
        labels = demanded_labels(job.spec, self._projects.get(job.spec.project), all_serve=self._all_serve)
        if job.spec.mounts:
            labels.update(tied_labels(job.spec.mounts, self._tied))
        return selecting(ask_of(job.spec), tuple(sorted(labels.items())))


def _block_mounts(job: Job) -> tuple[BlockMount, ...]:
    if not job.spec.mounts:
        return ()
    return tuple(
        BlockMount(mount.id, not mount.read_only, mount.volume, job.title)
        for mount in job.spec.mounts
        if mount.block
    )


def _may_grow(job: Job, attempt: Attempt) -> bool:
    """Whether it may grow: not after so many failed tasks that more would likely fail too."""
    failed = sum(task.state in _WENT_WRONG for task in attempt.tasks)
    return failed <= job.spec.restarts and all(map(_may_have_more_beside, attempt.tasks))


def _may_have_more_beside(task: Task) -> bool:
    """Whether more may start there: not while work has begun, and not after a cluster's rejection."""
    return task.state is not TaskState.SUCCEEDED and not isinstance(task.reason, NotAdmitted)


def _assigned(job: Job, task: Task) -> Assigned:
    nominated = len(job.turn.nominated) if task in job.turn.nominated else None
    size = job.size_of(task, nominated)
    return Assigned(task.role, task.index, task.node, size.cpu_milli, size.memory, task.gpus, task.model)
