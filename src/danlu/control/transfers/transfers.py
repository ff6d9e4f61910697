"""Transfers, as people create, watch, cancel and resume them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from danlu.control.transfers.ends import checked_ends
from danlu.control.volumes.files import VolumeFiles
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.transfers.transfer import (
    Transfer,
    TransferEnd,
    TransferState,
    TransferWish,
    WebLogin,
)
from danlu.domain.words import Words
from danlu.ports.clock import Clock, Ids
from danlu.ports.transfers import Logins, TransferStore

MOST_UNFINISHED = 100
"""How many of one person may wait or run at a time."""
P = Permission


class Transfers:
    """The verbs. Any thread; each is one transaction, noted in the audit log with it. What is created here is begun by
    the runner of whoever leads."""

    def __init__(
        self, store: TransferStore, files: VolumeFiles, logins: Logins, clock: Clock, ids: Ids
    ) -> None:
        self._store, self._files, self._logins = store, files, logins
        self._clock, self._ids = clock, ids

    def all(
        self,
        caller: Caller,
        owner: str | None,
        states: Sequence[TransferState] = (),
        after: str | None = None,
        limit: int = 50,
    ) -> list[Transfer]:
        """The latest first; one's own, of somebody else, or (owner None) of all whose transfers one may read."""
        everybodys = owner is None and caller.may_everywhere(P.TRANSFER_READ)
        wanted = None if everybodys else owner or caller.name
        if wanted is not None:
            caller.require(P.TRANSFER_READ, wanted)
        found: list[Transfer] = []
        while len(found) < limit:
            page = self._store.transfers(wanted, after, limit)
            found += [one for one in page if not states or one.state in states]
            if len(page) < limit:
                break
            after = page[-1].id
        return found[:limit]

    def get(self, caller: Caller, transfer_id: str) -> Transfer:
        found = self._store.transfer(transfer_id)
        if found is None or not caller.may(P.TRANSFER_READ, found.owner):
            raise NotFound(no_such("transfer", transfer_id))
        return found

    def create(
        self, caller: Caller, source: str, target: str, wish: TransferWish, login: WebLogin | None = None
    ) -> Transfer:
        """It acts as its owner, with what they may do at the time it runs."""
        caller.require(P.TRANSFER_WRITE, caller.name)
        ends = checked_ends(self._files, caller, source, target, wish)
        now = self._clock.now()
        made = Transfer(self._ids.new(), caller.name, *ends, wish, now, now, login=self.sealed(login))
        self._store.add_transfer(made, now, by=caller.entry("created", ""), most=MOST_UNFINISHED)
        return made

    def cancel(self, caller: Caller, transfer_id: str) -> Transfer:
        """What is in its place stays there. One that runs is cancelled a moment later."""
        self._own(caller, transfer_id)
        now = self._clock.now()
        by = caller.entry("cancelled", "")
        return self._store.edit_transfer(transfer_id, lambda one: cancelled(one, now), now, by=by)

    def resume(self, caller: Caller, transfer_id: str, login: WebLogin | None = None) -> Transfer:
        """Go on with one that failed or was cancelled; what is there already is not transferred again."""
        known = self._own(caller, transfer_id)
        sealed = self.sealed(login) or known.login
        now = self._clock.now()

        by = caller.entry("resumed", "")
        return self._store.edit_transfer(transfer_id, lambda one: resumed(one, sealed), now, by=by)

    def delete(self, caller: Caller, transfer_id: str) -> None:
        """The record of one that is over; what was transferred stays."""
        self._own(caller, transfer_id)
        if not self._store.remove_transfer(transfer_id, self._clock.now(), by=caller.entry("deleted", "")):
            raise NotFound(no_such("transfer", transfer_id))

    # ── for schedules ────────────────────────────────────────────────────────────────────────────────

    def ends(
        self, caller: Caller, source: str, target: str, wish: TransferWish
    ) -> tuple[TransferEnd, TransferEnd]:
        return checked_ends(self._files, caller, source, target, wish)

    def sealed(self, login: WebLogin | None) -> str | None:
        return None if login is None else self._logins.seal(login)

    def _own(self, caller: Caller, transfer_id: str) -> Transfer:
        found = self.get(caller, transfer_id)
        caller.require(P.TRANSFER_WRITE, found.owner)
        return found


def cancelled(one: Transfer, now: Time) -> Transfer:
    """Conflict when it is over."""
    if one.state is TransferState.RUNNING:
        return replace(one, cancelling=True)
    if one.state is TransferState.QUEUED:
        return replace(one, state=TransferState.CANCELLED, ended_at=now, not_before=None)
    raise Conflict(_OVER.fill(state=one.state.value))


def resumed(one: Transfer, login: str | None) -> Transfer:
    """Conflict unless it failed or was cancelled."""
    if one.state not in (TransferState.FAILED, TransferState.CANCELLED):
        raise Conflict(_NOT_OVER)
    return replace(one.begun_again(), login=login)


_OVER = Words(
    "the transfer is over already ({state}); there is nothing to cancel", "传输已结束（{state}），无需取消"
)
_NOT_OVER = Words(
    "only a transfer that failed or was cancelled can be resumed; this one goes on by itself, or is complete",
    "只有失败或已取消的传输可以继续；该传输会自动进行，或已完成",
)
