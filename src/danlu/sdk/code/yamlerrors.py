"""YAML's syntax errors in plain sentences, at the place a person has to look at."""

from __future__ import annotations

import re
from typing import Any

from danlu.sdk.http.errors import BadFile


def explained(why: Any, text: str) -> BadFile:
    """What is wrong, where, and what to do, for an error of either of PyYAML's parsers."""
    problem = str(getattr(why, "problem", None) or why)
    context = str(getattr(why, "context", None) or "")
    here = _position(getattr(why, "problem_mark", None))
    began = _position(getattr(why, "context_mark", None)) or here
    lines = text.splitlines()
    if here is None:
        return _unplaced(why, text, problem)
    tab = _tab_before(lines, here[0])
    if tab:
        return BadFile(
            "a tab stands in the indentation", *tab, hint="YAML wants spaces: replace the tab with two spaces"
        )
    return _by_words(problem, context, here, began or here, lines)


def _by_words(
    problem: str, context: str, here: tuple[int, int], began: tuple[int, int], lines: list[str]
) -> BadFile:
    source = _line(lines, here[0])
    if "quoted scalar" in context:
        quote = _line(lines, began[0])[began[1] - 1 : began[1]]
        return BadFile("a quote is opened and never closed", *began, hint=f"close it with {quote}")
    if "flow mapping" in context or "flow sequence" in context:
        bracket = "}" if "mapping" in context else "]"
        return BadFile(
            f"a bracket is opened and not closed with {bracket}, or a comma is missing",
            *began,
            hint=f"put {bracket} where the list ends, and commas between the items",
        )
    if "mapping values are not allowed" in problem:
        return _second_colon(here, source, lines)
    if "could not find expected ':'" in problem:
        at = began if began[0] < here[0] else here
        word = _line(lines, at[0]).strip()
        return BadFile(
            f"'{word}' is neither a key with a colon nor part of a value", *at, hint=f"write '{word}: …'"
        )
    if "cannot start any token" in problem:
        char = source[here[1] - 1 : here[1]]
        return BadFile(f"no value can begin with {char!r}", *here, hint="put the value in quotes")
    if "undefined alias" in problem:
        name = source[here[1] :].split()[0] if source[here[1] :].split() else ""
        return BadFile(
            f"*{name} refers to nothing", *here, hint=f"mark what it means with &{name}, or quote the value"
        )
    if "expected a single document" in context or "another document" in problem:
        return BadFile(
            "a second document begins here", *here, hint="one file is one job: leave out what follows '---'"
        )
    if "block" in context or "expected" in problem:
        return BadFile(
            "the indentation does not fit the lines above", *here, hint="align it with its neighbours"
        )
    return BadFile(problem, *here)


def _second_colon(here: tuple[int, int], source: str, lines: list[str]) -> BadFile:
    if re.match(r"\s*(- )?[\w.-]+:\s+\S.*:(\s|$)", source):
        return BadFile(
            "there are two colons in one line", *here, hint="put a value that contains ': ' in quotes"
        )
    above = here[0] - 1
    while above > 1 and not _line(lines, above).strip():
        above -= 1
    key = _line(lines, above).strip()
    return BadFile(
        "this is indented deeper than the line above, which already has a value",
        here[0],
        len(source) - len(source.lstrip()) + 1,
        hint=f"align it with '{key}'",
    )


def _unplaced(why: Any, text: str, problem: str) -> BadFile:
    """The reader's errors know an offset only: a character that YAML does not allow."""
    character, position = getattr(why, "character", None), getattr(why, "position", None)
    if character is None or position is None:
        return BadFile(problem)
    shown = chr(character) if isinstance(character, int) else str(character)
    before = text[: text.find(shown)] if shown in text else text[:position]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return BadFile(f"the character {shown!r} is not allowed", line, column, hint="remove it")


def _tab_before(lines: list[str], line: int) -> tuple[int, int] | None:
    """A tab in the indentation of the line that broke, or of the one before it."""
    for number in (line, line - 1):
        source = _line(lines, number)
        indent = source[: len(source) - len(source.lstrip())]
        if "\t" in indent:
            return number, indent.index("\t") + 1
    return None


def _position(mark: Any) -> tuple[int, int] | None:
    return (mark.line + 1, mark.column + 1) if mark is not None else None


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""
