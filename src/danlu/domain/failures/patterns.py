"""Patterns of failures: plain text with `{names}` for what differs. No regular expressions: a match takes one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from danlu.domain.words import BadValue, Words, say

LONGEST = 300
"""Characters of a pattern."""
_MOST_NAMES = 8
_NAME = re.compile(r"\{([a-z_]{1,30})\}")
_LEAST_TEXT = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """Pieces that a line contains in this order; between them is what the names stand for, as little as possible."""

    pieces: tuple[str, ...]
    names: tuple[str, ...]

    @staticmethod
    def of(text: str) -> Pattern:
        """BadValue where the text is no pattern."""
        parts = _NAME.split(text)
        pieces, names = tuple(parts[::2]), tuple(parts[1::2])
        if problem := _problem(text, pieces, names):
            raise BadValue(problem)
        return Pattern(pieces, names)

    def match(self, line: str) -> Mapping[str, str] | None:
        """What the names stand for in this line; None if it does not fit. Linear: every piece is searched for once,
        behind the one before it."""
        begin = line.find(self.pieces[0])
        if begin < 0:
            return None
        at, found = begin + len(self.pieces[0]), {}
        for name, piece in zip(self.names, self.pieces[1:], strict=True):
            end = line.find(piece, at) if piece else len(line)
            if end < 0:
                return None
            found[name] = line[at:end]
            at = end + len(piece)
        return found


@dataclass(frozen=True, slots=True)
class SitePattern:
    """A failure that administrators described. What the names of its pattern stand for fills their sentences."""

    name: str
    pattern: Pattern
    headline: Words
    advice: Words


def _problem(text: str, pieces: tuple[str, ...], names: tuple[str, ...]) -> Words | None:
    if len(text) > LONGEST:
        return say(
            "has {length} characters; at most {bound} are allowed",
            "有 {length} 个字符，最多 {bound} 个",
            length=len(text),
            bound=LONGEST,
        )
    if "\n" in text or any("{" in piece or "}" in piece for piece in pieces):
        return Words(
            "is one line in which braces stand only around names of small letters: {name}",
            "应为一行，花括号中只能是由小写字母组成的名称，例如 {name}",
        )
    if len(names) > _MOST_NAMES or len(set(names)) < len(names):
        return say(
            "has at most {bound} names, each once", "最多 {bound} 个名称，且不能重复", bound=_MOST_NAMES
        )
    if any(not piece for piece in pieces[1:-1]):
        return Words("needs text between two names", "两个名称之间需要有文字")
    if max(map(len, pieces)) < _LEAST_TEXT:
        return say(
            "needs at least {bound} characters of plain text in a row, or it would fit too much",
            "至少需要 {bound} 个连续的普通字符，否则匹配范围过大",
            bound=_LEAST_TEXT,
        )
    return None
