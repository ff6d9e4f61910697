"""`danlu stacks`: the stack traces of a job's tasks."""

from __future__ import annotations

from typing import Sequence

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.terms import term
from danlu.cli.words import speak
from danlu.domain.words import NOTHING, Words
from danlu.sdk import models
from danlu.sdk.http.paths import segment

_CAUSES = {"hung": Words("when it hung", "挂起时获取于"), "asked": Words("on request", "按请求获取于")}


@click.command()
@job_argument()
@click.option("-t", "--task", metavar="TASK", help="The task, such as worker-1; default: all.")
@click.option("--kept", is_flag=True, help="Show saved stacks, also of a running job.")
@click.option("--attempt", type=click.IntRange(min=1), help="Show the saved stacks of this attempt.")
@json_option
@pass_session
def stacks(
    session: CliSession, /, job: str, task: str | None, kept: bool, attempt: int | None, as_json: bool
) -> None:
    """Show the stack traces of a job's tasks: current ones of a running job, saved ones of a job that hung.

    Lists every process, and the stacks of Python processes if py-spy is installed."""
    found = one_job(session, job).told
    path = f"jobs/{segment(found.id)}/stacks"
    if kept or attempt is not None or found.state != "running":
        answer = session.listing(models.TaskStacks, path, {"task": task, "attempt": attempt})
    else:
        answer = session.listing(models.TaskStacks, path, {"task": task}, "POST")
    if as_json:
        print_json([one.raw for one in answer.items])
        return
    if answer.items and found.state != "running":
        last = max(one.taken_at for one in answer.told)
        note(
            speak(
                "{name} is {state}: showing saved stacks, the last taken at {last}.",
                "{name} 的状态为“{state}”：以下为保存的调用栈，最近一次获取于 {last}。",
                name=found.title,
                state=term(found.state),
                last=show.local(last),
            )
        )
    _print(answer.told)


def _print(items: Sequence[models.TaskStacks]) -> None:
    if not items:
        note(
            speak(
                "No stacks were saved: they are taken when a job hangs, and by this command while it runs.",
                "没有保存的调用栈：任务挂起时会自动获取，运行时也可用此命令获取。",
            )
        )
    for one in items:
        cause = _CAUSES.get(one.cause, NOTHING)
        show.echo(
            speak(
                "── {task}, attempt {attempt}, {cause} at {at}",
                "── {task}，第 {attempt} 次运行，{cause} {at}",
                task=one.task,
                attempt=one.attempt,
                cause=cause,
                at=show.local(one.taken_at),
            )
        )
        show.echo(one.text)
