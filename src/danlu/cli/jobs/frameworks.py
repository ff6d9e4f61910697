"""`danlu framework`: what tasks of each framework get, and the defaults that apply where a job file says nothing."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Mapping, Sequence

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import json_option
from danlu.cli.words import meant, speak, spoken
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
    show.echo(_titled(show.words(told.label), told.about))
    for one in told.strategies:
        click.echo()
        _strategy(one)


def _strategy(one: models.FrameworkStrategy) -> None:
    show.echo(_titled(one.name or show.words(one.label), one.about), bold=True)
    columns = ("ROLE", "TASKS", "GPUS", "ENDS|how", "ABOUT")
    show.table(columns, [_role(role) for role in one.roles])
    click.echo()
    show.pairs(
        (
            (
                "processes",
                speak("one per GPU, or as `processes` says", "每卡一个，或由 `processes` 指定")
                if one.processes
                else speak("one in each task", "每个子任务一个"),
            ),
            (
                "with fewer tasks",
                speak("continues, down to `min`", "继续运行，最少 `min` 个") if one.elastic else "",
            ),
            ("on trouble", ", ".join(f"{trouble}: {remedy}" for trouble, remedy in one.on.items())),
            ("restarts", str(one.restarts)),
            ("hung after", show.length(one.hang_after) or speak("never", "不判定")),
            ("variables", spoken(listed(one.variables))),
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
        show.yes(one.gpus),
        speak("with the others", "随其他角色结束") if one.serves else speak("by itself", "自行结束"),
        speak("{about}; {usual}", "{about}；{usual}", about=about, usual=usual) if usual else about,
    ]


def _names(strategies: Sequence[models.FrameworkStrategy]) -> str:
    return spoken(listed(one.name for one in strategies if one.name))


def _titled(name: str, about: Mapping[str, str]) -> str:
    return speak("{name}: {about}", "{name}：{about}", name=name, about=show.words(about))
