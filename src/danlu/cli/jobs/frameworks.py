"""`danlu framework`: what tasks of each framework get, and the defaults that apply where a job file says nothing."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Sequence

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import json_option
from danlu.cli.words import meant, speak
from danlu.domain.words import listed, say
from danlu.sdk import models


@click.group(cls=HelpfulGroup)
def framework() -> None:
    """Frameworks: the conventions by which a training's tasks find each other."""


@framework.command("ls")
@json_option
@pass_session
def framework_ls(session: CliSession, as_json: bool) -> None:
    """List the frameworks."""
    found = session.listing(models.Framework, "frameworks")
    if as_json:
        print_json(found.raw)
        return
    rows: list[show.Cells] = [
        [one.name, _names(one.strategies) or "-", show.words(one.about)] for one in found.told
    ]
    show.table(("NAME", "STRATEGIES", "ABOUT"), rows)


@framework.command("show")
@click.argument("name")
@json_option
@pass_session
def framework_show(session: CliSession, name: str, as_json: bool) -> None:
    """Show a framework's strategies: roles and their limits, default policies and variables."""
    items = session.listing(models.Framework, "frameworks").items
    names = [one.told.name for one in items]
    if name not in names:
        near = get_close_matches(name, names, n=1)
        there = say("There are {names}.", "现有：{names}。", names=listed(names))
        likely = meant(near[0] if near else None, there)
        wrong = speak(
            "there is no framework '{name}'.{likely}", "没有框架“{name}”。{likely}", name=name, likely=likely
        )
        raise click.BadParameter(wrong, param_hint="NAME")
    found = items[names.index(name)]
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    show.echo(f"{show.words(told.label)}: {show.words(told.about)}")
    for one in told.strategies:
        click.echo()
        _strategy(one)


def _strategy(one: models.FrameworkStrategy) -> None:
    show.echo(f"{one.name or show.words(one.label)}: {show.words(one.about)}", bold=True)
    columns = ("ROLE", "TASKS", "GPUS", "ENDS", "ABOUT")
    show.table(columns, [_role(role) for role in one.roles])
    click.echo()
    show.pairs(
        (
            ("processes", "one per GPU, or as `processes` says" if one.processes else "one in each task"),
            ("with fewer tasks", "continues, down to `min`" if one.elastic else ""),
            ("on trouble", ", ".join(f"{trouble}: {remedy}" for trouble, remedy in one.on.items())),
            ("restarts", str(one.restarts)),
            ("hung after", one.hang_after or "never"),
            ("variables", ", ".join(one.variables)),
        )
    )


def _role(one: models.FrameworkRole) -> Sequence[str]:
    least, most = one.least, "workers" if one.one_for else one.most
    count = f"{least}+" if most is None else str(least) if least == most else f"{least}–{most}"
    usual = show.words(one.usual)
    about = show.words(one.about)
    return [
        one.name,
        count,
        "yes" if one.gpus else "no",
        "with the others" if one.serves else "by itself",
        f"{about}; {usual}" if usual else about,
    ]


def _names(strategies: Sequence[models.FrameworkStrategy]) -> str:
    return ", ".join(one.name for one in strategies if one.name)
