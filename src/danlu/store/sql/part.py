"""The base of every part of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from danlu.store.sql.database import Database
from danlu.store.sql.fence import must_lead


class StorePart:
    """The part of the store for one Protocol, on the shared database; with an epoch, as the leader of that epoch."""

    def __init__(self, database: Database, epoch: int | None = None) -> None:
        self._database, self._epoch = database, epoch

    @contextmanager
    def _writing(self, *, orderly: bool = False, telling: bool = True) -> Iterator[Connection]:
        """A transaction for writes of controllers: a former leader writes nothing."""
        with self._database.writing(orderly=orderly, telling=telling) as connection:
            if self._epoch is not None:
                must_lead(connection, self._epoch)
            yield connection
