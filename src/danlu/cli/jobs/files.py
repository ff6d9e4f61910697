"""`danlu get` and `danlu keep`: the files of a job."""

from __future__ import annotations

import os
import sys

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.entries import MOST_LISTED, LineProgress, entry_rows
from danlu.cli.shared.jobs import known_job, one_job
from danlu.cli.shared.options import WordParam, job_argument, json_option
from danlu.cli.words import speak
from danlu.domain.file_names import shown_name
from danlu.sdk import models
from danlu.sdk.http.paths import segment


@click.command()
@job_argument()
@click.argument("path", default="")
@click.option(
    "-o", "--output", metavar="DEST", default="", help="Where to put it; '-' prints a file. Default: here."
)
@click.option("-l", "--list", "only_list", is_flag=True, help="List the folder instead of downloading it.")
@click.option("-t", "--task", metavar="TASK", help="The task, such as worker-1; default: all, or the first.")
@click.option("--attempt", type=click.IntRange(min=1), help="The attempt; default: the latest.")
@click.option(
    "--folder",
    type=WordParam(["work", "checkpoints"]),
    default="work",
    help="work: where the task works (default); checkpoints: where the job keeps them.",
)
@click.option("--overwrite", is_flag=True, help="Overwrite a file that exists already.")
@json_option
@pass_session
def get(
    session: CliSession,
    /,
    job: str,
    path: str,
    output: str,
    only_list: bool,
    task: str | None,
    attempt: int | None,
    folder: str,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Download a file or folder of a job, while it runs or after; without PATH its whole working folder.

    A job of several tasks has a folder for each. A download that broke off goes on when the command is run again."""
    where = _Wanted(session, job, folder, task, attempt, path.strip("/"))
    if only_list:
        known_job(session, job, lambda: _list(where, as_json))
        return
    if output == "-":
        known_job(session, job, where.print)
        return
    found = one_job(session, job).told
    tasks = [one.name for one in found.tasks] if not attempt else []
    if where.path or task or folder != "work" or len(tasks) < 2:
        name = os.path.basename(where.path) or found.title
        places = [(task, _target(output, name))]
    else:
        base = _target(output, found.title)
        os.makedirs(base, exist_ok=True)
        places = [(one, os.path.join(base, one)) for one in tasks]
    for one, target in places:
        known_job(session, job, lambda one=one, target=target: where.fetch(one, target, overwrite))  # type: ignore[misc]


@click.command()
@job_argument()
@click.option("--off", is_flag=True, help="Keep them only as long as usual.")
@json_option
@pass_session
def keep(session: CliSession, job: str, off: bool, as_json: bool) -> None:
    """Keep the files of a job until it is deleted, within your quota of results."""
    method, path = "DELETE" if off else "PUT", f"jobs/{segment(job)}/files/kept"
    kept = known_job(session, job, lambda: session.ask(models.Retention, method, path))
    if as_json:
        print_json(kept.raw)
    else:
        show.echo(retention(kept.told))


def retention(kept: models.Retention) -> str:
    """How long the results of a job are kept, and how much there is."""
    size = speak(", {size}", "，{size}", size=show.size(kept.size)) if kept.size is not None else ""
    if kept.until:
        return speak(
            "Kept until {until}{size}.", "保留至 {until}{size}。", until=show.local(kept.until), size=size
        )
    if kept.wanted:
        return speak("Kept until the job is deleted{size}.", "保留到任务被删除为止{size}。", size=size)
    return speak("Kept for now{size}.", "暂时保留{size}。", size=size)


class _Wanted:
    """What is asked for of a job."""

    def __init__(
        self, session: CliSession, job: str, folder: str, task: str | None, attempt: int | None, path: str
    ) -> None:
        self.session, self.job, self.path = session, job, path
        self.folder, self.task, self.attempt = folder, task, attempt

    def fetch(self, task: str | None, target: str, overwrite: bool) -> None:
        progress = LineProgress(target)
        done = self.session.client.files.get(
            self.job, self.path, target, self.folder, task, self.attempt, overwrite, progress
        )
        progress.end()
        show.echo(shown_name(os.fsencode(done)))

    def print(self) -> None:
        data = self.session.client.files.read(self.job, self.path, self.folder, self.task, self.attempt)
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _list(where: _Wanted, as_json: bool) -> None:
    files = where.session.client.files
    page = files.look(where.job, where.path, where.folder, where.task, where.attempt)
    found = [
        one
        for one, _ in zip(
            files.ls(where.job, where.path, where.folder, where.task, where.attempt), range(MOST_LISTED)
        )
    ]
    if as_json:
        told = [
            {"name": one.name, "key": one.key, "kind": one.kind, "size": one.size, "modified": one.modified}
            for one in found
        ]
        print_json({"state": page.state, "total": page.total, "items": told})
        return
    if found:
        show.table(["SIZE", "MODIFIED", "NAME"], entry_rows(found), right=["SIZE"])
    if page.total > len(found):
        note(
            speak(
                "{shown} of {total} entries; --json or the Python client list all.",
                "共 {total} 项，此处列出 {shown} 项；Python 客户端可列出全部。",
                shown=len(found),
                total=page.total,
            )
        )
    if not found:
        note(_why_empty(page))
    elif page.retention is not None:
        note(retention(page.retention), dim=True)


def _why_empty(page: models.FileList) -> str:
    return {
        "ready": speak("Nothing is there.", "目录为空。"),
        "not_started": speak("The job has not started yet.", "任务尚未开始运行。"),
        "nothing": speak("Nothing was left.", "没有留下文件。"),
        "gone": speak("Gone since {since}.", "已于 {since} 清除。", since=show.local(page.gone_since)),
        "elsewhere": speak(
            "Not available on this cluster yet; write what you need to a volume.",
            "该集群暂不支持查看文件，请将所需内容写入存储卷。",
        ),
    }.get(page.state, page.state)


def _target(output: str, name: str) -> str:
    from danlu.sdk.resources.downloads import safe_name

    name = safe_name(name)
    if not output:
        return name
    return os.path.join(output, name) if os.path.isdir(output) or output.endswith("/") else output
