"""Whose a line is, before it, where lines of several tasks are printed together."""

from __future__ import annotations

from typing import Sequence

import click

from danlu.cli.shared.show import coloured, width
from danlu.domain.words import one_line

_COLOURS = (
    "cyan",
    "green",
    "magenta",
    "yellow",
    "blue",
    "bright_red",
    "bright_cyan",
    "bright_green",
    "bright_magenta",
)


class Prefixes:
    """`worker-0 │ `: as wide for every task that is known, and in a colour of its own on a terminal."""

    def __init__(self, tasks: Sequence[str] = ()) -> None:
        self._widest = max((width(one_line(task)) for task in tasks), default=0)
        self._made: dict[str, str] = {}
        for task in tasks:
            self.of(task)

    def of(self, task: str) -> str:
        if task and task not in self._made:
            name = one_line(task)
            text = f"{name}{' ' * (self._widest - width(name))} │ "
            colour = _COLOURS[len(self._made) % len(_COLOURS)]
            self._made[task] = click.style(text, fg=colour) if coloured() else text
        return self._made.get(task, "")
