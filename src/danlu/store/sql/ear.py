"""A listener on PostgreSQL; loads its driver."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from danlu.store.sql.database import CHANNEL, Database

log = logging.getLogger(__name__)

_LOOK_UP_S = 0.25
"""How soon a listener notices that it must end."""
_PAUSE_S = 1.0


class Ear:
    """A thread with its own connection; after a reconnect it wakes the listener once for whatever was missed."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self.wakes: list[Callable[[], None]] = [wake]
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._closed.is_set():
            # Listeners also poll, so nothing is lost while the server is away.
            with suppress(SQLAlchemyError, psycopg.Error), closing(self._database.apart()) as connection:
                connection.exec_driver_sql(f"LISTEN {CHANNEL}")
                self._wake()
                self._hear(connection.connection.driver_connection)
            self._closed.wait(_PAUSE_S)

    def _hear(self, driver: Any) -> None:
        while not self._closed.is_set():
            others = [
                told for told in driver.notifies(timeout=_LOOK_UP_S, stop_after=1) if not self._own(told)
            ]
            if others:
                self._wake()

    def _own(self, told: psycopg.Notify) -> bool:
        return told.payload == self._database.mark

    def _wake(self) -> None:
        for wake in self.wakes:
            try:
                wake()
            except Exception:
                log.exception("a listener for database changes failed")
