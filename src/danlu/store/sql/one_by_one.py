"""Rows written one after the other to PostgreSQL, so that it notices when the process that writes stands still."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import psycopg
from psycopg.abc import Params, Query


class OneByOne(psycopg.Cursor[Any]):
    """`executemany` without a pipeline: in the middle of one a transaction never counts as idle, however long its
    process has been paused, and would hold up all others without end."""

    _sum: int | None = None

    def executemany(self, query: Query, params_seq: Iterable[Params], *, returning: bool = False) -> None:
        assert not returning
        total = 0
        for params in params_seq:
            self.execute(query, params, prepare=True)
            total += super().rowcount
        self._sum = total

    def execute(self, *args: Any, **options: Any) -> OneByOne:
        self._sum = None
        super().execute(*args, **options)
        return self

    @property
    def rowcount(self) -> int:
        return super().rowcount if self._sum is None else self._sum
