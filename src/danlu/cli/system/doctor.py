"""`danlu doctor`: what is weak about a running Danlu, and how to mend it."""

from __future__ import annotations

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import FAILED
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, listed
from danlu.sdk import models

_COLOURS = {"high": "red", "medium": "yellow", "low": "blue"}
_SEVERITIES = {"high": Words("high", "高"), "medium": Words("medium", "中"), "low": Words("low", "低")}
_AREAS = {
    "tasks": Words("tasks", "任务隔离"),
    "network": Words("network", "网络"),
    "files": Words("files", "文件"),
    "accounts": Words("accounts", "账号"),
    "records": Words("audit log", "审计日志"),
}


@click.command()
@json_option
@pass_session
def doctor(session: CliSession, as_json: bool) -> None:
    """Check this Danlu: what is weak, and how to mend it. Exits with 1 if something is. Administrators only."""
    report = session.ask(models.SystemReport, "GET", "system/doctor")
    if as_json:
        print_json(report.raw)
    else:
        _print(report.told)
    if not report.told.ok:
        raise SystemExit(FAILED)


def _print(report: models.SystemReport) -> None:
    for one in report.weaknesses:
        show.echo(f"{_word(_SEVERITIES, one.severity)}: {one.code}", _COLOURS.get(one.severity), bold=True)
        show.echo(f"  {show.words(one.text)}")
        fix = speak("to mend it: {fix}", "解决办法：{fix}", fix=show.words(one.fix))
        show.echo(f"  {fix}")
    areas = listed(_AREAS.get(area, area) for area in report.checked)
    count = len(report.weaknesses)
    if count:
        note(
            speak(
                "{count} weak; checked: {areas}", "{count} 处隐患；已检查：{areas}", count=count, areas=areas
            )
        )
    else:
        note(speak("Nothing weak was found; checked: {areas}", "未发现隐患；已检查：{areas}", areas=areas))


def _word(known: dict[str, Words], word: str) -> str:
    """A server may be newer than this program."""
    return spoken(known[word]) if word in known else word
