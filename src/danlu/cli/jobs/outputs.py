"""`danlu outputs`: what is kept of what a job leaves."""

from __future__ import annotations

from typing import Mapping, Sequence

import click

from danlu.cli.session import Answer, CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import FAILED
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.shared.show import Cell, Cells
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, same
from danlu.sdk import models
from danlu.sdk.http.paths import segment

Found = Sequence[Answer[models.JobOutput]]
_STATES: Mapping[str, tuple[Words, str]] = {
    "declared": (Words("declared", "已声明"), "bright_black"),
    "skipped": (Words("skipped", "未生成"), "bright_black"),
    "pending": (Words("pending", "等待中"), "yellow"),
    "making": (Words("being made", "生成中"), "blue"),
    "done": (Words("done", "已生成"), "green"),
    "failed": (Words("failed", "失败"), "red"),
}


@click.command()
@job_argument()
@click.option("--retry", is_flag=True, help="Make those again that failed.")
@click.option("--wait", is_flag=True, help="Wait until all are made; exit code 1 if one failed.")
@json_option
@pass_session
def outputs(session: CliSession, /, job: str, retry: bool, wait: bool, as_json: bool) -> None:
    """Show what is kept of what a job leaves, as its file declares: versions of datasets, and folders of volumes.

    They are made once the job has ended. One that failed does not change the job; correct the cause, and --retry."""
    found = one_job(session, job).told
    path = f"jobs/{segment(found.id)}/outputs"
    if retry:
        session.do("POST", f"{path}/retry", body={"outputs": []})
    if wait:
        session.client.outputs.wait(found.id)
    items = session.listing(models.JobOutput, path).items
    if as_json:
        print_json([one.raw for one in items])
    else:
        _print(found, items)
    if wait and any(one.told.state == "failed" for one in items):
        raise click.exceptions.Exit(FAILED)


def _print(job: models.Job, items: Found) -> None:
    told = [one.told for one in items]
    if not told:
        note(
            speak(
                "{name} declares no outputs: its file says with `outputs` what is kept of its working folder.",
                "{name} 没有声明输出：在任务文件中用 `outputs` 指定保留工作目录中的哪些内容。",
                name=job.title,
            )
        )
        return
    tell_outputs(job, told)


def tell_outputs(job: models.Job, items: Sequence[models.JobOutput]) -> None:
    """A table, and below it why some failed and what to do."""
    show.table(["ATTEMPT", "PATH", "STATE", "FILES", "SIZE|bytes", "TO"], [_row(one) for one in items])
    for one in items:
        if one.problem is not None:
            show.echo()
            show.echo(f"{one.path}: {show.words(one.problem.text)}", bold=True)
            if advice := show.words(one.problem.advice):
                show.echo(advice.replace("JOB", job.title))


def _row(one: models.JobOutput) -> Cells:
    words, colour = _STATES.get(one.state, (same(one.state), ""))
    counted = one.state in ("making", "done")
    return [
        str(one.attempt or ""),
        one.path,
        Cell(spoken(words), colour or None),
        show.number(one.files) if counted else "",
        show.size(one.bytes) if counted else "",
        f"{one.target} ({one.tag})" if one.tag else one.target,
    ]
