"""`danlu compare`: jobs beside each other."""

from __future__ import annotations

import math
from typing import Sequence

import click

from danlu.cli.jobs.metrics import value
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.domain.words import one_line
from danlu.sdk.resources.compare import Comparison

MOST = 10
_WIDEST = 40


@click.command()
@click.argument("jobs", metavar="JOB...", nargs=-1, required=True)
@click.option("--all", "everything", is_flag=True, help="Also list the parameters that are the same.")
@json_option
@pass_session
def compare(session: CliSession, /, jobs: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Compare two to ten jobs: the parameters that differ, and the last values of their metrics."""
    given = list(dict.fromkeys(jobs))
    if not 2 <= len(given) <= MOST:
        raise click.UsageError(
            speak(
                "compare takes two to {most} different jobs; {count} given.",
                "compare 需要 2 到 {most} 个不同的任务，实际给出 {count} 个。",
                most=MOST,
                count=len(given),
            )
        )
    found = session.client.compare([one_job(session, job).told.id for job in given])
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found, everything)


def _print(found: Comparison, everything: bool) -> None:
    columns = ["", *(job.title for job in found.jobs)]
    rows: list[show.Cells] = [[show.heading_said("state"), *(show.state(job.state) for job in found.jobs)]]
    shown = [one for one in found.parameters if one.differs or everything]
    rows += [[one.name, *(_short(each) for each in one.values)] for one in shown]
    rows += [
        [one.name, *("–" if each is None else value(_told(each)) for each in one.values)]
        for one in found.metrics
    ]
    show.table(columns, rows)
    same = len(found.parameters) - len(shown)
    if same:
        note(
            speak(
                "{count} parameters are the same; --all lists them.",
                "另有 {count} 个参数相同；使用 --all 列出。",
                count=same,
            )
        )


def _short(text: str | None) -> str:
    return "–" if text is None else show.cut(one_line(text), _WIDEST)


def _told(number: float) -> float | None:
    return None if math.isnan(number) else number


def _as_json(found: Comparison) -> dict[str, object]:
    def values(row: Sequence[float | None]) -> list[object]:
        return ["nan" if each is not None and math.isnan(each) else each for each in row]

    return {
        "jobs": [
            {"id": job.id, "name": job.name, "run": job.run, "state": job.state, "owner": job.owner}
            for job in found.jobs
        ],
        "parameters": [one._asdict() for one in found.parameters],
        "metrics": [{"name": one.name, "values": values(one.values)} for one in found.metrics],
    }
