"""People: rows are never removed, so that a name is never used again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, bindparam, false, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import ITSELF, Entry
from danlu.domain.errors import Conflict, NameTaken, NotFound
from danlu.domain.events import USER_CHANGES, UserChanged
from danlu.domain.job import Time
from danlu.domain.people import FIRST_UID, UIDS_EACH, User, UserRole
from danlu.domain.terms import no_such
from danlu.domain.words import listed, say
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.codec import dump
from danlu.store.sql.faults import violated
from danlu.store.sql.forgetting import person_gone
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import users

_NEXT_UID = select(func.coalesce(func.max(users.c.uid), FIRST_UID - UIDS_EACH) + UIDS_EACH).scalar_subquery()
# Rows are never removed, so the highest id is that of the latest account: none is given twice.
_INSERT = insert(users).values(uid=_NEXT_UID)
_UPDATE = update(users).where(users.c.name == bindparam("user"))
_PRESENT = select(
    users.c.name,
    users.c.role,
    users.c.created_at,
    users.c.display_name,
    users.c.password_hash,
    users.c.disabled,
    users.c.deleted,
    users.c.groups,
    users.c.email,
    users.c.subject,
).where(users.c.deleted == false())
_ONE = _PRESENT.where(users.c.name == bindparam("user"))
_OF_SUBJECT = _PRESENT.where(users.c.subject == bindparam("subject"))
_ALL = _PRESENT.order_by(users.c.name)
_UID = select(users.c.uid).where(users.c.name == bindparam("user"))


class SqlPeople(StorePart):
    """Implements ports.accounts.PeopleStore."""

    def add_user(self, user: User, *, by: Entry | None = None) -> None:
        try:
            with self._database.writing(orderly=True, telling=by is not None) as connection:
                connection.execute(_INSERT, [_values(user)])
                if by is not None:
                    _tell(connection, by, [(None, user)], user.created_at)
        except IntegrityError as error:
            if "subject" in violated(error):
                raise Conflict(
                    say("{subject} already has an account", "{subject} 已有账号", subject=user.subject)
                ) from error
            raise NameTaken(
                say(
                    "the name {name} is or was already in use; choose another",
                    "{name} 已被他人使用过，请换一个",
                    name=user.name,
                )
            ) from error

    def user(self, name: str) -> User | None:
        with self._database.reading() as connection:
            row = connection.execute(_ONE, {"user": name}).first()
        return None if row is None else _user(row)

    def users(self) -> tuple[User, ...]:
        with self._database.reading() as connection:
            return tuple(map(_user, connection.execute(_ALL)))

    def uid(self, name: str) -> int | None:
        with self._database.reading() as connection:
            found = connection.execute(_UID, {"user": name}).scalar()
        return None if found is None else int(found)

    def user_of_subject(self, subject: str) -> User | None:
        if not subject:
            return None
        with self._database.reading() as connection:
            row = connection.execute(_OF_SUBJECT, {"subject": subject}).first()
        return None if row is None else _user(row)

    def edit_user(
        self,
        name: str,
        change: Callable[[User, tuple[User, ...]], User],
        now: Time = 0,
        *,
        by: Entry | None = None,
    ) -> User:
        with self._database.writing(orderly=True, telling=by is not None) as connection:
            everybody = tuple(map(_user, connection.execute(_ALL)))
            user = next((one for one in everybody if one.name == name), None)
            if user is None:
                raise NotFound(no_such("user", name))
            edited = change(user, everybody)
            _write(connection, [(user, edited)], now, by)
        return edited

    def edit_users(
        self, change: Callable[[tuple[User, ...]], Iterable[User]], now: Time, *, by: Entry
    ) -> tuple[User, ...]:
        with self._database.writing(orderly=True) as connection:
            everybody = {user.name: user for user in map(_user, connection.execute(_ALL))}
            edited = tuple(
                user for user in change(tuple(everybody.values())) if everybody.get(user.name) != user
            )
            if unknown := next((user.name for user in edited if user.name not in everybody), None):
                raise NotFound(no_such("user", unknown))
            _write(connection, [(everybody[user.name], user) for user in edited], now, by)
        return edited


def leave_group(connection: Connection, group: str, now: Time, by: Entry) -> None:
    """Remove a deleted group from its members, so that they do not join a later group of that name."""
    everybody = map(_user, connection.execute(_ALL))
    edited = [
        (user, replace(user, groups=tuple(one for one in user.groups if one != group)))
        for user in everybody
        if group in user.groups
    ]
    _write(connection, edited, now, replace(by, act="edited", reason=f"group {group} was removed"))


EditedUsers = Sequence[tuple[User, User]]
"""People as they were, and as they are to be."""


def _write(connection: Connection, edited: EditedUsers, now: Time, by: Entry | None) -> None:
    """Write all in a few statements, since all other writers wait meanwhile."""
    if not edited:
        return
    try:
        connection.execute(_UPDATE, [{**_values(new), "user": old.name} for old, new in edited])
    except IntegrityError as error:
        subjects = listed(new.subject for old, new in edited if new.subject != old.subject)
        raise Conflict(
            say("{subjects} already has an account", "{subjects} 已有账号", subjects=subjects)
        ) from error
    if by is not None:
        _tell(connection, by, edited, now)
    for old, new in edited:
        if new.deleted and not old.deleted:
            person_gone(connection, old.name, now, by or Entry(ITSELF, "deleted", ""))


def _tell(connection: Connection, by: Entry, edited: Sequence[tuple[User | None, User]], now: Time) -> None:
    """Add the audit entry, and record an event unless people changed their own account."""
    audit_log.append(connection, [_entry(by, old, new) for old, new in edited], now)
    if by.act in USER_CHANGES:
        told = [(UserChanged(by.by, new.name, by.act), None) for _, new in edited]
        event_log.record_all(connection, told, now, by.by)


def _entry(by: Entry, old: User | None, new: User) -> Entry:
    """The audit entry of a change; of a password only that it changed."""
    before, after = _shown(old), _shown(new)
    if old is not None and before is not None and after is not None:
        after["password"] = "changed" if old.password_hash != new.password_hash else "as before"
        same = [key for key in before if before[key] == after[key]]
        before, after = (
            {key: value for key, value in data.items() if key not in same} for data in (before, after)
        )
        if after.get("password") == "as before":
            del after["password"]
    return replace(by, subject=f"user:{new.name}", before=before, after=after)


def _shown(user: User | None) -> dict[str, Any] | None:
    if user is None:
        return None
    data = {**asdict(user), "role": user.role.value, "groups": list(user.groups)}
    del data["password_hash"], data["created_at"], data["name"]
    return data


def _values(user: User) -> dict[str, Any]:
    return {**asdict(user), "role": user.role.value, "groups": dump(user.groups)}


def _user(row: Sequence[Any]) -> User:
    name, role, created_at, display_name, password_hash, disabled, deleted, groups, email, subject = row
    return User(
        name,
        UserRole(role),
        created_at,
        display_name,
        password_hash,
        bool(disabled),
        bool(deleted),
        tuple(json.loads(groups)),
        email,
        subject,
    )
