"""The Engine port on this machine."""

from __future__ import annotations

import contextlib
import errno
import functools
import logging
import shutil
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from danlu.domain.errors import DiskFull, Unavailable
from danlu.domain.events import TaskDelayed, TaskEnded, TaskEvent
from danlu.domain.isolation import IsolationForm
from danlu.domain.job import NetworkPolicy, Task
from danlu.domain.node import Node
from danlu.domain.reasons import BucketNotCopied, NeverStarted, NodeLost, Reason, StartFailed
from danlu.domain.rules import CLUSTER_LABEL
from danlu.domain.volumes.volume import LOCAL_CLUSTER
from danlu.domain.words import same
from danlu.engines.local.bounds import UNBOUNDED, DiskBounds, DiskReserve
from danlu.engines.local.connection import LocalConnection
from danlu.engines.local.endings import Endings
from danlu.engines.local.environment import host_environment
from danlu.engines.local.installed import InstalledPackages
from danlu.engines.local.inventory import discover
from danlu.engines.local.isolation import IsolationChoice, choose_isolation
from danlu.engines.local.launcher import LauncherClient
from danlu.engines.local.listeners import LauncherListeners
from danlu.engines.local.mounts import LocalMounts
from danlu.engines.local.reports import event_of, untold_save
from danlu.engines.local.shell import LocalShell
from danlu.engines.local.stacks import read_stacks
from danlu.engines.local.task_file import Places, real_cards, shown_to, write_task
from danlu.engines.local.users import TaskUsers
from danlu.engines.local.watcher import Watcher
from danlu.ports import supervision
from danlu.ports.clock import Clock
from danlu.ports.datasets.trees import NoTrees, Trees
from danlu.ports.engine import AttemptOrder, Connection, MountOrder, NotYet, Shell, TaskOrder
from danlu.ports.logs import LogKey
from danlu.ports.volumes.copies import BucketCopies, CopyFailed, CopyOf

log = logging.getLogger(__name__)

_SILENCE_MS = 5_000
_LOOK_AGAIN_MS = 5_000
_ASKS = 3
NO_RESPONSE_MS = 10_000
"""How long after the end of its grace a task that was told to stop may go on: then it is ended by force."""


@dataclass(slots=True)
class _WatchedTask:
    """A task whose supervisor we read: how far, and how often it was asked for in vain."""

    attempt_id: str
    task: TaskOrder
    folder: Path
    asked_at: int
    offset: int = 0
    asks: int = 1
    end_by: int | None = None
    """When it should have ended, if it was told to."""

    @property
    def name(self) -> str:
        return f"{self.attempt_id}/{self.task.name}"


class LocalEngine:
    """Runs tasks on this machine, which may simulate several nodes. Also `Interactive`, `Inspectable` and
    `Reachable`."""

    def __init__(
        self,
        *,
        runs: Path,
        volumes: Path,
        hidden: tuple[Path, ...],
        log_path: Callable[[LogKey], Path],
        archive_path: Callable[[str], Path],
        nodes: tuple[Node, ...] | None,
        isolation: str,
        uid_of: Callable[[str], int | None],
        share_user: bool,
        python: Path | None,
        clock: Clock,
        bounds: DiskBounds = UNBOUNDED,
        network: NetworkPolicy = NetworkPolicy.ALL,
        registries: tuple[str, ...] = (),
        put_away: Callable[[Path], None] = lambda _: None,
        archives: Path | None = None,
        volume_data: Path | None = None,
        copies: BucketCopies | None = None,
        trees: Trees | None = None,
    ) -> None:
        self._copies = copies
        self._trees = trees or NoTrees()
        archives = archives or volumes.with_name("archives")
        self._volume_data = volume_data or volumes.with_name("volume-data")
        self._places = Places(runs, volumes, archives, hidden, log_path, archive_path, bounds)
        self._reserve = DiskReserve(runs, bounds.reserve)
        self._clock, self._put_away = clock, put_away
        self._host = host_environment(python)
        self._installed = InstalledPackages(self._host.interpreter, self._host.path)
        runs.mkdir(parents=True, exist_ok=True)
        self.listeners = LauncherListeners(runs)
        self._launcher = LauncherClient(runs, self.listeners)
        self._choose = functools.partial(choose_isolation, isolation, network=network, registries=registries)
        self._isolation = self._choose(self._launcher.ensure())
        self._nodes = _telling(nodes or (discover(),), self._isolation)
        self._next_look = 0
        # Who asks for plain processes accepts what they mean.
        shared = share_user or isolation == "process"
        self._users = TaskUsers(
            uid_of, volumes, self._isolation.own_users, shared, self._isolation.told.subordinate_ids
        )
        self._watcher = Watcher(runs)
        self._cleaner = ThreadPoolExecutor(1, "run-cleaner")
        self._endings = Endings(self._launcher, self._watcher.tell)
        self._watched: dict[str, _WatchedTask] = {}
        self._reports: list[TaskEvent] = []
        self._delays: set[TaskDelayed] = set()
        self._lock = threading.RLock()

    # ── the port ─────────────────────────────────────────────────────────────────────────────────────

    def inventory(self) -> Sequence[Node]:
        self._look_again()
        has = self._installed.known()
        return self._reserve.applied(tuple(replace(node, has=has) for node in self._nodes))

    def start(self, order: AttemptOrder) -> None:
        self._await_trees(order)
        fresh: list[str] = []
        refused: dict[str, Reason] = {}
        with self._lock:
            tasks = [task for task in order.tasks if not task.held]
            lacking = self._lacking(order, tasks)
            refusal = self._isolation.networks.refusal(order.network)
            for task in tasks:
                begun = _begun(self._places.task(order.attempt_id, task.name))
                if begun or task.seen:
                    continue
                against: Reason | None
                if refusal:
                    against = StartFailed(task.name, refusal)
                elif lacking is not None:
                    against = _not_copied(task, lacking)
                else:
                    against = self._refusal(order, task)
                if against is not None:
                    refused[task.name] = against
                else:
                    # All of the gang is made ready before any of it is launched.
                    self._prepare(order, task)
                    fresh.append(f"{order.attempt_id}/{task.name}")
            for task in tasks:
                watched = self._watch(order, task)
                lost = _lost(watched) if task.seen and not _begun(watched.folder) else None
                why = refused.get(task.name) or lost
                if why is not None:
                    self._end(watched, TaskEnded(order.attempt_id, task.name, self._clock.now(), why))
                self._watcher.tell(watched.name)
        if fresh:
            self._ask(fresh)

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        unborn: list[str] = []
        with self._lock:
            for task in order.tasks:
                watched = self._watch(order, task)
                if (watched.folder / supervision.TASK_FILE).exists():
                    with _our_errors(watched.name):
                        supervision.request_stop(str(watched.folder), grace_ms, "stopped")
                    watched.end_by = min(
                        watched.end_by or sys.maxsize, self._clock.now() + grace_ms + NO_RESPONSE_MS
                    )
                    if not _begun(watched.folder):
                        unborn.append(watched.name)
                else:
                    reason = _lost(watched) if task.seen else NeverStarted(task.name)
                    self._end(watched, TaskEnded(order.attempt_id, task.name, self._clock.now(), reason))
                self._watcher.tell(watched.name)
        if unborn:
            # Its supervisor may be on its way: one that finds the order to stop records that it never started.
            self._ask(unborn)

    def events(self) -> Sequence[TaskEvent]:
        news, everywhere = self._watcher.take()
        with self._lock:
            for name in list(self._watched) if everywhere else sorted(news):
                watched = self._watched.get(name)
                if watched is not None:
                    self._reports += self._look(watched)
            reports, self._reports = self._reports, []
        return reports

    def listen(self, wake: Callable[[], None]) -> None:
        self._watcher.listen(wake)
        if self._copies is not None:
            self._copies.listen(lambda: wake())

    def forget(self, attempt_id: str) -> None:
        with self._lock:
            for name in [name for name in self._watched if name.startswith(f"{attempt_id}/")]:
                del self._watched[name]
            self._delays = {one for one in self._delays if one.attempt_id != attempt_id}
        self._cleaner.submit(self._remove, self._places.runs / attempt_id)
        if self._copies is not None:
            self._cleaner.submit(self._copies.drop, attempt_id)

    def sweep(self, keep: Collection[str]) -> None:
        if self._copies is not None:
            self._copies.sweep(keep)
        for folder in self._places.runs.iterdir():
            if folder.is_dir() and folder.name not in keep:
                self._cleaner.submit(self._clear_away, folder)

    def close(self) -> None:
        self._watcher.close()
        self._endings.close()
        self.listeners.close()
        self._cleaner.shutdown(wait=True)

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Shell:
        return await LocalShell.open(self._places.task(attempt_id, task.run), argv, tty)

    async def connect(self, attempt_id: str, task: Task, port: int) -> Connection:
        """Tasks of one job are told apart by the address of their node, those of two by their networks."""
        enter = functools.partial(self._launcher.enter, f"{attempt_id}/{task.run}")
        return await LocalConnection.open(task.name, task.address, port, enter)

    def stacks(self, attempt_id: str, task: Task) -> str:
        return read_stacks(self._places.task(attempt_id, task.run), task.name, self._host.path)

    def _look_again(self) -> None:
        """Tasks that cannot start for want of a sandbox start as soon as there is one; nodes say so too."""
        with self._lock:
            now = self._clock.now()
            if self._isolation.told.form is not IsolationForm.BLOCKED or now < self._next_look:
                return
            self._next_look = now + _LOOK_AGAIN_MS
            with contextlib.suppress(Unavailable):
                found = self._choose(self._launcher.ensure())
                if found.told != self._isolation.told:
                    self._isolation, self._nodes = found, _telling(self._nodes, found)

    # ── tasks ────────────────────────────────────────────────────────────────────────────────────────

    def _watch(self, order: AttemptOrder, task: TaskOrder) -> _WatchedTask:
        name = f"{order.attempt_id}/{task.name}"
        if name not in self._watched:
            folder = self._places.task(order.attempt_id, task.name)
            self._watched[name] = _WatchedTask(order.attempt_id, task, folder, self._clock.now())
        return self._watched[name]

    def _mounts(self, attempt_id: str) -> LocalMounts:
        return LocalMounts(
            self._volume_data,
            self._trees,
            self._isolation.bubblewrap,
            self._isolation.own_users,
            self._copies,
            attempt_id,
        )

    def _lacking(self, order: AttemptOrder, tasks: Sequence[TaskOrder]) -> CopyFailed | None:
        """Why the buckets of an attempt that is to begin cannot be copied here; NotYet while they are on their way."""
        buckets = [CopyOf(one.volume, one.below) for one in order.mounts if one.bucket]
        unborn = [
            task.name
            for task in tasks
            if not task.seen and not _begun(self._places.task(order.attempt_id, task.name))
        ]
        if not buckets or not unborn:
            return None
        if self._copies is None:
            return CopyFailed("no_buckets")
        try:
            waiting = self._copies.want(order.attempt_id, buckets)
        except CopyFailed as failed:
            return failed
        if waiting is None:
            return None
        step = "bucket_fetched" if waiting.size else "bucket_listed"
        told = [TaskDelayed(order.attempt_id, name, step, "", *waiting) for name in unborn]
        self._reports += [one for one in told if one not in self._delays]
        self._delays.update(told)
        raise NotYet(order.attempt_id)

    def _await_trees(self, order: AttemptOrder) -> None:
        """NotYet while versions that new tasks mount are made ready; other tasks do not wait for them."""
        fresh = [
            task
            for task in order.tasks
            if not task.held and not task.seen and not _begun(self._places.task(order.attempt_id, task.name))
        ]
        missing = [mount for mount in order.mounts if mount.tree and not self._trees.ready(mount.tree)]
        if not fresh or not missing or not self._isolation.bubblewrap:
            return
        troubles = [self._prepare_tree(order.attempt_id, mount) for mount in missing]
        with self._lock:
            for task in fresh:
                event = TaskDelayed(order.attempt_id, task.name, next(filter(None, troubles), "dataset"))
                if event not in self._delays:
                    self._delays.add(event)
                    self._reports.append(event)
        raise NotYet(order.attempt_id)

    def _prepare_tree(self, attempt_id: str, mount: MountOrder) -> str | None:
        why = self._trees.prepare(mount.tree, lambda: self._watcher.tell(attempt_id))
        return None if why is None else f"{mount.title}: {why}"

    def _refusal(self, order: AttemptOrder, task: TaskOrder) -> Reason | None:
        """Why a task may not start, as its person or with its mounts."""
        shared = self._users.refusal(order.owner, task.name, task.node)
        if shared is not None or not order.mounts:
            return shared
        shown = shown_to(order, task, self._places, self._host)
        return self._mounts(order.attempt_id).refusal(order, task.name, task.node, shown)

    def _prepare(self, order: AttemptOrder, task: TaskOrder) -> None:
        try:
            with _our_errors(order.attempt_id):
                user, cards = self._users.user(order.owner), real_cards(self._nodes, task)
                mounts, folder = (
                    self._mounts(order.attempt_id),
                    self._places.task(order.attempt_id, task.name),
                )
                if user is not None and (groups := mounts.groups(order.mounts)):
                    user["groups"] = groups
                folder.mkdir(parents=True, exist_ok=True)
                binds = mounts.binds(order.mounts, folder)
                write_task(order, task, self._places, self._host, self._isolation, user, cards, binds)
        except Unavailable as error:
            self._reports.append(TaskDelayed(order.attempt_id, task.name, error.detail, error.text.zh))
            raise

    def _ask(self, names: list[str]) -> None:
        for name, trouble in zip(names, self._launcher.start(names), strict=True):
            with self._lock:
                watched = self._watched.get(name)
                if trouble is not None and watched is not None:
                    failed = StartFailed(watched.task.name, trouble)
                    self._end(
                        watched, TaskEnded(watched.attempt_id, watched.task.name, self._clock.now(), failed)
                    )

    def _look(self, watched: _WatchedTask) -> Iterator[TaskEvent]:
        """What is new in a task's status; a supervisor gone without an exit record is a task lost."""
        alive = supervision.is_alive(str(watched.folder))
        # Read after the look at the lock: an exit record is always written before the lock is let go.
        records, offset = supervision.read_status(str(watched.folder), watched.offset)
        read, watched.offset = offset - watched.offset, offset
        for record in records:
            event = event_of(watched.attempt_id, watched.task.name, watched.task.resources.memory, record)
            if isinstance(event, TaskEnded):
                self._watched.pop(watched.name, None)
            if event is not None:
                yield event
        if watched.name not in self._watched:
            return
        if alive:
            self._hold_to_its_time(watched)
            if read > supervision.STATUS_AT_ONCE // 2:
                self._watcher.tell(watched.name)  # there may be more
        elif read:
            # There may be more; and its supervisor may have come between the two looks: only one that was there can
            # be gone.
            yield from self._look(watched)
        elif watched.offset > 0:
            yield from self._lose(watched)
        else:
            yield from self._miss(watched)

    def _hold_to_its_time(self, watched: _WatchedTask) -> None:
        if watched.end_by is not None and self._clock.now() > watched.end_by:
            self._endings.end(watched.name)

    def _lose(self, watched: _WatchedTask) -> Iterator[TaskEvent]:
        """Its supervisor died. What it left must be ended before anybody else gets its place."""
        if self._endings.is_swept(watched.name):
            now = self._clock.now()
            self._watched.pop(watched.name, None)
            yield from untold_save(watched.attempt_id, watched.task.name, watched.folder, now)
            yield TaskEnded(watched.attempt_id, watched.task.name, now, _lost(watched))

    def _miss(self, watched: _WatchedTask) -> Iterator[TaskEvent]:
        """It was asked for, and no supervisor ever came."""
        now = self._clock.now()
        if now - watched.asked_at <= _SILENCE_MS:
            return
        if watched.asks >= _ASKS:
            self._watched.pop(watched.name, None)
            silent = StartFailed(watched.task.name, "its supervisor did not start; see runs/launcher.log")
            yield TaskEnded(watched.attempt_id, watched.task.name, now, silent)
        else:
            watched.asks, watched.asked_at = watched.asks + 1, now
            self._ask([watched.name])

    def _clear_away(self, folder: Path) -> None:
        """End what still runs of an attempt nobody knows, and remove its traces; the cleaner's work."""
        tasks = [task for task in folder.iterdir() if task.is_dir()]
        for task in tasks:
            with contextlib.suppress(OSError):
                supervision.request_stop(str(task), 0, "swept")
        _await_end(tasks)
        try:
            self._launcher.end([f"{folder.name}/{task.name}" for task in tasks])
        except Unavailable as error:
            log.warning("remaining processes of %s could not be ended: %s", folder.name, error.detail)
        else:
            self._remove(folder)

    def _remove(self, folder: Path) -> None:
        """Of an attempt that has ended; its results are put away first."""
        try:
            if folder.is_dir():
                self._put_away(folder)
        except OSError as error:
            log.warning("the results of %s could not be kept: %s", folder.name, error)
        shutil.rmtree(folder, ignore_errors=True)

    def _end(self, watched: _WatchedTask, event: TaskEnded) -> None:
        self._watched.pop(watched.name, None)
        self._reports.append(event)
        self._watcher.tell(watched.name)


@contextlib.contextmanager
def _our_errors(what: str) -> Iterator[None]:
    """The machine's refusals in our words; all of them may pass, so that what was wanted is tried again."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise (DiskFull if full else Unavailable)(same(f"{what}: {error.strerror}")) from error


def _telling(nodes: Iterable[Node], isolation: IsolationChoice) -> tuple[Node, ...]:
    here = {CLUSTER_LABEL: LOCAL_CLUSTER}
    return tuple(replace(node, isolation=isolation.told, labels={**node.labels, **here}) for node in nodes)


def _not_copied(task: TaskOrder, lacking: CopyFailed) -> BucketNotCopied:
    told = lacking.told
    return BucketNotCopied(task.name, lacking.code, lacking.size, lacking.bound, told.en, told.zh, task.node)


def _begun(folder: Path) -> bool:
    """Whether a supervisor ever started the task."""
    try:
        return (folder / supervision.STATUS_FILE).stat().st_size > 0
    except OSError:
        return supervision.is_alive(str(folder))


def _lost(watched: _WatchedTask) -> NodeLost:
    return NodeLost(watched.task.name, watched.task.node)


def _await_end(tasks: list[Path]) -> None:
    """Until their supervisors are gone, for some seconds."""
    waiting = threading.Event()
    for _ in range(NO_RESPONSE_MS // 100):
        if not any(supervision.is_alive(str(task)) for task in tasks):
            return
        waiting.wait(0.1)
