"""`danlu resources`: what is free, used and requested, your own and everybody's."""

from __future__ import annotations

from typing import Callable, Mapping

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.show import Cells
from danlu.sdk import models

CLASSES = ("workspace", "single", "distributed", "service")
COLUMNS = ["WHAT", "FREE", "USED", "TOTAL", "LARGEST", "QUEUED", "SHORTAGE", "MINE", "MINE QUEUED"]


@click.command()
@click.option("--mine", is_flag=True, help="Your own jobs, class by class.")
@click.option("--class", "job_class", type=WordParam(CLASSES), help="Jobs of this class only.")
@json_option
@pass_session
def resources(session: CliSession, mine: bool, job_class: str | None, as_json: bool) -> None:
    """Show what is free, used and requested now, by GPU model and by class."""
    found = session.ask(models.Resources, "GET", "resources")
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    if mine or job_class:
        _by_class(told, mine, job_class)
        return
    rows = [_row(one["model"], one, show.number, show.number(one["largest_free"])) for one in told.gpus]
    rows.append(_row("CPUs", told.cpus, show.number))
    rows.append(_row("memory", told.memory, show.size))
    columns = list(COLUMNS)
    if any(one.get("others") for one in (*told.gpus, told.cpus, told.memory)):
        _add_others(columns, rows, told)
    show.table(columns, rows, right=columns[1:])
    jobs, own = told.jobs, told.mine
    note(
        f"{jobs['running']} running and {jobs['queued']} queued, "
        f"of which {own['running']} and {own['queued']} are yours. LARGEST is the most that is free on one node."
    )


def _by_class(found: models.Resources, mine: bool, job_class: str | None) -> None:
    """What jobs of each class use and wait for."""
    used, queued = ("mine_used", "mine_queued") if mine else ("used", "queued")
    rows = []
    for one in found.classes:
        if job_class not in (None, one["class"]):
            continue
        jobs = (
            str(one["mine_running" if mine else "running"]),
            str(one["mine_queued" if mine else "queued"]),
        )
        parts = [(part["model"], part) for part in one["gpus"]] + [("CPUs", one["cpus"])]
        for what, part in parts:
            if part[used] or part[queued]:
                rows.append([one["class"], *jobs, what, show.number(part[used]), show.number(part[queued])])
    if not rows:
        note("No such jobs are running or waiting.")
        return
    columns = ["CLASS", "RUNNING", "QUEUED", "WHAT", "USED", "WANTED"]
    show.table(columns, rows, right=("RUNNING", "QUEUED", "USED", "WANTED"))


def _add_others(columns: list[str], rows: list[Cells], found: models.Resources) -> None:
    """What others than Danlu use, after what Danlu uses."""
    at = columns.index("USED") + 1
    columns.insert(at, "OTHERS")
    writers = [*([show.number] * (len(rows) - 1)), show.size]
    for row, one, write in zip(rows, (*found.gpus, found.cpus, found.memory), writers):
        row.insert(at, write(one.get("others")))


def _row(
    what: str, one: Mapping[str, float], write: Callable[[float | None], str], largest: str = ""
) -> Cells:
    shortage = show.Cell(write(one["shortage"]), "yellow" if one["shortage"] else None)
    amounts = [write(one[key]) for key in ("free", "used", "total")]
    return [
        what,
        *amounts,
        largest,
        write(one["queued"]),
        shortage,
        write(one["mine_used"]),
        write(one["mine_queued"]),
    ]
