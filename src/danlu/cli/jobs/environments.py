"""`danlu env`: the packages that your jobs installed."""

from __future__ import annotations

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import address
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.sdk import models

COLUMNS = ("KEY", "MADE FROM", "PACKAGES", "SIZE|bytes", "LAST USED", "JOB", "STATE")
_LONGEST = 40


@click.group("env", cls=HelpfulGroup)
def env() -> None:
    """Environments: packages that your jobs installed, kept for the next job."""


@env.command("ls")
@json_option
@pass_session
def env_ls(session: CliSession, as_json: bool) -> None:
    """List your environments, those used last first."""
    found = session.listing(models.EnvironmentRow, "me/environments")
    if as_json:
        print_json(found.raw)
    elif not found.items:
        note(
            speak(
                "You have no environments. A job with packages makes one: danlu run --pip NAME -- python train.py",
                "还没有环境。带有软件包的任务会创建环境：danlu run --pip NAME -- python train.py",
            )
        )
    else:
        show.table(COLUMNS, [_row(one) for one in found.told])


@env.command("show")
@click.argument("key")
@json_option
@pass_session
def env_show(session: CliSession, key: str, as_json: bool) -> None:
    """Show an environment and what is installed in it."""
    found = session.ask(models.Environment, "GET", address("me/environments", key))
    if as_json:
        print_json(found.raw)
        return
    one = found.told
    show.pairs(
        [
            ("key", one.key),
            ("made from", one.made_from),
            ("made by", one.job),
            ("made", show.local(one.made_at)),
            ("last used", show.local(one.used_at)),
            ("size|bytes", show.size(one.size)),
            ("Python", one.python),
            ("state", _state(one)),
            ("path", speak("{path} in your personal directory", "个人目录中的 {path}", path=one.path)),
        ]
    )
    if one.installed:
        show.table(("PACKAGE", "VERSION"), [[package.name, package.version] for package in one.installed])


@env.command("rm")
@click.argument("key")
@yes_option
@pass_session
def env_rm(session: CliSession, key: str, yes: bool) -> None:
    """Delete an environment that no running job uses; the next job that wants its packages installs them again."""
    surely(
        speak("Delete environment {key} with its packages?", "删除环境 {key} 及其软件包？", key=key),
        yes,
    )
    session.do("DELETE", address("me/environments", key))
    note(speak("Deleted environment {key}.", "已删除环境 {key}。", key=key))


def _row(one: models.EnvironmentRow) -> list[str]:
    text = one.made_from if len(one.made_from) <= _LONGEST else one.made_from[: _LONGEST - 1] + "…"
    used = show.local(one.used_at)
    return [one.key, text, str(one.packages), show.size(one.size), used, one.job, _state(one)]


def _state(one: models.EnvironmentRow) -> str:
    if one.building:
        return speak("installing", "安装中")
    return speak("in use", "使用中") if one.in_use else speak("ready", "可用")
