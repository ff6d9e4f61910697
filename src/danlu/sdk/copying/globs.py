"""Patterns of names, and which files a copy takes: the first rule that matches decides."""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

_WILD = re.compile(r"(?<!\\)[*?\[{]")
_ESCAPED = re.compile(r"\\([*?\[\]{},\\])")


class GlobRule(NamedTuple):
    """`takes`: an --include; else an --exclude."""

    takes: bool
    pattern: str


class Filter:
    """Which keys are taken: those that match `only`, if there is one, and that the rules take. The first rule that
    matches decides; what none matches is taken, unless all rules are includes."""

    def __init__(self, rules: Sequence[GlobRule] = (), only: str = "") -> None:
        self._rules = [(rule.takes, _anywhere(rule.pattern)) for rule in rules]
        self._otherwise = not rules or any(not rule.takes for rule in rules)
        self._only = re.compile(f"{translated(only.strip('/'))}(?:/.*)?", re.DOTALL) if only else None
        self._steps = [None if one == "**" else re.compile(translated(one)) for one in _parts(only)]
        self.takes_all = not rules and not only

    def takes(self, key: bytes) -> bool:
        """`key` is a path below the source, of a folder with a / behind it."""
        if self.takes_all:
            return True
        path = key.decode("utf-8", "surrogateescape")
        if self._only is not None and not self._only.fullmatch(path):
            return False
        return next((takes for takes, wanted in self._rules if wanted.fullmatch(path)), self._otherwise)

    def enters(self, key: bytes) -> bool:
        """Whether anything in this folder may be taken."""
        path = key.decode("utf-8", "surrogateescape")
        for step, part in zip(self._steps, path.strip("/").split("/")):
            if step is None:
                break
            if not step.fullmatch(part):
                return False
        for takes, wanted in self._rules:
            if takes:
                return True
            if wanted.fullmatch(path):
                return False
        return True


def translated(pattern: str) -> str:
    """As a regular expression: * and ? stay within a name, ** does not; [a-z], [!a-z], {one,other}, \\ before what is
    meant as it is."""
    out, at, depth = [], 0, 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*":
            if pattern[at : at + 1] != "*":
                out.append("[^/]*")
                continue
            at += 1
            if pattern[at : at + 1] == "/" and (at < 3 or pattern[at - 3] == "/"):
                out.append("(?:.*/)?")  # a/**/b is a/b, too
                at += 1
            else:
                out.append(".*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            end = pattern.find("]", at + 2 if pattern[at : at + 1] in ("!", "^") else at + 1)
            if end < 0:
                out.append(r"\[")
                continue
            out.append(_class(pattern[at:end]))
            at = end + 1
        elif char == "{" and "}" in pattern[at:]:
            depth += 1
            out.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            out.append(")")
        elif char == "," and depth:
            out.append("|")
        else:
            if char == "\\" and at < len(pattern):
                char, at = pattern[at], at + 1
            out.append(re.escape(char))
    return "".join(out) + ")" * depth


def first_wildcard(parts: Sequence[str]) -> int | None:
    return next((at for at, part in enumerate(parts) if _WILD.search(part)), None)


def unescaped(path: str) -> str:
    return _ESCAPED.sub(r"\1", path)


def _class(inside: str) -> str:
    refuses = inside[:1] in ("!", "^")
    chosen = inside[1:] if refuses else inside
    body = re.sub(r"([\\\[\]&|~^])", r"\\\1", chosen)
    try:
        re.compile(f"[{body}]")
    except re.error:  # a range that leads backwards
        body = re.escape(chosen)
    return f"(?!/)[{'^' if refuses else ''}{body}]"


def _anywhere(pattern: str) -> re.Pattern[str]:
    """A rule matches at any depth, unless it begins with /; a folder with all that is in it. With a / at its end it
    matches folders only."""
    below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    before = "" if pattern.startswith("/") else "(?:.*/)?"
    return re.compile(f"{before}{translated(pattern.strip('/'))}{below}", re.DOTALL)


def _parts(only: str) -> list[str]:
    """What folders on the way must look like; braces may hold a /, so that nothing is known from there on."""
    parts = only.strip("/").split("/") if only else []
    for at, part in enumerate(parts):
        if "**" in part or part.count("{") != part.count("}"):
            return [*parts[:at], "**"]
    return parts
