"""Carries transfers out, while this process leads: claims what is queued, watches its workers, tries again.

A transfer is begun by one process at a time. The claim is a guarded write of the leader; the worker holds a lock on the
transfer's room besides, and dies with whoever started it. So a new leader takes what was running for queued again.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.control.transfers.ends import opened_end
from danlu.control.transfers.schedules import DueSchedules
from danlu.control.volumes.files import FilesOfVolume, VolumeFiles
from danlu.domain.errors import DanluError, NotFound, NotLeader
from danlu.domain.file_names import escaped_path
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.transfers.problems import Problem, TransferStopped
from danlu.domain.transfers.transfer import (
    Transfer,
    TransferEnd,
    TransferProgress,
    TransferState,
    WebLogin,
)
from danlu.ports.clock import Clock, Ids
from danlu.ports.files import PlaceBelow
from danlu.ports.results import RunKey
from danlu.ports.transfers import (
    Logins,
    OrderEnd,
    ScheduleStore,
    TransferOrder,
    TransferRun,
    TransferStore,
    TransferWorkers,
)
from danlu.ports.volumes.changing import IN_BUCKET, VolumeFolders

log = logging.getLogger(__name__)

_ROUND_S = 0.5
_SHOWN_EVERY: Time = 1_000
_ACCESS_EVERY: Time = 30_000
_HOUSEKEEPING_EVERY: Time = 60_000
_FIRST_PAUSE: Time = 5_000
_LONGEST_PAUSE: Time = 600_000
MOST_ATTEMPTS = 8
KEPT: Time = 30 * 86_400_000
"""How long the record of a transfer is kept after its end."""
S = TransferState


class StoreOfTransfers(TransferStore, ScheduleStore, Protocol):
    """The parts of the store that are needed here."""


@dataclass(frozen=True, slots=True)
class TransferBounds:
    """How many run at once, in all and of one person."""

    at_once: int
    per_person: int


@dataclass(slots=True)
class _Watched:
    """A worker, and when what it tells was last written, and its owner's access last looked at."""

    order: TransferOrder
    owner: str
    run: TransferRun
    at: VolumeFolders
    shown: TransferProgress
    shown_at: Time
    allowed_at: Time


class NotBegun(Exception):
    """Its owner may not, or no longer, or there is no room."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


class TransferRunner:
    """`as_owner` tells as whom a transfer acts, None for accounts that are gone; `left` where what a task left was put
    away. `run` belongs to one thread, which lives as long as its workers."""

    def __init__(
        self,
        store: StoreOfTransfers,
        files: VolumeFiles,
        workers: TransferWorkers,
        logins: Logins,
        as_owner: Callable[[str], Caller | None],
        bounds: TransferBounds,
        clock: Clock,
        ids: Ids,
        left: Callable[[RunKey], PlaceBelow | None] = lambda _: None,
    ) -> None:
        self._left = left
        self._store, self._files, self._workers, self._logins = store, files, workers, logins
        self._as_owner, self._bounds, self._clock = as_owner, bounds, clock
        self._due = DueSchedules(store, clock, ids)
        self._watched: dict[str, _Watched] = {}
        self._adopted = False
        self._tidied_at: Time = 0

    def run(self, stop: threading.Event) -> None:
        """Until told to stop; then no worker of it is left."""
        try:
            while not stop.is_set():
                try:
                    self.round()
                except NotLeader as error:
                    log.warning("transfers are left to who leads: %s", error.detail)
                    self._let_go()
                except DanluError as error:
                    log.warning("transfers could not be looked after, trying again: %s", error.detail)
                except Exception:
                    log.exception("transfers could not be looked after; trying again")
                stop.wait(_ROUND_S)
        finally:
            self._let_go()

    def round(self) -> None:
        now = self._clock.now()
        known = self._store.unfinished_transfers()
        if not self._adopted:
            known = [self._taken_back(one) for one in known]
            self._adopted = True
        self._look_after({one.id: one for one in known}, now)
        self._due.round()
        self._begin_more(self._store.unfinished_transfers(), now)
        if now - self._tidied_at >= _HOUSEKEEPING_EVERY:
            self._tidied_at = now
            self._store.forget_transfers(now - KEPT)

    def _let_go(self) -> None:
        """No worker is left; what they did is taken back by who leads next, which may be this process again."""
        for one in self._watched.values():
            one.run.stop()
        self._watched.clear()
        self._adopted = False

    # ── those that run ───────────────────────────────────────────────────────────────────────────────

    def _look_after(self, known: dict[str, Transfer], now: Time) -> None:
        for transfer_id, watched in list(self._watched.items()):
            one = known.get(transfer_id)
            if one is None or one.cancelling:
                watched.run.stop()
                self._over(transfer_id, watched, S.CANCELLED, None)
            elif watched.run.ended():
                self._ended(one, watched, now)
            elif now - watched.allowed_at >= _ACCESS_EVERY and (refused := self._refusal(one)):
                watched.run.stop()
                self._over(transfer_id, watched, S.FAILED, refused)
            else:
                self._show(transfer_id, watched, now)
        for one in known.values():
            if one.cancelling and one.id not in self._watched and one.state in (S.QUEUED, S.RUNNING):
                self._edit(one.id, lambda it: _closed(it, S.CANCELLED, None, self._clock.now()))

    def _ended(self, one: Transfer, watched: _Watched, now: Time) -> None:
        problem = watched.run.problem()
        if problem is None:
            self._over(one.id, watched, S.COMPLETED, None)
            self._workers.tidy(one.id, watched.at)
            return
        if not problem.kind.retried or one.attempts >= MOST_ATTEMPTS:
            self._over(one.id, watched, S.FAILED, problem)
            return
        pause = min(_FIRST_PAUSE * 2 ** (one.attempts - 1), _LONGEST_PAUSE)
        log.info("transfer %s is tried again in %d s: %s", one.id, pause // 1000, problem.text.en)
        del self._watched[one.id]
        progress = watched.run.progress()
        self._edit(one.id, lambda it: _waiting(it, progress, problem, now + pause))

    def _over(
        self, transfer_id: str, watched: _Watched, state: TransferState, problem: Problem | None
    ) -> None:
        del self._watched[transfer_id]
        progress = replace(watched.run.progress(), rate=0)
        now = self._clock.now()
        self._edit(transfer_id, lambda one: _closed(replace(one, progress=progress), state, problem, now))

    def _show(self, transfer_id: str, watched: _Watched, now: Time) -> None:
        progress = watched.run.progress()
        if progress == watched.shown or now - watched.shown_at < _SHOWN_EVERY:
            return
        watched.shown, watched.shown_at = progress, now
        self._edit(transfer_id, lambda one: replace(one, progress=progress))

    def _refusal(self, one: Transfer) -> Problem | None:
        self._watched[one.id].allowed_at = self._clock.now()
        try:
            self._opened(one)
        except NotBegun as refused:
            return refused.problem
        return None

    # ── those that wait ──────────────────────────────────────────────────────────────────────────────

    def _begin_more(self, known: list[Transfer], now: Time) -> None:
        running = Counter(watched.owner for watched in self._watched.values())
        for one in known:
            if running.total() >= self._bounds.at_once:
                return
            due = one.state is S.QUEUED and not one.cancelling and (one.not_before or 0) <= now
            if due and one.id not in self._watched and running[one.owner] < self._bounds.per_person:
                running[one.owner] += self._begin(one, now)

    def _begin(self, one: Transfer, now: Time) -> bool:
        """Whether it runs now."""
        claimed = self._edit(one.id, lambda it: _claimed(it, now))
        if claimed is None or claimed.state is not S.RUNNING:
            return False
        try:
            order, at = self._ordered(claimed)
            run = self._workers.start(order)
        except (NotBegun, TransferStopped) as refused:
            problem = refused.problem
            self._edit(one.id, lambda it: _closed(it, S.FAILED, problem, now))
            return False
        self._watched[one.id] = _Watched(order, one.owner, run, at, run.progress(), now, now)
        return True

    def _ordered(self, one: Transfer) -> tuple[TransferOrder, VolumeFolders]:
        source, target = self._opened(one)
        assert target is not None
        login: WebLogin | None = None
        if one.login is not None:
            login = self._logins.opened(one.login)
            if login is None:
                raise NotBegun(Problem("login_missing"))
        order = TransferOrder(
            one.id,
            self._order_end(one.source, source),
            self._order_end(one.target, target),
            one.wish,
            target.left,
            target.bound or 0,
            login,
        )
        return order, target.at

    def _order_end(self, end: TransferEnd, opened: FilesOfVolume | None) -> OrderEnd:
        if end.kind == TransferEnd.JOB:
            return self._left_end(end)
        if opened is None:
            return OrderEnd(end)
        if not opened.at.files.startswith(IN_BUCKET):
            return OrderEnd(end, opened.open)
        try:
            address, key = self._files.bucket(end.address)
        except DanluError as error:
            raise NotBegun(_no_access(end, error)) from None
        return OrderEnd(end, None, address, key)

    def _left_end(self, end: TransferEnd) -> OrderEnd:
        """What a task left is read where it was put away: there nothing moves it any more."""
        job_id, attempt, run = end.address.split("/")
        left = self._left(RunKey(job_id, int(attempt), run))
        if left is None:
            raise NotBegun(Problem("nothing_there", {"path": escaped_path(end.path)}))
        return OrderEnd(end, left=left)

    def _opened(self, one: Transfer) -> tuple[FilesOfVolume | None, FilesOfVolume | None]:
        """Its ends, as its owner may use them now: NotBegun."""
        owner = self._as_owner(one.owner)
        if owner is None or owner.user.disabled:
            raise NotBegun(Problem("owner_gone", {"owner": one.owner}))
        return (
            self._opened_end(owner, one.source, write=False),
            self._opened_end(owner, one.target, write=True),
        )

    def _opened_end(self, owner: Caller, end: TransferEnd, *, write: bool) -> FilesOfVolume | None:
        try:
            owner.require(Permission.TRANSFER_WRITE, owner.name)
            return opened_end(self._files, owner, end, write=write)
        except DanluError as error:
            raise NotBegun(_no_access(end, error)) from None

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _taken_back(self, one: Transfer) -> Transfer:
        """Of a former leader, whose workers went with it."""
        if one.state is not S.RUNNING:
            return one
        return self._edit(one.id, _requeued) or one

    def _edit(self, transfer_id: str, change: Callable[[Transfer], Transfer]) -> Transfer | None:
        """None where it is gone."""
        try:
            return self._store.edit_transfer(transfer_id, change, self._clock.now())
        except NotFound:
            return None


def _no_access(end: TransferEnd, error: DanluError) -> Problem:
    return TransferStopped("no_access", volume=end.title, why=error.text).problem


def _claimed(one: Transfer, now: Time) -> Transfer:
    if one.state is not S.QUEUED or one.cancelling:
        return one
    return replace(
        one,
        state=S.RUNNING,
        attempts=one.attempts + 1,
        started_at=one.started_at or now,
        not_before=None,
    )


def _requeued(one: Transfer) -> Transfer:
    return replace(one, state=S.QUEUED, not_before=None) if one.state is S.RUNNING else one


def _waiting(one: Transfer, progress: TransferProgress, problem: Problem, until: Time) -> Transfer:
    if not one.unfinished:
        return one
    waits = replace(progress, rate=0)
    return replace(one, state=S.QUEUED, progress=waits, problem=problem, not_before=until)


def _closed(one: Transfer, state: TransferState, problem: Problem | None, now: Time) -> Transfer:
    if not one.unfinished:
        return one
    return replace(one, state=state, problem=problem, ended_at=now, cancelling=False, not_before=None)
