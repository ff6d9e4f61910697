"""Schedules: transfers that are created again at the times of a cron expression."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from cronsim import CronSim, CronSimError

from danlu.control.transfers.transfers import Transfers
from danlu.domain.errors import FieldError, Invalid, NotFound
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.transfers.transfer import Transfer, TransferSchedule, TransferWish, WebLogin
from danlu.domain.words import Words
from danlu.ports.clock import Clock, Ids
from danlu.ports.transfers import ScheduleStore

MOST_SCHEDULES = 50
_SHORTEST: Time = 60_000
_ALIASES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
P = Permission


class Schedules:
    """The verbs. Any thread; each is one transaction, noted in the audit log with it."""

    def __init__(self, store: ScheduleStore, transfers: Transfers, clock: Clock, ids: Ids) -> None:
        self._store, self._transfers, self._clock, self._ids = store, transfers, clock, ids

    def all(self, caller: Caller, owner: str | None) -> list[TransferSchedule]:
        everybodys = owner is None and caller.may_everywhere(P.TRANSFER_READ)
        wanted = None if everybodys else owner or caller.name
        if wanted is not None:
            caller.require(P.TRANSFER_READ, wanted)
        return self._store.schedules(wanted)

    def get(self, caller: Caller, schedule_id: str) -> TransferSchedule:
        found = self._store.schedule(schedule_id)
        if found is None or not caller.may(P.TRANSFER_READ, found.owner):
            raise NotFound(no_such("schedule", schedule_id))
        return found

    def create(
        self,
        caller: Caller,
        source: str,
        target: str,
        wish: TransferWish,
        cron: str,
        zone: str = "UTC",
        login: WebLogin | None = None,
    ) -> TransferSchedule:
        caller.require(P.TRANSFER_WRITE, caller.name)
        now = self._clock.now()
        due = next_due(cron, zone, now)
        ends = self._transfers.ends(caller, source, target, wish)
        made = TransferSchedule(
            self._ids.new(),
            caller.name,
            *ends,
            wish,
            cron,
            zone,
            now,
            now,
            due_at=due,
            login=self._transfers.sealed(login),
        )
        self._store.add_schedule(made, now, by=caller.entry("created", ""), most=MOST_SCHEDULES)
        return made

    def edit(self, caller: Caller, schedule_id: str, changes: Mapping[str, Any]) -> TransferSchedule:
        """When (`cron`, `zone`), or whether it is `paused`."""
        self._own(caller, schedule_id)
        now = self._clock.now()

        def change(one: TransferSchedule) -> TransferSchedule:
            changed = replace(one, **changes)
            due = next_due(changed.cron, changed.zone, now)
            return replace(changed, due_at=None if changed.paused else due)

        return self._store.edit_schedule(schedule_id, change, now, by=caller.entry("edited", ""))

    def delete(self, caller: Caller, schedule_id: str) -> None:
        """What it has begun goes on."""
        self._own(caller, schedule_id)
        if not self._store.remove_schedule(schedule_id, self._clock.now(), by=caller.entry("deleted", "")):
            raise NotFound(no_such("schedule", schedule_id))

    def _own(self, caller: Caller, schedule_id: str) -> TransferSchedule:
        found = self.get(caller, schedule_id)
        caller.require(P.TRANSFER_WRITE, found.owner)
        return found


def next_due(cron: str, zone: str, after: Time) -> Time:
    """Invalid for what is no time, or comes more often than once a minute."""
    try:
        where = zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise Invalid(
            (FieldError(("zone",), "bad_zone", _NO_ZONE.fill(zone=zone[:100]), zone[:100]),)
        ) from None
    since = datetime.fromtimestamp(after / 1000, UTC).astimezone(where)
    try:
        times = CronSim(_ALIASES.get(cron.strip().lower(), cron), since)
        found = int(next(times).timestamp() * 1000)
        following = int(next(times).timestamp() * 1000)
    except (CronSimError, StopIteration):
        raise Invalid(
            (FieldError(("cron",), "bad_cron", _NO_CRON.fill(cron=cron[:100]), cron[:100]),)
        ) from None
    if following - found < _SHORTEST:
        raise Invalid((FieldError(("cron",), "too_often", _TOO_OFTEN, cron[:100]),))
    return found


class DueSchedules:
    """Creates what is due, while this process leads. What was missed is caught up with once; while a schedule's last
    transfer is on its way there is no second one, which the schedule tells."""

    def __init__(self, store: Any, clock: Clock, ids: Ids) -> None:
        self._store, self._clock, self._ids = store, clock, ids

    def round(self) -> None:
        now = self._clock.now()
        for one in self._store.due_schedules(now):
            last = self._store.transfer(one.last_transfer) if one.last_transfer else None
            busy = last is not None and last.unfinished
            made = Transfer(
                self._ids.new(),
                one.owner,
                one.source,
                one.target,
                one.wish,
                now,
                now,
                schedule=one.id,
                login=one.login,
            )
            # The time comes first: who dies in between transfers once too little rather than twice.
            self._store.edit_schedule(one.id, _advanced(one, now, busy, made.id), now)
            if not busy:
                self._store.add_transfer(made, now, by=None)


def _advanced(one: TransferSchedule, now: Time, busy: bool, made: str) -> Any:
    def change(known: TransferSchedule) -> TransferSchedule:
        return replace(
            known,
            due_at=None if known.paused else next_due(known.cron, known.zone, now),
            last_at=one.due_at,
            last_transfer=known.last_transfer if busy else made,
            last_skipped=busy,
        )

    return change


_NO_ZONE = Words(
    "there is no time zone '{zone}'; write one such as Asia/Shanghai or UTC",
    "没有时区“{zone}”；请写作 Asia/Shanghai 或 UTC 等",
)
_NO_CRON = Words(
    "'{cron}' is no cron expression: minute hour day month weekday, such as 30 2 * * * for every night at 2:30",
    "“{cron}”不是 cron 表达式：分 时 日 月 星期，例如 30 2 * * * 表示每天凌晨 2:30",
)
_TOO_OFTEN = Words("once a minute is the most", "最多每分钟一次")
