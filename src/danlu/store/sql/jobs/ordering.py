"""The orders a list can have, and the cursors that continue one."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobState
from danlu.domain.words import Words, listed, say

_STATES = tuple(state.value for state in JobState)
_RANK = "CASE state " + " ".join(f"WHEN '{state}' THEN {rank}" for rank, state in enumerate(_STATES)) + " END"


_NUMBERS = 2**63
"""The largest number that every database can compare; larger ones make the query fail."""


@dataclass(frozen=True, slots=True)
class SqlOrder:
    """An order as SQL; `beyond` is true for rows after the one given by :rank, :at and :id."""

    sort: str
    column: str
    by: str
    beyond: str


def _by(sort: str, column: str) -> SqlOrder:
    back = sort.startswith("-")
    by = f"{column} DESC, id DESC" if back else f"{column}, id"
    return SqlOrder(sort, column, by, f"({column}, id) {'<' if back else '>'} (:at, :id)")


NEWEST = _by("-created", "created_at")
LAST_ENDED = _by("-ended", "ended_at")
"""Only for jobs that ended: others have no end time."""
ORDERS: Mapping[str, SqlOrder] = {
    "created": _by("created", "created_at"),
    "-created": NEWEST,
    "name": _by("name", "folded"),
    "-name": _by("-name", "folded"),
    # As a job lives, and the newest first in each state.
    "state": SqlOrder(
        "state",
        "created_at",
        f"{_RANK}, {NEWEST.by}",
        f"({_RANK} > :rank OR ({_RANK} = :rank AND {NEWEST.beyond}))",
    ),
    "-ended": LAST_ENDED,
}


@dataclass(frozen=True, slots=True)
class RowPlace:
    """A row's place in an order: the last one a reader has seen."""

    at: int | str
    id: str
    state: str

    @property
    def params(self) -> dict[str, Any]:
        return {"at": self.at, "id": self.id, "rank": rank(self.state)}


def rank(state: str) -> int:
    return _STATES.index(state)


def order_of(sort: str) -> SqlOrder:
    if sort not in ORDERS:
        known = listed(ORDERS)
        raise Invalid(
            (
                FieldError(
                    ("sort",),
                    "unknown_sort",
                    say(
                        "'{sort}' is not one of {known}",
                        "“{sort}”不在可选范围内：{known}",
                        sort=sort,
                        known=known,
                    ),
                    sort,
                ),
            )
        )
    return ORDERS[sort]


def just_after(order: SqlOrder, moment: int) -> RowPlace:
    """The place before everything that was created at a moment or earlier, newest first."""
    if order is not NEWEST:
        raise ValueError(f"a list by {order.sort} does not go by moments")
    return RowPlace(min(moment + 1, _NUMBERS - 1), "", _STATES[0])


def write_cursor(order: SqlOrder, place: RowPlace) -> str:
    text = json.dumps([order.sort, place.at, place.id, place.state], separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(order: SqlOrder, cursor: str | None) -> RowPlace | None:
    if cursor is None:
        return None
    try:
        sort, at, id_, state = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        right = _is_text(at) if order.column == "folded" else type(at) is int and abs(at) < _NUMBERS
        if sort == order.sort and right and _is_text(id_) and state in _STATES:
            return RowPlace(at, id_, state)
    except (ValueError, TypeError, RecursionError):
        pass
    message = Words(
        "this cursor does not belong to a list in this order; start again without a cursor",
        "该游标不属于此排序的列表，请去掉游标重新开始",
    )
    raise Invalid((FieldError(("cursor",), "bad_cursor", message, cursor),))


def _is_text(value: Any) -> bool:
    """Whether every database accepts this text: no NUL, no unpaired surrogates."""
    if type(value) is not str or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)
