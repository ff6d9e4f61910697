"""Parquet: the columns, the number of rows, and the first rows of what anybody may have written, within bounds."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from danlu.ports.files import OpenContent
from danlu.server.files.parquet.footer import Footer, read_footer
from danlu.server.files.parquet.pages import PreviewBudget, first_values
from danlu.server.files.parquet.schema import Column
from danlu.server.files.parquet.values import shower

__all__ = ["ParquetStart", "parquet_start"]

_MOST_GROUPS = 8
_BROKEN = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, struct.error)


class ParquetStart(NamedTuple):
    """The columns, and as many rows as could be read. `shown` tells of each column whether its values are: nested
    ones, those with a rare encoding, and what is beyond the bounds are None in every row."""

    columns: list[Column]
    shown: list[bool]
    rows: list[list[Any]]
    total: int


def parquet_start(content: OpenContent, rows: int, most_columns: int) -> ParquetStart:
    """ValueError for what is no Parquet file, or a broken one."""
    try:
        footer = read_footer(content, most_groups=_MOST_GROUPS)
    except _BROKEN as error:
        raise ValueError("a broken Parquet file") from error
    budget = PreviewBudget()
    values = [_values(content, footer, column, rows, budget) for column in footer.columns[:most_columns]]
    height = max((len(found) for found in values if found is not None), default=0)
    empty = [None] * height
    return ParquetStart(
        footer.columns[:most_columns],
        [found is not None and len(found) == height for found in values],
        [list(row) for row in zip(*(_filled(found, empty) for found in values), strict=True)],
        footer.rows,
    )


def _values(
    content: OpenContent, footer: Footer, column: Column, rows: int, budget: PreviewBudget
) -> list[Any] | None:
    """The first values of a column as they are shown; None where they cannot be read."""
    if column.leaf is None:
        return None
    found: list[Any] = []
    try:
        show = shower(column.leaf)
        for group in footer.groups:
            if len(found) < rows:
                more = min(rows - len(found), group.rows)
                found += map(show, first_values(content, group.chunks[column.at], column.leaf, more, budget))
    except _BROKEN:
        return None
    return found


def _filled(found: list[Any] | None, empty: list[None]) -> list[Any]:
    return found if found is not None and len(found) == len(empty) else list(empty)
