"""Asking before harm: on a terminal a person answers; where nobody can, -y must have been given."""

from __future__ import annotations

import sys

import click

from danlu.cli.session import on_terminal
from danlu.cli.words import speak
from danlu.domain.words import one_line

yes_option = click.option(
    "-y", "--yes", is_flag=True, help="Do not ask for confirmation; needed without a terminal."
)


def can_ask() -> bool:
    """Whether someone is at the terminal to answer."""
    return sys.stdin.isatty() and on_terminal()


def confirm(question: str, abort: bool = True) -> bool:
    """Ask; names in a question may be others'. Without a yes the command ends, unless `abort` is False."""
    return bool(click.confirm(one_line(question), abort=abort))


def surely(question: str, yes: bool) -> None:
    """Ask before what deletes or evicts, naming what is lost; easily undone acts need no question."""
    if must_ask(question, yes):
        confirm(question)


def must_ask(question: str, yes: bool) -> bool:
    """Whether somebody is to be asked; wrong use where nobody can be and -y was not given."""
    if not yes and not can_ask():
        raise click.UsageError(
            speak(
                "{question} There is no terminal to ask on: repeat it with -y (--yes).",
                "{question}当前没有可供确认的终端：请加上 -y（--yes）重试。",
                question=one_line(question),
            )
        )
    return not yes
