"""`danlu trends`: what was allocated, requested and used over days and weeks."""

from __future__ import annotations

from typing import Mapping, Sequence

import click

from danlu.cli.session import Answer, CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.usage.resources import CLASSES
from danlu.cli.words import speak
from danlu.domain.words import listed, plain
from danlu.sdk import models

WHOSE, PLOT = "WHOSE", "HELD OVER TIME"
COLUMNS = ("HELD", "QUEUED", "USE", "WAIT", "STARTS", "ENDED|count", "FAILED|count")
_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 48


@click.command()
@click.option("--by", type=WordParam(("project", "user", "class", "model")), help="Group by this.")
@click.option(
    "--since", metavar="TIME", default="7d", show_default=True, help="Since this long ago (7d) or this time."
)
@click.option("--until", metavar="TIME", help="Until this long ago or this time; default: now.")
@click.option("--step", type=WordParam(("hour", "day", "week")), default="day", show_default=True)
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--user", metavar="NAME", help="Only this person.")
@click.option("--mine", is_flag=True, help="Only your own.")
@click.option("--model", metavar="MODEL", help="Only this GPU model; cpu is without GPUs.")
@click.option("--class", "job_class", type=WordParam(CLASSES), help="Only this class.")
@click.option("--csv", "as_csv", is_flag=True, help="Print every point as CSV.")
@json_option
@pass_session
def trends(session: CliSession, /, mine: bool, as_csv: bool, as_json: bool, **said: str | None) -> None:
    """Show how many GPUs were allocated, requested and used, and how long jobs waited.

    Everybody's if you may see it; otherwise your own, and that of your projects (--project)."""
    if mine and said["user"]:
        raise click.UsageError(
            speak("give --mine or --user, not both.", "请给出 --mine 或 --user，不能同时给出。")
        )
    wanted = _wanted({**said, "user": "me" if mine else said["user"]})
    if as_csv:
        table = _asked(session, {**wanted, "format": "csv"}).decode("utf-8", "replace")
        click.echo(plain(table) if on_terminal() else table, nl=False)
        return
    found = Answer(models.Trend, session.http.decode(_asked(session, wanted)))
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    lines = [one for one in told.lines if one.key or not said["by"]]
    if not lines:
        note(speak("Nothing was used in this time.", "这段时间没有用量。"))
        return
    _show(lines, said["by"] or "")
    totals = [
        f"{show.number(_mean([point.total for point in one.points]))} {show.word(one.model)}"
        for one in told.capacity
    ]
    if totals:
        note(speak("On average, {totals} were available.", "平均可用 {totals}。", totals=listed(totals)))


def _asked(session: CliSession, wanted: Mapping[str, str]) -> bytes:
    """The answer; for people who may not see everybody's usage, their own."""
    from danlu.sdk.http.errors import NotAllowed

    try:
        return session.http.send("GET", "trends", wanted)[1]
    except NotAllowed:
        if "user" in wanted or "project" in wanted:
            raise
    note(
        speak(
            "This is your own usage; '--project NAME' shows that of a project you are a member of.",
            "这是你自己的用量；--project NAME 显示你所在项目组的用量。",
        )
    )
    return session.http.send("GET", "trends", {**wanted, "user": "me"})[1]


def _wanted(said: Mapping[str, str | None]) -> dict[str, str]:
    found = {"class" if name == "job_class" else name: value for name, value in said.items() if value}
    for name in ("since", "until"):
        if found.get(name, "-")[:1].isdigit() and found[name][-1:] in "smhdw":
            found[name] = f"-{found[name]}"
    return found


def _show(lines: Sequence[models.TrendLine], by: str) -> None:
    plotted = on_terminal()
    highest = max((point.held for one in lines for point in one.points), default=0)
    columns = [by.upper() or WHOSE, *COLUMNS, *([PLOT] if plotted else [])]
    rows = []
    for one in lines:
        row: show.Cells = [show.word(one.key or "all"), *_amounts(one.points)]
        if plotted:
            row.append(show.Cell(spark([point.held for point in one.points], highest), "blue"))
        rows.append(row)
    show.table(columns, rows, right=COLUMNS)


def _amounts(points: Sequence[models.TrendPoint]) -> list[str]:
    starts = sum(point.starts for point in points)
    waited = sum((point.wait or 0) * point.starts for point in points)
    measured = [(point.use, point.held) for point in points if point.use is not None]
    weight = sum(held for _, held in measured)
    use = sum(part * held for part, held in measured) / weight if weight else None
    return [
        show.number(round(_mean([point.held for point in points]), 2)),
        show.number(round(_mean([point.queued for point in points]), 2)),
        "-" if use is None else f"{use:.0%}",
        show.span(waited / starts) if starts else "-",
        str(starts),
        str(sum(point.ended for point in points)),
        str(sum(point.failed for point in points)),
    ]


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def spark(values: Sequence[float], highest: float) -> str:
    """A small plot: a bar for each value, or for the mean of several where there are many."""
    each = -(-len(values) // _WIDEST) or 1
    means = [sum(values[at : at + each]) / len(values[at : at + each]) for at in range(0, len(values), each)]
    if highest <= 0:
        return _BARS[0] * len(means)
    return "".join(_BARS[min(len(_BARS) - 1, int(mean / highest * len(_BARS)))] for mean in means)
