"""Files as rows of a table, and how far those on their way are."""

from __future__ import annotations

import os
import sys
import threading
from typing import Sequence

import click

from danlu.cli.session import on_terminal
from danlu.cli.shared import show
from danlu.cli.words import speak
from danlu.domain.file_names import shown_name
from danlu.sdk import models

MOST_LISTED = 1_000
_KINDS = {"folder": "/", "link": "@", "other": "?"}
_LARGE = 1 << 20
_WIDTH = 24


def entry_rows(found: Sequence[models.FileEntry]) -> list[list[str]]:
    """Size, time and name."""
    return [
        [show.size(one.size) if one.kind == "file" else "", show.local(one.modified), _shown(one)]
        for one in found
    ]


def _shown(one: models.FileEntry) -> str:
    return f"{one.name} -> {one.target}" if one.target else one.name + _KINDS.get(one.kind, "")


class LineProgress:
    """A line on the terminal while something large comes or goes."""

    def __init__(self, target: str) -> None:
        self._name, self._shown = shown_name(os.fsencode(os.path.basename(target))), 0
        self._live = sys.stderr.isatty() and on_terminal()

    def __call__(self, done: int, total: int | None) -> None:
        if not self._live or done - self._shown < _LARGE:
            return
        self._shown = done
        click.echo(f"\r\033[K{self._name}: {far(done, total)}", err=True, nl=False)

    def end(self) -> None:
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)


class ManyProgress:
    """One line for several files at once; any thread."""

    def __init__(self) -> None:
        self._lock, self._shown = threading.Lock(), 0
        self._live = sys.stderr.isatty() and on_terminal()
        self._done: dict[str, int] = {}
        self._total: dict[str, int] = {}

    def __call__(self, name: str, done: int, total: int | None) -> None:
        with self._lock:
            self._done[name], self._total[name] = done, total or done
            here = sum(self._done.values())
            if not self._live or here - self._shown < _LARGE:
                return
            self._shown = here
            shown = shown_name(os.fsencode(os.path.basename(name)))
            line = f"{far(here, sum(self._total.values()))}  {shown}"
            click.echo(f"\r\033[K{line[:100]}", err=True, nl=False)

    def end(self) -> None:
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)


def far(done: int, total: int | None) -> str:
    """A bar, a percentage and the size."""
    if not total:
        return show.size(done)
    full = _WIDTH * done // total
    return speak(
        "{bar} {percent} % of {total}",
        "{bar} {percent} %，共 {total}",
        bar="█" * full + "░" * (_WIDTH - full),
        percent=f"{done * 100 // total:3d}",
        total=show.size(total),
    )
