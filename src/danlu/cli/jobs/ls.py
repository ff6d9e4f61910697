"""`danlu ls`: the list of jobs."""

from __future__ import annotations

from typing import Dict, NamedTuple

import click

from danlu.cli.session import Answer, CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import JOB_STATES, KINDS, WordParam, json_option, limit_option
from danlu.cli.shared.show import Cells
from danlu.cli.words import own_command, speak
from danlu.sdk import models

Query = Dict[str, object]
EVERY_S = 2
SORTS = ("created", "-created", "name", "-name", "state", "-ended")


class Columns(NamedTuple):
    """Which columns beside those that every list has."""

    owners: bool
    wide: bool


@click.command()
@click.option("-A", "--all-users", is_flag=True, help="Everybody's jobs, not only your own.")
@click.option("-s", "--state", "states", multiple=True, type=WordParam(JOB_STATES), help="Only these states.")
@click.option("--active", is_flag=True, help="Only jobs that are queued, starting, running or stopping.")
@click.option("--kind", type=WordParam(KINDS), help="Only this kind.")
@click.option("--owner", metavar="USER", help="Only this person's.")
@click.option("--project", metavar="NAME", help="Only this project's.")
@click.option("--search", metavar="TEXT", help="Only names that contain this.")
@click.option(
    "--sort", type=WordParam(SORTS), default="-created", show_default=True, help="How to sort the list."
)
@limit_option(50)
@click.option("--wide", is_flag=True, help="Also show nodes, progress and the latest metric.")
@click.option("-w", "--watch", is_flag=True, help="Refresh the list every two seconds.")
@click.option("-q", "--quiet", is_flag=True, help="Print ids only.")
@json_option
@pass_session
def ls(
    session: CliSession,
    /,
    wide: bool,
    watch: bool,
    limit: int,
    quiet: bool,
    as_json: bool,
    all_users: bool,
    owner: str | None,
    states: tuple[str, ...],
    active: bool,
    **filters: str | None,
) -> None:
    """List jobs, newest first."""
    from danlu.cli.outage import later  # it takes the network along, which `danlu --help` needs not

    wanted = [*states, *(("queued", "starting", "running", "stopping") if active else ())]
    query: Query = {**filters, "state": wanted, "owner": owner or (None if all_users else "me")}
    found = _fetch(session, query, limit or None)
    while True:
        rows, total = found
        if watch and on_terminal():
            click.clear()
        _print(rows, total, Columns(all_users or bool(owner), wide), quiet, as_json)
        if not watch:
            return
        found = later(lambda: _fetch(session, query, limit or None), EVERY_S, note)


def _fetch(
    session: CliSession, query: Query, limit: int | None
) -> tuple[list[Answer[models.JobRow]], int | None]:
    """Rows as they came, page after page, and how many there are in all."""
    rows: list[Answer[models.JobRow]] = []
    cursor = total = None
    while limit is None or len(rows) < limit:
        size = 200 if limit is None else min(200, limit - len(rows))
        page = session.listing(models.JobRow, "jobs", {**query, "limit": size, "cursor": cursor})
        rows += page.items
        total = total if page.total is None else page.total
        cursor = page.next_cursor
        if not cursor or not page.items:
            break
    return rows, total


def _print(
    rows: list[Answer[models.JobRow]], total: int | None, shown: Columns, quiet: bool, as_json: bool
) -> None:
    if as_json:
        print_json({"items": [row.raw for row in rows], "total": total})
        return
    if quiet:
        for row in rows:
            show.echo(row.told.id)
        return
    if not rows:
        note(
            speak(
                "No jobs. Run one with: {danlu} run -- echo hello",
                "没有任务。可以这样运行一个：{danlu} run -- echo hello",
                danlu=own_command(),
            )
        )
        return
    columns = [
        "ID",
        "NAME",
        "STATE",
        *(["OWNER"] if shown.owners else []),
        "PROJECT",
        "GPUS",
        "TASKS",
        "AGE",
        "RAN",
        *(["NODE", "PROGRESS", "METRIC"] if shown.wide else []),
        "WHY",
    ]
    show.table(columns, [_row(row.told, shown) for row in rows], right=("GPUS", "TASKS", "PROGRESS"))
    if total is not None and total > len(rows):
        note(
            speak(
                "{rows} of {total} shown; --limit 0 shows all.",
                "已显示 {rows} / {total} 个；--limit 0 显示全部。",
                rows=len(rows),
                total=total,
            )
        )


def _row(row: models.JobRow, shown: Columns) -> Cells:
    gpus = show.number(row.gpus)
    if row.gpu_model and row.gpus:
        gpus = f"{gpus} {row.gpu_model}"
    return [
        row.id,
        row.title,
        show.state(row.state),
        *([row.owner] if shown.owners else []),
        row.project,
        gpus,
        show.tasks(row.nodes),
        show.ago(row.created_at),
        show.took(row.started_at, row.ended_at),
        *(_going(row) if shown.wide else []),
        show.reason(row.reason),
    ]


def _going(row: models.JobRow) -> list[str]:
    """Where it runs, how far it is, and what it reported last."""
    first, more = row.placed[:1], len(row.placed) - 1
    told = row.latest
    value = "nan" if told is None or told.value is None else f"{told.value:.4g}"
    return [
        "".join(first) + (f" +{more}" if more > 0 else ""),
        "" if row.progress is None else f"{row.progress:.0%}",
        f"{told.metric} {value}" if told is not None and told.metric else "",
    ]
