"""Where the next page of a folder begins: the last entry's place in the order, as an opaque word."""

from __future__ import annotations

import base64
import binascii
import json

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.words import Words
from danlu.ports.files import FileEntry, ListWish, OrderKey
from danlu.server.files.models import PageQuery


def wish_of(query: PageQuery) -> ListWish:
    return ListWish(query.sort, query.descending, _after(query.cursor), query.limit)


def cursor_of(last: FileEntry, wish: ListWish) -> str:
    later, value, name = wish.key_of(last)
    told = json.dumps([later, value, base64.b64encode(name).decode()], separators=(",", ":"))
    return base64.urlsafe_b64encode(told.encode()).decode()


def _after(cursor: str | None) -> OrderKey | None:
    if cursor is None:
        return None
    try:
        later, value, name = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        return bool(later), int(value), base64.b64decode(name)
    except (ValueError, TypeError, binascii.Error, RecursionError):
        message = Words(
            "this cursor does not belong to this list; start again without a cursor",
            "该游标不属于此列表，请去掉游标重新开始",
        )
        raise Invalid((FieldError(("query", "cursor"), "bad_cursor", message, cursor),)) from None
