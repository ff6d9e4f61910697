"""A list query as SQL over the indexes that answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from danlu.domain.job import ENDED
from danlu.store.sql.jobs.ordering import LAST_ENDED, RowPlace, SqlOrder, rank

FEW = 2_000
"""Up to this many matches, gathering and sorting is cheaper than an index walk."""

Params = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PreparedList:
    """A prepared list query. `cells` says how many jobs match, by state and kind, before any search."""

    owners: tuple[str, ...] | None
    project: str | None
    states: tuple[str, ...]
    kinds: tuple[str, ...]
    needle: str | None
    order: SqlOrder
    after: RowPlace | None
    cells: Mapping[tuple[str, str], int]
    sqlite: bool

    @property
    def matching(self) -> int:
        return sum(self.cells.values())

    @property
    def present(self) -> list[str]:
        """The states with matches, in the order of the life cycle."""
        return sorted({state for state, _ in self.cells}, key=rank)

    def beyond(self, params: Params) -> str:
        """AND what comes after the last row seen."""
        if self.after is None:
            return ""
        params.update(self.after.params)
        return f" AND {self.order.beyond}"

    def gathered(self, params: Params) -> str:
        """FROM and WHERE of all matches, unordered: by an index on the filters if that reads fewer rows, else by the
        index on names or ends."""
        few = self.matching <= FEW or (self.needle and (self.owners or self.project))
        if few and not self._all_that_ended:
            kinds = sorted({kind for _, kind in self.cells})
            source = self._table(self._equals())
            where = self._where(params, owner=self.owners, state=self.present, kind=kinds)
        else:
            source = self._table(self._ordered())
            where = self._where(params, owner=self.owners, state=self.states or None, kind=self.kinds or None)
        return f"{source} WHERE {where}"

    def walks(self, params: Params) -> Iterator[str]:
        """FROM and WHERE of the ordered walks over created_at that together cover every match."""
        beyond = self.beyond(params)
        plain = not (self.states or self.kinds or self.project or self.needle)
        if plain and (self.owners is None or self._one_owner):
            source = self._table("jobs_created" if self.owners is None else "jobs_of_owner")
            yield f"{source} WHERE {self._where(params, owner=self.owners)}{beyond}"
            return
        source = self._table(self._equals())
        for owner, (state, kind) in product(self.owners or (None,), self.cells):
            of_owner = None if owner is None else (owner,)
            where = self._where(params, owner=of_owner, state=(state,), kind=(kind,))
            yield f"{source} WHERE {where}{beyond}"

    def _equals(self) -> str:
        """The index that begins with what is fixed, then state and kind."""
        if self.owners is not None:
            return "jobs_by_owner"
        return "jobs_by_state" if self.project is None else "jobs_by_project"

    def _ordered(self) -> str:
        """The index that is in order, whatever else is asked for."""
        if self.order is not LAST_ENDED:
            return "jobs_by_name"
        return "jobs_ended_of_owner" if self._one_owner else "jobs_ended"

    @property
    def _one_owner(self) -> bool:
        return self.owners is not None and len(self.owners) == 1

    @property
    def _all_that_ended(self) -> bool:
        """Everybody's or one person's ended jobs: an index has exactly these in order."""
        narrowed = self.needle or self.project or self.kinds or ENDED.difference(self.states)
        whole = self.owners is None or self._one_owner
        return self.order is LAST_ENDED and whole and not narrowed

    def _table(self, index: str) -> str:
        """SQLite has no statistics to choose an index by; PostgreSQL has, and chooses well."""
        return f"jobs INDEXED BY {index}" if self.sqlite else "jobs"

    def _where(self, params: Params, **columns: Sequence[str] | None) -> str:
        where = equal(params, project=None if self.project is None else (self.project,), **columns)
        if self.order is LAST_ENDED:
            where += " AND ended_at IS NOT NULL"
        if self.needle is None:
            return where
        params["needle"] = self.needle
        found = "instr(folded, :needle)" if self.sqlite else "strpos(folded, :needle)"
        return f"{where} AND ({found} > 0 OR id = :needle)"


def equal(params: Params, **columns: Sequence[str] | None) -> str:
    """A condition over columns; None asks nothing. Adds what it names to the parameters."""
    parts = []
    for column, wanted in columns.items():
        if wanted is None:
            continue
        names = []
        for value in wanted:
            name = f"p{len(params)}"
            params[name] = str(value)
            names.append(f":{name}")
        one = len(names) == 1  # an equality keeps what follows in an index in order
        parts.append(f"{column} = {names[0]}" if one else f"{column} IN ({', '.join(names) or 'NULL'})")
    return " AND ".join(parts) or "1 = 1"
