"""`danlu top`: what jobs use right now, task by task."""

from __future__ import annotations

from typing import Iterable, NamedTuple, Sequence

import click

from danlu.cli.session import Answer, CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import JobNameParam, json_option
from danlu.cli.terms import term
from danlu.cli.words import speak
from danlu.sdk import models
from danlu.sdk.http.errors import NotFound
from danlu.sdk.http.paths import segment

LIVE = ("starting", "running", "stopping")
LATEST = {"window": "30s", "points": 10}
EVERY_S = 3
COLUMNS = ("JOB", "TASK", "NODE", "CPUS", "MEMORY", "GPU IDS", "GPU BUSY", "GPU MEMORY")
UNKNOWN = "-"


@click.command()
@click.argument("jobs", metavar="[JOB]...", type=JobNameParam(), nargs=-1)
@click.option("--once", is_flag=True, help="Show it once; default on a terminal: refresh every few seconds.")
@json_option
@pass_session
def top(session: CliSession, jobs: tuple[str, ...], once: bool, as_json: bool) -> None:
    """Show what your running jobs use, or the jobs named, as measured every few seconds."""
    from danlu.cli.outage import later  # it takes the network along, which `danlu --help` needs not

    found = _fetch(session, jobs)
    if as_json:
        print_json({"items": [{**one.about, **one.used.raw} for one in found]})
        return
    again = on_terminal() and not once
    while True:
        if again:
            click.clear()
        _print(found)
        if not again:
            return
        found = later(lambda: _fetch(session, jobs), EVERY_S, note)


class Used(NamedTuple):
    """A job and what it uses."""

    job: models.JobRow
    used: Answer[models.JobUsage]

    @property
    def about(self) -> dict[str, str]:
        return {"job_id": self.job.id, "job_name": self.job.title, "state": self.job.state}


def _fetch(session: CliSession, names: Sequence[str]) -> list[Used]:
    """The answer for each job."""
    jobs: Iterable[models.JobRow]
    if names:
        jobs = [one_job(session, name).told for name in names]
    else:
        jobs = session.client.jobs(owner="me", state=list(LIVE))
    found = []
    for job in jobs:
        try:
            used = session.ask(models.JobUsage, "GET", f"jobs/{segment(job.id)}/usage", LATEST)
        except NotFound:
            if names:
                raise
            continue  # deleted meanwhile
        found.append(Used(job, used))
    return found


def _print(found: Sequence[Used]) -> None:
    rows = [_row(one.job.title, task) for one in found for task in one.used.told.items]
    if rows:
        show.table(COLUMNS, rows, right=("GPU BUSY",))
    elif not found:
        note(
            speak(
                "None of your jobs is running. 'danlu queue' shows waiting jobs; 'danlu top JOB' what a job used last.",
                "你没有运行中的任务。danlu queue 显示队列中的任务；danlu top JOB 显示任务最近的用量。",
            )
        )
    for job, used in found:
        if not used.told.items:
            note(
                speak(
                    "{name} is {state} and has not run yet.",
                    "{name} {state}，尚未运行过。",
                    name=job.title,
                    state=term(job.state),
                )
            )
        elif job.state not in LIVE:
            note(
                speak(
                    "{name} is {state}; this is what it used last.",
                    "{name} {state}；以上为最近一次的用量。",
                    name=job.title,
                    state=term(job.state),
                )
            )


def _row(job: str, task: models.TaskUsage) -> show.Cells:
    cpus, memory = task.cpus.last, task.memory.last
    busy = _known([gpu.busy.last for gpu in task.gpus])
    held = _known([gpu.memory.last for gpu in task.gpus])
    return [
        job,
        task.task,
        task.node,
        UNKNOWN if cpus is None else show.part(f"{cpus:.2f}", show.number(task.cpus_given)),
        UNKNOWN if memory is None else show.part(show.size(memory), show.size(task.memory_given)),
        ",".join(str(index) for index in task.gpus_given) or UNKNOWN,
        speak("{busy} %", "{busy}%", busy=f"{sum(busy) / len(busy):.0f}") if busy else UNKNOWN,
        show.size(sum(held)) if held else UNKNOWN,
    ]


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]
