"""Tables of numbers about things that come and go; a thing keeps its row while it stays."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from danlu.domain.arrays import Ints, np

T = TypeVar("T")


class NameNumbers(dict[T, int]):
    """A number for each name, in the order they were first heard of."""

    def __missing__(self, name: T) -> int:
        self[name] = len(self)
        return self[name]


class Table(Generic[T]):
    """Rows of whole numbers, found by key. The first column says whether the row is in use."""

    def __init__(self, columns: int) -> None:
        self._rows = np.zeros((256, columns + 1), np.int64)
        self._things: list[T | None] = []
        self._at: dict[Hashable, int] = {}
        self._free: list[int] = []

    def set(self, key: Hashable, thing: T, *values: int) -> None:
        at = self._at.get(key)
        if at is None:
            at = self._at[key] = self._free.pop() if self._free else len(self._things)
        if at == len(self._things):
            self._things.append(None)
            if at == len(self._rows):
                self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._things[at] = thing
        self._rows[at] = (1, *values)

    def drop(self, key: Hashable) -> None:
        at = self._at.pop(key, None)
        if at is not None:
            self._rows[at, 0], self._things[at] = 0, None
            self._free.append(at)

    def copy(self) -> tuple[list[T], Ints]:
        """The things, and their numbers column by column."""
        used = np.flatnonzero(self._rows[: len(self._things), 0])
        things = self._things
        return [things[at] for at in used.tolist()], self._rows[used, 1:].T.copy()  # type: ignore[misc]
