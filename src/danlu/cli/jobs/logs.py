"""`danlu logs`: what tasks wrote."""

from __future__ import annotations

import sys
from typing import Iterable, Sequence

import click

from danlu.cli.session import CliSession, note, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.jobs import known_job, one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.shared.prefixes import Prefixes
from danlu.cli.words import speak
from danlu.domain.words import escaped
from danlu.sdk.resources.all_logs import MOST_FOLLOWED
from danlu.sdk.resources.logs import LogLine


@click.command()
@job_argument()
@click.option("-f", "--follow", is_flag=True, help="Follow the log until the task has ended, or all of them.")
@click.option("-t", "--task", metavar="TASK", help="Only this task, such as worker-1; default: all tasks.")
@click.option(
    "--try",
    "try_",
    type=click.IntRange(min=0),
    metavar="N",
    help="The try of a restarted task; 0 is the first.",
)
@click.option("--attempt", type=click.IntRange(min=1), help="The attempt; default: the latest.")
@click.option("-n", "--tail", type=click.IntRange(min=0), help="Only the last N lines (of each task).")
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
    """Print the log of a job: of all its tasks, merged by time, each line with its task; or of one.

    A task that was restarted has one log per try: the last one is printed; --try 0 prints the first."""
    told = one_job(session, job).told
    tasks = [] if task or try_ is not None else [one.name for one in told.tasks]
    if len(tasks) > 1 or (not (task or try_ is not None or tasks) and told.nodes != 1):
        _warn_of_many(tasks, follow)
        lines = session.client.all_logs(told.id, attempt, follow, tail, search)
    else:
        lines = session.client.logs(
            told.id, follow=follow, task=task, try_=try_, attempt=attempt, tail=tail, search=search
        )
    known_job(session, job, lambda: _print(lines, timestamps, as_json, Prefixes(tasks)))


def _warn_of_many(tasks: Sequence[str], follow: bool) -> None:
    if follow and len(tasks) > MOST_FOLLOWED:
        note(
            speak(
                "Following {shown} of {all} tasks; --task follows any.",
                "正在跟踪 {all} 个子任务中的 {shown} 个；用 --task 可跟踪任意一个。",
                shown=MOST_FOLLOWED,
                all=len(tasks),
            )
        )


def _print(lines: Iterable[LogLine], timestamps: bool, as_json: bool, prefixes: Prefixes) -> None:
    """Line by line; buffered if the output is not a terminal."""
    live = sys.stdout.isatty()
    write = sys.stdout.write
    for line in lines:
        if as_json:
            write(_as_json(line) + "\n")
        else:
            text = show.log_text(line.text) if live else line.text
            text = f"{show.clock(line.time)}  {text}\n" if timestamps else text + "\n"
            write(prefixes.of(line.task) + text)
        if live:
            sys.stdout.flush()
    sys.stdout.flush()


def _as_json(line: LogLine) -> str:
    import json

    told = {"offset": line.offset, "time": line.time, "stream": line.stream, "text": line.text}
    told = {"task": line.task, **told} if line.task else told
    return escaped(json.dumps(told, ensure_ascii=False))
