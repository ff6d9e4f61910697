"""Members of projects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, func, insert, select

from danlu.domain.audit import Entry
from danlu.domain.events import MemberChanged
from danlu.domain.job import Time
from danlu.domain.members import MemberRole, Membership
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.forgetting import when_person_goes, when_project_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import members

_ALL = select(members.c.project, members.c.user, members.c.role, members.c.since, members.c.by)
_RANK = case({role.value: rank for rank, role in enumerate(MemberRole)}, value=members.c.role, else_=9)
_OF_PROJECT = _ALL.where(members.c.project == bindparam("of")).order_by(_RANK, members.c.user)
_OF_USER = _ALL.where(members.c.user == bindparam("person")).order_by(members.c.project)
_COUNTS = select(members.c.project, func.count().label("members")).group_by(members.c.project)
_INSERT = insert(members)
_DELETE = delete(members).where(members.c.project == bindparam("of"), members.c.user == bindparam("person"))
_FORGET = delete(members).where(members.c.project == bindparam("of"))
_ORDER = tuple(MemberRole)


class SqlMembers(StorePart):
    """Implements ports.governance.MemberStore."""

    def members(self, project: str) -> tuple[Membership, ...]:
        with self._database.reading() as connection:
            return _read(connection, project)

    def memberships(self, user: str) -> tuple[Membership, ...]:
        with self._database.reading() as connection:
            return tuple(map(_membership, connection.execute(_OF_USER, {"person": user})))

    def member_counts(self) -> Mapping[str, int]:
        with self._database.reading() as connection:
            return {row.project: row.members for row in connection.execute(_COUNTS)}

    def edit_members(
        self,
        project: str,
        change: Callable[[tuple[Membership, ...]], Sequence[Membership]],
        now: Time,
        *,
        by: Entry,
    ) -> tuple[Membership, ...]:
        with self._database.writing(orderly=True) as connection:
            known = _read(connection, project)
            before = {one.user: one for one in known}
            after = {one.user: one for one in change(known)}
            both = ((before.get(user), after.get(user)) for user in sorted(before.keys() | after.keys()))
            _write(connection, [(old, new) for old, new in both if old != new], now, by)
            return _read(connection, project)


def join(connection: Connection, one: Membership, now: Time, by: Entry) -> None:
    """Add a membership within another change's transaction; people who have that role or a higher one keep theirs."""
    known = next((old for old in _read(connection, one.project) if old.user == one.user), None)
    if known is None or _ORDER.index(one.role) < _ORDER.index(known.role):
        _write(connection, [(known, one)], now, replace(by, act="joined"))


@when_project_goes
def forget(connection: Connection, project: str, _now: Time, _by: Entry) -> None:
    """Remove all members of a deleted project."""
    connection.execute(_FORGET, {"of": project})


@when_person_goes
def forget_person(connection: Connection, user: str, now: Time, by: Entry) -> None:
    """Remove all memberships of a deleted account."""
    belonged = [_membership(row) for row in connection.execute(_OF_USER, {"person": user})]
    _write(connection, [(one, None) for one in belonged], now, replace(by, act="member_set"))


EditedMembership = tuple[Membership | None, Membership | None]
"""A membership as it was, and as it is to be; None is none."""


def _write(connection: Connection, edited: Sequence[EditedMembership], now: Time, by: Entry) -> None:
    """Write all in a few statements, since all other writers wait meanwhile."""
    if not edited:
        return
    whose = [_whose(*each) for each in edited]
    connection.execute(_DELETE, [{"of": project, "person": user} for project, user in whose])
    if put := [asdict(new) for _, new in edited if new is not None]:
        connection.execute(_INSERT, put)
    told = [
        (MemberChanged(by.by, project, user, new.role.value if new else None), user)
        for (project, user), (_, new) in zip(whose, edited, strict=True)
    ]
    event_log.record_all(connection, told, now, by.by)
    audit_log.append(connection, [_entry(by, old, new) for old, new in edited], now)


def _whose(old: Membership | None, new: Membership | None) -> tuple[str, str]:
    one = new or old
    assert one is not None
    return one.project, one.user


def _entry(by: Entry, old: Membership | None, new: Membership | None) -> Entry:
    project, _ = _whose(old, new)
    return replace(by, subject=f"project:{project}", before=_shown(old), after=_shown(new))


def _shown(one: Membership | None) -> dict[str, str] | None:
    return None if one is None else {"member": one.user, "role": one.role.value}


def _read(connection: Connection, project: str) -> tuple[Membership, ...]:
    return tuple(map(_membership, connection.execute(_OF_PROJECT, {"of": project})))


def _membership(row: Any) -> Membership:
    return Membership(row.project, row.user, MemberRole(row.role), row.since, row.by)
