"""A roster: names pasted from anywhere, or a table with a header, and whom they mean."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.people import User
from danlu.domain.words import Words, say

MOST_NAMES = 5_000
_MOST_GUESSES = 20
"""Suggestions for unknown names are slow: with more unknown names than this there are none."""
_BETWEEN = re.compile(r"[\s,;，；、]+")
_WRAPPING = "\"'`“”‘’"
_NAMES = ("name", "user", "username", "user_name", "用户", "用户名")
_ROLES = ("role", "角色")


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A word that should be somebody's name, and the role beside it if the table had one."""

    word: str
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Roster:
    """Every word once, in the order in which they were written."""

    rows: tuple[RosterRow, ...]


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A word that is no user name, and suggestions for the name that was meant."""

    word: str
    suggestion: str | None


@dataclass(frozen=True, slots=True)
class Recognized:
    """Whom a roster means: people with the role beside them, each once, and the words that mean nobody."""

    people: tuple[tuple[User, str | None], ...]
    strangers: tuple[UnknownName, ...]


@dataclass(frozen=True, slots=True)
class Enlisted:
    """What a roster did, or would do: who changed, who did not, and which words are unknown."""

    changed: tuple[str, ...]
    already: tuple[str, ...]
    unknown: tuple[UnknownName, ...]


def read_roster(text: str) -> Roster:
    """Names between commas, semicolons, white space or lines. If the first line is a header with `name` or `user`,
    what follows is a table (commas, semicolons or tabs; quotes as in CSV), and a column `role` is read too.
    Invalid at `text` when it cannot be read or names too many."""
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    header = _header(lines[0]) if len(lines) > 1 else None
    rows = _words(text.lstrip("\ufeff")) if header is None else _table(lines[1:], *header)
    once = {row.word: row for row in reversed(rows)}
    if len(once) > MOST_NAMES:
        raise _unreadable(
            "too_many",
            say(
                "{count} names are too many at once; the maximum is {most}",
                "一次最多填写 {most} 个用户名，这里有 {count} 个",
                count=len(once),
                most=MOST_NAMES,
            ),
        )
    return Roster(tuple(dict.fromkeys(once[row.word] for row in rows)))


def roster_of(names: Iterable[str]) -> Roster:
    """A roster of names that are known to be names."""
    return Roster(tuple(RosterRow(name) for name in dict.fromkeys(names)))


def recognize(roster: Roster, users: Iterable[User]) -> Recognized:
    """Whom the words mean: a name in any case, or an address that only one person has. Accounts that were deleted
    mean nobody."""
    present = [user for user in users if not user.deleted]
    by_name = {user.name.lower(): user for user in present}
    by_email = _by_email(present)
    people: dict[str, tuple[User, str | None]] = {}
    strangers: list[UnknownName] = []
    for row in roster.rows:
        word = row.word.lower()
        user = by_name.get(word) or by_email.get(word)
        if user is None:
            guess = _nearest(word, by_name) if len(strangers) < _MOST_GUESSES else None
            strangers.append(UnknownName(row.word, guess))
        else:
            people.setdefault(user.name, (user, row.role))
    return Recognized(tuple(people.values()), tuple(strangers))


def _header(line: str) -> tuple[str | None, int, int | None] | None:
    """How the cells of a table are divided (None: white space), where the name is, and where the role."""
    for divider in (",", ";", "\t", None):
        cells = [_cell(cell).lower().replace(" ", "_") for cell in line.split(divider)]
        if divider is None and not set(cells) <= {*_NAMES, *_ROLES}:
            continue
        name = _place(cells, _NAMES)
        if name is not None:
            return divider, name, _place(cells, _ROLES)
    return None


def _table(lines: Sequence[str], divider: str | None, name_at: int, role_at: int | None) -> list[RosterRow]:
    try:
        table = (
            [line.split() for line in lines]
            if divider is None
            else list(csv.reader(lines, delimiter=divider))
        )
    except csv.Error as error:
        raise _unreadable(
            "bad_form", say("this table cannot be read: {error}", "无法读取该表格：{error}", error=error)
        ) from error
    found = []
    for cells in table:
        name = _cell(cells[name_at]) if name_at < len(cells) else ""
        role = _cell(cells[role_at]) if role_at is not None and role_at < len(cells) else ""
        if name:
            found.append(RosterRow(name, role.lower() or None))
    return found


def _words(text: str) -> list[RosterRow]:
    words = (_cell(word) for word in _BETWEEN.split(text))
    return [RosterRow(word) for word in words if word]


def _cell(text: str) -> str:
    return text.strip().strip(_WRAPPING).strip()


def _place(cells: Sequence[str], known: Sequence[str]) -> int | None:
    return next((place for place, cell in enumerate(cells) if cell in known), None)


def _by_email(users: Iterable[User]) -> dict[str, User]:
    having: dict[str, list[User]] = {}
    for user in users:
        if user.email:
            having.setdefault(user.email.lower(), []).append(user)
    return {email: those[0] for email, those in having.items() if len(those) == 1}


def _nearest(word: str, names: Iterable[str]) -> str | None:
    local = word.partition("@")[0]
    return next(iter(difflib.get_close_matches(local, names, n=1, cutoff=0.7)), None)


def _unreadable(code: str, message: Words) -> Invalid:
    return Invalid((FieldError(("text",), code, message),))
