"""People's preferences: one JSON document per person."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import bindparam, false, select, update

from danlu.domain.errors import NotFound
from danlu.domain.preferences import Preferences
from danlu.domain.terms import no_such
from danlu.store.sql.codec import dump, load_preferences
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import users

_OF_USER = (users.c.name == bindparam("user")) & (users.c.deleted == false())
_SELECT = select(users.c.preferences).where(_OF_USER)
# On PostgreSQL the row is locked until it is written; SQLite has one writer anyhow.
_SELECT_TO_CHANGE = _SELECT.with_for_update()
_UPDATE = update(users).where(_OF_USER)


class SqlPreferences(StorePart):
    """Implements ports.accounts.PreferenceStore."""

    def preferences(self, name: str) -> Preferences:
        with self._database.reading() as connection:
            kept = connection.execute(_SELECT, {"user": name}).scalar()
        return Preferences() if kept is None else load_preferences(kept)

    def edit_preferences(self, name: str, change: Callable[[Preferences], Preferences]) -> Preferences:
        with self._database.writing() as connection:
            kept = connection.execute(_SELECT_TO_CHANGE, {"user": name}).scalar()
            if kept is None:
                raise NotFound(no_such("user", name))
            edited = change(load_preferences(kept))
            connection.execute(_UPDATE, {"preferences": dump(edited), "user": name})
        return edited
