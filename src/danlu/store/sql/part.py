"""What every part of the store shares."""

from __future__ import annotations

from danlu.store.sql.database import Database


class Part:
    """One Protocol's share of the store, over the one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
