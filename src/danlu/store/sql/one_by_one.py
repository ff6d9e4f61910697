"""Writes rows one by one to PostgreSQL, so that the idle timeout works if the writing process is paused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import psycopg
from psycopg.abc import Params, Query


class OneByOne(psycopg.Cursor[Any]):
    """`executemany` without a pipeline: during a pipeline a transaction never counts as idle, however long its process
    is paused, and would block all others."""

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
