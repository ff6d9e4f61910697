"""One control plane per database: a claim lasts as long as its process lives."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress

from sqlalchemy import Connection, text

from danlu.domain.errors import Conflict
from danlu.ports.store import TAKEN
from danlu.store.sql.part import StorePart

_KEY = 0x636C61696D  # "claim"; the database module has a lock of its own, for appending
_TRY = text(f"SELECT pg_try_advisory_lock({_KEY})")


class SqlClaim(StorePart):
    """Implements `Store.claim`."""

    _claimed: Connection | int | None = None

    def claim(self) -> None:
        if self._claimed is None:
            self._claimed = self._lock_file() if self._database.sqlite else self._lock_server()

    def release(self) -> None:
        claimed, self._claimed = self._claimed, None
        if isinstance(claimed, Connection):
            claimed.close()
        elif claimed is not None:
            os.close(claimed)

    def _lock_file(self) -> int:
        fd = os.open(f"{self._database.url.database}.control", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with suppress(BlockingIOError):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return fd
        os.close(fd)
        raise Conflict(TAKEN)

    def _lock_server(self) -> Connection:
        # A dedicated session: the server releases the lock when it ends.
        connection = self._database.apart()
        if connection.execute(_TRY).scalar():
            return connection
        connection.close()
        raise Conflict(TAKEN)
