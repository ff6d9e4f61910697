"""People: never removed, so that a name never becomes somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import bindparam, false, insert, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.errors import NameTaken, NotFound
from danlu.domain.people import User, UserRole
from danlu.store.sql.codec import dump
from danlu.store.sql.part import Part
from danlu.store.sql.schema import users

_INSERT = insert(users)
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
).where(users.c.deleted == false())
_ONE = _PRESENT.where(users.c.name == bindparam("user"))
_ALL = _PRESENT.order_by(users.c.name)


class People(Part):
    """Implements ports.store.PeopleStore."""

    def add_user(self, user: User) -> None:
        try:
            with self._database.writing() as connection:
                connection.execute(_INSERT, [_values(user)])
        except IntegrityError as error:
            raise NameTaken(f"{user.name} is or was somebody's name; choose another") from error

    def user(self, name: str) -> User | None:
        with self._database.reading() as connection:
            row = connection.execute(_ONE, {"user": name}).first()
        return None if row is None else _user(row)

    def users(self) -> tuple[User, ...]:
        with self._database.reading() as connection:
            return tuple(map(_user, connection.execute(_ALL)))

    def edit_user(self, name: str, change: Callable[[User, tuple[User, ...]], User]) -> User:
        with self._database.writing(orderly=True, telling=False) as connection:
            everybody = tuple(map(_user, connection.execute(_ALL)))
            user = next((one for one in everybody if one.name == name), None)
            if user is None:
                raise NotFound(f"there is no user '{name}'")
            edited = change(user, everybody)
            connection.execute(_UPDATE, {**_values(edited), "user": name})
        return edited


def _values(user: User) -> dict[str, Any]:
    return {**asdict(user), "role": user.role.value, "groups": dump(user.groups)}


def _user(row: Sequence[Any]) -> User:
    name, role, created_at, display_name, password_hash, disabled, deleted, groups = row
    return User(
        name,
        UserRole(role),
        created_at,
        display_name,
        password_hash,
        bool(disabled),
        bool(deleted),
        tuple(json.loads(groups)),
    )
