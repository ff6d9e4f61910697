"""Takes imports from transfer to transfer, while this process leads, and in the end makes snapshots of them.

All that it knows is in the store: after whatever end of the process, the next one goes on. A transfer's id is in the
act before the transfer is created, and an act becomes a snapshot in one write."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from danlu.control.recipes.imports import current
from danlu.control.recipes.parts import wish_of
from danlu.control.transfers.ends import checked_ends
from danlu.control.transfers.transfers import cancelled
from danlu.control.volumes.files import VolumeFiles
from danlu.domain.datasets.dataset import OPEN_ACTS, Act, ActKind, ActProgress, ActState, ImportPart
from danlu.domain.errors import Conflict, Invalid, NotAllowed, NotFound, NotLeader
from danlu.domain.permissions import Caller
from danlu.domain.terms import no_such
from danlu.domain.transfers.transfer import Transfer, TransferEnd, TransferState, TransferWish
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.transfers import TransferStore

log = logging.getLogger(__name__)

_LOOK_S = 0.5
S = TransferState


class ImportStore(DatasetStore, TransferStore, Protocol):
    """The parts of the store that are needed here."""


class ImportRunner:
    """`as_person` is whom an import is done as, None for accounts that are gone."""

    def __init__(
        self, store: ImportStore, files: VolumeFiles, as_person: Callable[[str], Caller | None], clock: Clock
    ) -> None:
        self._store, self._files, self._as_person, self._clock = store, files, as_person, clock

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self.round()
            except NotLeader as error:
                log.warning("imports are left to who leads: %s", error.detail)
            except Exception:
                log.exception("imports could not be looked after; trying again")
            stop.wait(_LOOK_S)

    def round(self) -> None:
        for act in self._store.open_acts():
            if act.kind is ActKind.IMPORT:
                self._step(act)

    def _step(self, act: Act) -> None:
        part = current(act)
        if part is None:
            far = ActProgress(parts=act.progress.parts)
            snapshot = replace(act, kind=ActKind.SNAPSHOT, state=ActState.WAITING, progress=far)
            self._store.save_act(snapshot)
            return
        transfer = self._store.transfer(part.transfer)
        if transfer is None:
            self._begin(act, part)
        elif transfer.state is S.COMPLETED:
            self._store.save_act(replace(act, progress=ActProgress(parts=act.progress.parts + 1)))
        elif transfer.state is S.CANCELLED:
            self._over(act, ActState.CANCELLED, None)
        elif transfer.state is S.FAILED:
            why = transfer.problem.text if transfer.problem else _FAILED
            self._over(act, ActState.FAILED, why)
        else:
            self._show(act, transfer)

    def _begin(self, act: Act, part: ImportPart) -> None:
        """The act is written first: one that is over by then begins nothing."""
        try:
            made = self._ordered(act, part)
        except (NotFound, NotAllowed, Conflict, Invalid) as refused:
            self._over(act, ActState.FAILED, refused.text)
            return
        now = self._clock.now()
        if not self._store.save_act(replace(act, state=ActState.RUNNING, began_at=act.began_at or now)):
            return
        self._store.add_transfer(made, now, by=None)
        known = self._store.act(act.id)
        if known is None or known.state not in OPEN_ACTS:  # cancelled just now
            self._store.edit_transfer(made.id, lambda one: cancelled(one, now), now)

    def _ordered(self, act: Act, part: ImportPart) -> Transfer:
        person = self._as_person(act.by)
        if person is None or person.user.disabled:
            raise NotFound(no_such("user", act.by))
        told, imported = wish_of(part), act.wish.imported
        now = self._clock.now()
        if part.source:
            plain = replace(told, md5="", nested=False)
            source, target = checked_ends(self._files, person, part.source, part.target, plain)
            return Transfer(part.transfer, act.by, source, target, told, now, now, login=imported.login)
        written = TransferEnd(TransferEnd.RECIPE, imported.recipe, str(imported.stand_in).encode())
        _, target = checked_ends(self._files, person, _ANYWHERE, part.target, TransferWish())
        return Transfer(part.transfer, act.by, written, target, told, now, now)

    def _show(self, act: Act, transfer: Transfer) -> None:
        """How far the transfer is, as the act's own progress."""
        far = transfer.progress
        now = replace(act.progress, files=far.files, bytes=far.bytes, bytes_total=far.bytes_total)
        if now != act.progress:
            self._store.save_act(replace(act, progress=now))

    def _over(self, act: Act, state: ActState, why: Words | None) -> None:
        error = None if why is None else (why.en, why.zh)
        self._store.save_act(replace(act, state=state, ended_at=self._clock.now(), error=error))


_ANYWHERE = "https://localhost/"
"""Any source: only the target is looked at."""
_FAILED = Words("its transfer failed", "传输失败")
