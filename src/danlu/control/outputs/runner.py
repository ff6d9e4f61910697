"""Keeps what jobs left, while this process leads: has a version made of it, or a transfer copy it.

Every step is one write, and follows from what is stored: what makes an output has its id before it is begun, so that
whoever goes on, after any crash, begins it if it is missing and otherwise waits for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from danlu.control.datasets.datasets import Datasets
from danlu.domain.datasets.dataset import Act, ActKind, ActState, ActWish, SourcePlace
from danlu.domain.errors import DanluError, NotFound, NotLeader
from danlu.domain.events import Event, OutputFailed, OutputMade
from danlu.domain.file_names import escaped_path
from danlu.domain.job import Time, attempt_id
from danlu.domain.outputs.made import JobOutput, OutputState
from danlu.domain.outputs.problems import OutputProblem, of_act, output_problem
from danlu.domain.permissions import Caller
from danlu.domain.transfers.ends import read_end
from danlu.domain.transfers.transfer import Transfer, TransferEnd, TransferState, TransferWish
from danlu.domain.words import Words
from danlu.ports.clock import Clock, Ids
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.files import EntryKind, Files, PlaceBelow
from danlu.ports.outputs import OutputStore
from danlu.ports.results import Results, RunKey
from danlu.ports.transfers import TransferStore

log = logging.getLogger(__name__)

_LOOK_S = 0.5
S = OutputState
_INTERNAL = Words("internal error; see the server's log", "内部错误，请查看服务端日志")


class StoreOfOutputs(OutputStore, DatasetStore, TransferStore, Protocol):
    """The parts of the store that are needed here."""


def _is_same(now: JobOutput, then: JobOutput) -> bool:
    return (now.state, now.work) == (then.state, then.work)


class Unkept(Exception):
    """An output that cannot be made as things are."""

    def __init__(self, problem: OutputProblem) -> None:
        super().__init__(problem.code)
        self.problem = problem


class OutputRunner:
    """`as_owner` is whom an output is made as: what they may not write to by then is not written."""

    def __init__(
        self,
        store: StoreOfOutputs,
        datasets: Datasets,
        results: Results,
        files: Files,
        as_owner: Callable[[str], Caller | None],
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store, self._datasets, self._results, self._files = store, datasets, results, files
        self._as_owner, self._clock, self._ids = as_owner, clock, ids

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self.round()
            except NotLeader as error:
                log.warning("outputs are left to who leads: %s", error.detail)
            except Exception:
                log.exception("outputs of jobs could not be looked after; trying again")
            stop.wait(_LOOK_S)

    def round(self) -> None:
        """One step of each; what one of them meets keeps no other waiting."""
        for one in self._store.open_outputs():
            try:
                self._step(one)
            except NotLeader:
                raise
            except Unkept as refused:
                self._fail(one, refused.problem)
            except NotFound:
                continue  # it is gone, with its job
            except DanluError as error:
                log.warning("output %s is tried again: %s", one.id, error.detail)
            except Exception:  # what cannot be made must not keep others waiting, and is not tried for ever
                log.exception("output %s failed", one.id)
                self._fail(one, output_problem("internal", why=_INTERNAL))

    def _step(self, one: JobOutput) -> None:
        if one.state is S.PENDING:
            self._choose(one)
        elif one.wish.dataset:
            self._version(one)
        else:
            self._copy(one)

    # ── before ───────────────────────────────────────────────────────────────────────────────────────

    def _choose(self, one: JobOutput) -> None:
        """Once what the task left has been put away, where nothing writes to it and nothing moves it any more."""
        if not one.run:
            raise Unkept(output_problem("no_task", task=one.wish.task))
        key = RunKey(one.job_id, one.attempt, one.run)
        kept = self._results.shelved(key)
        if kept is None:
            if self._results.work(key) is None:
                raise Unkept(output_problem("not_kept", task=one.run))
            return
        self._look(one, kept.below(one.wish.path.encode()))
        work = self._ids.new()
        self._edit(one, lambda it: replace(it, state=S.MAKING, work=work) if it.state is S.PENDING else it)

    def _look(self, one: JobOutput, place: PlaceBelow) -> None:
        """Told in the words of outputs; whoever makes it looks for itself."""
        try:
            kind = self._files.look_at(place).kind
        except OSError as error:
            code = "link" if isinstance(error, NotADirectoryError) else "nothing_there"
            raise Unkept(output_problem(code, path=one.wish.path)) from None
        if kind not in (EntryKind.FILE, EntryKind.FOLDER):
            raise Unkept(output_problem("link", path=one.wish.path))
        if kind is EntryKind.FILE and one.wish.dataset:
            raise Unkept(output_problem("not_a_folder", path=one.wish.path))

    def _owner(self, one: JobOutput) -> Caller:
        owner = self._as_owner(one.owner)
        if owner is None or owner.user.disabled:
            raise Unkept(output_problem("owner_gone", owner=one.owner))
        return owner

    # ── a version ────────────────────────────────────────────────────────────────────────────────────

    def _version(self, one: JobOutput) -> None:
        act = self._store.act(one.work)
        if act is None:
            self._begin_act(one)
        elif act.state is ActState.DONE:
            done = replace(one, number=act.number, files=act.progress.files, bytes=act.progress.bytes)
            self._finish(done)
        elif act.state is ActState.CANCELLED:
            raise Unkept(output_problem("cancelled"))
        elif act.state is ActState.FAILED:
            raise Unkept(of_act(one.wish.dataset, act.failure, act.error))

    def _begin_act(self, one: JobOutput) -> None:
        owner, wish = self._owner(one), one.wish
        try:
            self._datasets.usable(owner, wish.id, write=True)
        except DanluError as error:
            raise Unkept(output_problem("no_dataset", name=wish.dataset, why=error.text)) from None
        source = SourcePlace(
            title=one.job, path=escaped_path(wish.path.encode()), attempt=one.attempt, run=one.run
        )
        asked = ActWish(source, (wish.tag,) if wish.tag else (), job_id=one.job_id, job=one.job)
        now = self._clock.now()
        act = Act(one.work, wish.id, ActKind.SNAPSHOT, one.owner, asked, now)
        try:
            self._store.add_act(act, now, by=owner.entry("snapshot", ""))
        except NotFound as error:  # put in the trash just now
            raise Unkept(output_problem("no_dataset", name=wish.dataset, why=error.text)) from None

    # ── a folder of a volume ─────────────────────────────────────────────────────────────────────────

    def _copy(self, one: JobOutput) -> None:
        transfer = self._store.transfer(one.work)
        if transfer is None:
            self._begin_transfer(one)
        elif transfer.state is TransferState.COMPLETED:
            self._finish(replace(one, files=transfer.progress.files, bytes=transfer.progress.bytes))
        elif transfer.state is TransferState.CANCELLED:
            raise Unkept(output_problem("cancelled"))
        elif transfer.state is TransferState.FAILED:
            problem = transfer.problem
            raise Unkept(
                OutputProblem(problem.code, problem.params) if problem else output_problem("failed", why="?")
            )

    def _begin_transfer(self, one: JobOutput) -> None:
        """Who may write there is looked at by who carries it out."""
        owner, now = self._owner(one), self._clock.now()
        to = read_end(one.wish.to)
        source = TransferEnd(
            TransferEnd.JOB,
            f"{one.job_id}/{one.attempt}/{one.run}",
            one.wish.path.encode(),
            one.job,
        )
        target = replace(to, address=one.wish.id)
        made = Transfer(one.work, one.owner, source, target, TransferWish(), now, now)
        self._store.add_transfer(made, now, by=owner.entry("created", ""))

    # ── after ────────────────────────────────────────────────────────────────────────────────────────

    def _finish(self, made: JobOutput) -> None:
        now = self._clock.now()
        done = replace(made, state=S.DONE, ended_at=now, problem=None)
        event = OutputMade(
            attempt_id(made.job_id, made.attempt), made.wish.path, done.target, made.files, made.bytes
        )
        self._end(made, done, now, event)

    def _fail(self, one: JobOutput, problem: OutputProblem) -> None:
        now = self._clock.now()
        failed = replace(one, state=S.FAILED, ended_at=now, problem=problem)
        event = OutputFailed(attempt_id(one.job_id, one.attempt), one.wish.path, one.target, problem)
        self._end(one, failed, now, event)

    def _end(self, one: JobOutput, over: JobOutput, now: Time, event: Event) -> None:
        self._store.edit_output(one, lambda it: over if _is_same(it, one) else it, now, tells=event)

    def _edit(self, one: JobOutput, change: Callable[[JobOutput], JobOutput]) -> None:
        self._store.edit_output(one, change, self._clock.now())
