"""How things look: tables, states, times and sizes, with colour for people and without for pipes."""

from __future__ import annotations

import os
import re
import sys
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Iterable, List, Mapping, NamedTuple, Sequence, Tuple, Union

import click

from danlu.cli.terms import term, terms
from danlu.cli.words import language, speak, spoken
from danlu.domain.quantity import time_in_chinese
from danlu.domain.words import Words, one_line, plain

if TYPE_CHECKING:
    from danlu.sdk.models import Reason

# Icon and colour of a state; the word is always beside them.
STATES = {
    "created": ("·", None),
    "queued": ("◷", "bright_black"),
    "starting": ("◌", "magenta"),
    "running": ("◐", "blue"),
    "stopping": ("◌", "magenta"),
    "completed": ("✓", "green"),
    "succeeded": ("✓", "green"),
    "failed": ("✕", "red"),
    "lost": ("✕", "red"),
    "stopped": ("■", "bright_black"),
    "pending": ("◷", "bright_black"),
    "ready": ("●", "green"),
    "occupied": ("●", "blue"),
    "cordoned": ("■", "yellow"),
    "unreachable": ("✕", "red"),
    "off": ("○", "bright_black"),
}


_JUST_NOW_S = 10


class Cell(NamedTuple):
    """A text and its colour."""

    text: str
    colour: str | None = None


Cells = List[Union[str, Cell]]
"""A row of a table."""
Facts = List[Tuple[str, Union[str, Cell]]]
"""Words and what they mean."""


def coloured() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def state(word: str) -> Cell:
    """A state: icon, word and colour on a terminal; in a pipe the word alone."""
    icon, colour = STATES.get(word, ("·", None))
    told = spoken(term(word))
    return Cell(f"{icon} {told}", colour) if sys.stdout.isatty() else Cell(told)


def echo(text: str = "", colour: str | None = None, bold: bool = False) -> None:
    """A line, or several, of what others may have written."""
    text = plain(text)
    styled = click.style(text, fg=colour, bold=bold or None) if coloured() and (colour or bold) else text
    click.echo(styled, color=coloured())


def table(columns: Sequence[str], rows: Sequence[Sequence[str | Cell]], right: Sequence[str] = ()) -> None:
    """Aligned columns under a heading; on a terminal the last one is cut to the window."""
    to_right = [name in right for name in columns]
    columns = [heading_said(name) for name in columns]
    cells = [[_cell(one) for one in row] for row in rows]
    widths = [max([width(name), *(width(row[at].text) for row in cells)]) for at, name in enumerate(columns)]
    room = _window() - sum(widths[:-1]) - 2 * (len(columns) - 1)
    heading = [Cell(name) for name in columns]
    for number, row in enumerate([heading, *cells]):
        parts = []
        for at, cell in enumerate(row):
            text = cell.text
            last = at == len(row) - 1
            if last and sys.stdout.isatty() and number:
                text = cut(text, max(room, 12))
            gap = " " * (widths[at] - width(text))
            text = click.style(text, fg=cell.colour) if coloured() and cell.colour else text
            parts.append(gap + text if to_right[at] else text if last else text + gap)
        line = "  ".join(parts).rstrip()
        click.echo(click.style(line, bold=True) if coloured() and not number else line, color=coloured())


def heading_said(english: str) -> str:
    """The heading of a column, or the label of a fact, in the user's language. One English word may mean several
    things: after a bar stands which one (`SIZE|bytes`), for the Chinese alone."""
    if language() == "en":
        return english.partition("|")[0]
    from danlu.cli.chinese import heading  # only for those who read it

    return heading(english)


def _cell(one: str | Cell) -> Cell:
    """Names and sentences are others': they must stay in their cells."""
    cell = one if isinstance(one, Cell) else Cell(one)
    return Cell(one_line(cell.text), cell.colour)


def _window() -> int:
    """Columns of the terminal. `shutil` knows them too, but loads three compressors on the way."""
    chosen = os.environ.get("COLUMNS", "")
    try:
        return int(chosen) if chosen.isdigit() else os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 80


def pairs(items: Sequence[tuple[str, str | Cell]]) -> None:
    """Words and what they mean, one a line; empty ones are left out."""
    cells = [(heading_said(name), one if isinstance(one, Cell) else Cell(one)) for name, one in items]
    known = [(name, Cell(plain(cell.text), cell.colour)) for name, cell in cells if cell.text]
    size = max((width(name) for name, _ in known), default=0)
    for name, cell in known:
        label = click.style(name, dim=True) if coloured() else name
        text = click.style(cell.text, fg=cell.colour) if coloured() and cell.colour else cell.text
        click.echo(f"{label}{' ' * (size - width(name))}  {text}", color=coloured())


def width(text: str) -> int:
    """Columns that a text takes: Chinese characters take two."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width  # seldom needed

    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def cut(text: str, room: int) -> str:
    if width(text) <= room:
        return text
    while text and width(text) > room - 1:
        text = text[:-1]
    return text + "…"


def words(text: Mapping[str, str] | None) -> str:
    """A sentence in the reader's language."""
    if not text:
        return ""
    return text.get(language()) or next(iter(text.values()), "")


def reason(found: Reason | None) -> str:
    return words(found.text) or found.code if found else ""


def started_again(tries: int) -> str:
    """How often a task was restarted."""
    if tries < 2:
        return speak("restarted once", "重启过 1 次") if tries else ""
    return speak("restarted {tries} times", "重启过 {tries} 次", tries=tries)


def earlier_tries(job: str, task: str) -> str:
    """Where to read the log of a task from before its restart."""
    return speak(
        "The log of {task} before it was restarted: danlu logs {job} --task {task} --try 0",
        "{task} 重启之前的日志：danlu logs {job} --task {task} --try 0",
        task=task,
        job=job,
    )


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


def local(text: str | None) -> str:
    """A time on the reader's clock."""
    found = moment(text)
    return found.astimezone().strftime("%Y-%m-%d %H:%M:%S") if found else ""


_BESIDE_COLOUR = re.compile(
    "\x1b\\[[0-9;:]*m|[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def log_text(text: str) -> str:
    """A line of a log for a terminal: its colours stay, and what moves within the line (returns, tabs); no other
    command gets through."""
    if text.isprintable():
        return text
    return _BESIDE_COLOUR.sub(lambda found: found[0] if len(found[0]) > 1 else "?", text)


def clock(milliseconds: int) -> str:
    """The time of a log line on the reader's clock."""
    found = datetime.fromtimestamp(milliseconds / 1000)
    return found.strftime("%Y-%m-%d %H:%M:%S.") + f"{milliseconds % 1000:03d}"


def ago(text: str | None, now: datetime | None = None) -> str:
    found = moment(text)
    if found is None:
        return ""
    return span(((now or datetime.now(timezone.utc)) - found).total_seconds())


def when(text: str | None) -> str:
    """How long ago it was, in words: 5m 00s ago, 刚刚."""
    passed = seconds(text, None) or 0
    if passed < _JUST_NOW_S:
        return speak("just now", "刚刚")
    return speak("{time} ago", "{time}前", time=span(passed))


def until(text: str | None, now: datetime | None = None) -> str:
    """How long it is until then; nothing if that has passed."""
    found = moment(text)
    left = (found - (now or datetime.now(timezone.utc))).total_seconds() if found else 0
    return span(left) if left > 0 else ""


def took(start: str | None, end: str | None, now: datetime | None = None) -> str:
    """How long something ran, or has been running."""
    length = seconds(start, end, now)
    return "" if length is None else span(length)


def seconds(start: str | None, end: str | None, now: datetime | None = None) -> float | None:
    """The same in seconds; None if it has not begun."""
    began, ended = moment(start), moment(end)
    return None if began is None else ((ended or now or datetime.now(timezone.utc)) - began).total_seconds()


def span(seconds: float) -> str:
    """A duration in its two largest units at most: 8s, 3m 05s, 2h 10m, 4d 3h; in Chinese 2 小时 10 分钟."""
    whole = max(0, int(seconds))
    if language() == "zh":
        return time_in_chinese(1000 * whole, parts=2)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    if whole < 86400:
        return f"{whole // 3600}h {whole % 3600 // 60:02d}m"
    return f"{whole // 86400}d {whole % 86400 // 3600}h"


def length(text: str | None) -> str:
    """A time as files and options have it (`6h`); in Chinese 6 小时."""
    if not text or language() == "en":
        return text or ""
    from danlu.cli.shared.moments import span as meant  # seldom needed

    found = meant(text)
    return span(found.total_seconds()) if found is not None else text


def size(count: float | None) -> str:
    """Bytes as people say them."""
    if not count:
        return "0"
    for unit, bytes_ in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= bytes_:
            return f"{count / bytes_:.4g} {unit}"
    return f"{count:.0f} B"


def tasks(count: int | None) -> str:
    """How many tasks; none in particular where Danlu divides."""
    return "" if count is None else str(count) if count else spoken(term("auto"))


def part(some: str, whole: str) -> str:
    """`3 of 8`."""
    return speak("{some} of {whole}", "{some} / {whole}", some=some, whole=whole)


def word(english: str, context: str = "") -> str:
    """A word that stands in a table by itself, in the user's language; names stay as they are."""
    return spoken(term(english, context))


def word_list(english: Iterable[str], none: str = "") -> str:
    return spoken(terms(english)) or none


def yes(whether: object) -> str:
    return word("yes" if whether else "no")


def cards(count: float | None) -> Words:
    """What GPUs are counted in."""
    return Words("GPU" if count == 1 else "GPUs", "卡")


def cores(count: float | None) -> Words:
    return Words("CPU" if count == 1 else "CPUs", "CPU")


def number(value: float | None) -> str:
    return f"{value or 0:g}"
