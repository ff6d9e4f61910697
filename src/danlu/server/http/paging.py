"""Paging: for lists that are short enough to be read whole, and for events by their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.words import Words
from danlu.server.http.models import ListQuery
from danlu.server.http.reading import decimal

T = TypeVar("T")


def page_of(items: Sequence[T], key: Callable[[T], str], query: ListQuery) -> tuple[list[T], str | None]:
    """The items after the cursor, by key, and the cursor that continues them."""
    rest = sorted((item for item in items if query.cursor is None or key(item) > query.cursor), key=key)
    page = rest[: query.limit]
    return page, key(page[-1]) if len(rest) > query.limit else None


def seq_of(cursor: str | None) -> int | None:
    """The number of the event after which a page of events continues."""
    seq = decimal(cursor)
    if cursor is None or seq is not None:
        return seq
    message = Words(
        "this cursor does not belong to this list; start again without a cursor",
        "该游标不属于此列表，请去掉游标重新开始",
    )
    raise Invalid((FieldError(("query", "cursor"), "bad_cursor", message, cursor),))
