"""`danlu logs`: what a task wrote."""

from __future__ import annotations

import sys
from typing import Iterable

import click

from danlu.cli.session import CliSession, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.jobs import known_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.domain.words import escaped
from danlu.sdk.resources.logs import LogLine


@click.command()
@job_argument()
@click.option("-f", "--follow", is_flag=True, help="Follow the log until the task has ended.")
@click.option("-t", "--task", metavar="TASK", help="The task, such as worker-1; default: the first.")
@click.option(
    "--try",
    "try_",
    type=click.IntRange(min=0),
    metavar="N",
    help="The try of a restarted task; 0 is the first.",
)
@click.option("--attempt", type=click.IntRange(min=1), help="The attempt; default: the latest.")
@click.option("-n", "--tail", type=click.IntRange(min=0), help="Only the last N lines.")
@click.option("--search", metavar="TEXT", help="Only lines that contain this.")
@click.option("--timestamps", is_flag=True, help="Begin each line with its time.")
@json_option
@pass_session
def logs(
    session: CliSession,
    /,
    job: str,
    timestamps: bool,
    as_json: bool,
    follow: bool,
    task: str | None,
    try_: int | None,
    attempt: int | None,
    tail: int | None,
    search: str | None,
) -> None:
    """Print the log of a job's task.

    A task that was restarted has one log per try: the last one is printed; --try 0 prints the first."""
    lines = session.client.logs(
        job, follow=follow, task=task, try_=try_, attempt=attempt, tail=tail, search=search
    )
    known_job(session, job, lambda: _print(lines, timestamps, as_json))


def _print(lines: Iterable[LogLine], timestamps: bool, as_json: bool) -> None:
    """Line by line; buffered if the output is not a terminal."""
    live = sys.stdout.isatty()
    write = sys.stdout.write
    for line in lines:
        if as_json:
            write(_as_json(line) + "\n")
        else:
            text = show.log_text(line.text) if live else line.text
            write(f"{show.clock(line.time)}  {text}\n" if timestamps else text + "\n")
        if live:
            sys.stdout.flush()
    sys.stdout.flush()


def _as_json(line: LogLine) -> str:
    import json

    told = {"offset": line.offset, "time": line.time, "stream": line.stream, "text": line.text}
    return escaped(json.dumps(told, ensure_ascii=False))
