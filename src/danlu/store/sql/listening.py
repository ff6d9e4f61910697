"""Notifications that another process has recorded events: PostgreSQL sends them, SQLite cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from danlu.store.sql.part import StorePart

if TYPE_CHECKING:
    from danlu.store.sql.ear import Ear


class SqlListening(StorePart):
    """Implements `Store.listen`."""

    _ear: Ear | None = None

    def listen(self, wake: Callable[[], None]) -> None:
        if self._database.sqlite:
            return
        if self._ear is None:
            from danlu.store.sql.ear import Ear

            self._ear = Ear(self._database, wake)
        else:
            self._ear.wakes.append(wake)

    def stop_listening(self) -> None:
        if self._ear is not None:
            self._ear.close()
            self._ear = None
