"""`danlu resources`: what is free, used and requested, your own and everybody's."""

from __future__ import annotations

from typing import Callable, Mapping

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.show import Cells
from danlu.cli.words import speak
from danlu.sdk import models

CLASSES = ("workspace", "single", "distributed", "service")
COLUMNS = [
    "WHAT|resource",
    "FREE",
    "USED",
    "TOTAL",
    "LARGEST",
    "QUEUED",
    "SHORTAGE",
    "MINE",
    "MINE QUEUED",
    "MINE SHORT",
]


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
    rows.append(_row(show.word("CPUs"), told.cpus, show.number))
    rows.append(_row(show.word("memory"), told.memory, show.size))
    columns = list(COLUMNS)
    for key, after, name in (("closed", "FREE", "CLOSED"), ("others", "USED", "OTHERS")):
        if any(one.get(key) for one in (*told.gpus, told.cpus, told.memory)):
            _add(columns, rows, told, key, columns.index(after) + 1, name)
    show.table(columns, rows, right=columns[1:])
    jobs, own = told.jobs, told.mine
    note(
        speak(
            "{running} running and {queued} queued, of which {running_2} and {queued_2} are yours. "
            "LARGEST is the most that is free on one node.",
            "{running} 个任务运行中，{queued} 个队列中，其中你的分别为 {running_2} 个和 {queued_2} 个。",
            running=jobs["running"],
            queued=jobs["queued"],
            running_2=own["running"],
            queued_2=own["queued"],
        )
    )


def _by_class(found: models.Resources, mine: bool, job_class: str | None) -> None:
    """What there is for jobs of each class, and what they use and wait for."""
    used, queued, shortage = (f"mine_{key}" if mine else key for key in ("used", "queued", "shortage"))
    rows: list[Cells] = []
    for one in found.classes:
        if job_class not in (None, one["class"]):
            continue
        jobs = [_jobs(one, state, mine) for state in ("running", "queued")]
        parts = [(part["model"], part) for part in one["gpus"]] + [(show.word("CPUs"), one["cpus"])]
        for what, part in parts:
            short = show.Cell(show.number(part[shortage]), "yellow" if part[shortage] else None)
            amounts = [show.number(part[key]) for key in ("free", "total", used, queued)]
            rows.append([show.word(one["class"]), *jobs, what, *amounts, short])
    columns = ["CLASS", "RUNNING", "QUEUED", "WHAT|resource", "FREE", "TOTAL", "USED", "WANTED", "SHORTAGE"]
    show.table(columns, rows, right=[name for name in columns if name not in ("CLASS", "WHAT|resource")])
    note(
        speak(
            "FREE and TOTAL are of the nodes in pools that serve the class; jobs are followed by their tasks.",
            "空闲和总量只计服务于该类别的资源池；任务数后的括号内为子任务数。",
        )
    )


def _jobs(one: Mapping[str, int], state: str, mine: bool) -> str:
    """`2 (5)`: jobs and their tasks."""
    whose = "mine_" if mine else ""
    jobs, tasks = one[whose + state], one[f"{whose}tasks_{state}"]
    return f"{jobs} ({tasks})" if jobs else "0"


def _add(
    columns: list[str], rows: list[Cells], found: models.Resources, key: str, at: int, name: str
) -> None:
    """What others than Danlu use, or what is idle on nodes that take no jobs."""
    columns.insert(at, name)
    writers = [*([show.number] * (len(rows) - 1)), show.size]
    for row, one, write in zip(rows, (*found.gpus, found.cpus, found.memory), writers):
        row.insert(at, write(one.get(key)))


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
        write(one.get("mine_shortage")),
    ]
