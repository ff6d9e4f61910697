"""`danlu edit`: change a job that is not active or only waits."""

from __future__ import annotations

import sys

import click

from danlu.cli.jobs.submit import UploadProgress
from danlu.cli.session import Answer, CliSession, note, pass_session
from danlu.cli.shared import files
from danlu.cli.shared.jobs import announce, known_job, one_job
from danlu.cli.shared.options import WordParam, job_argument, json_option
from danlu.cli.words import speak
from danlu.sdk import models
from danlu.sdk.code.jobfile import LocatedJobFile
from danlu.sdk.http.errors import Invalid
from danlu.sdk.http.paths import segment

LEFT_OUT = ("node_selector", "topology", "max_time")


@click.command()
@job_argument()
@click.option("-f", "--file", "path", metavar="FILE", help="Use this file instead of opening an editor.")
@click.option("--gpus", type=float, metavar="N", help="GPUs of each task (of all together with nodes: auto).")
@click.option("--gpu", metavar="MODEL", help="The GPU model, or several as 'A100|H100'.")
@click.option("--cpus", type=float, metavar="N", help="CPUs of each task.")
@click.option("--memory", metavar="SIZE", help="Memory of each task, such as 64GiB.")
@click.option("--tasks", type=int, metavar="N", help="How many tasks.")
@click.option("--flavor", metavar="NAME", help="A flavor in place of a size.")
@click.option("--project", metavar="NAME", help="The project to queue in.")
@click.option("--priority", metavar="NAME", help="The priority class.")
@click.option(
    "--justification", metavar="TEXT", help="Why it needs its priority, where the class asks for that."
)
@click.option("--expected-time", metavar="TIME", help="How long it should take, such as 2h.")
@click.option("--max-time", metavar="TIME", help="How long it may run at most.")
@click.option("--without", multiple=True, type=WordParam(LEFT_OUT), help="Take this out of the job's file.")
@json_option
@pass_session
def edit(
    session: CliSession,
    /,
    job: str,
    path: str | None,
    without: tuple[str, ...],
    as_json: bool,
    **changes: object,
) -> None:
    """Change a job that is not active or only waits: with options, in $EDITOR, or with --file.

    A job that waits keeps its place unless it asks for more, for longer or for something else."""
    said = {key: value for key, value in changes.items() if value is not None}
    if path is not None and (said or without):
        raise click.UsageError(
            speak("Give --file, or what to change, not both.", "--file 与其他修改选项不能同时使用。")
        )
    if said or without:
        body = {**said, **({"without": list(without)} if without else {})}
        announce(_changed(session, job, body), "Changed", as_json)
    elif path is not None:
        announce(_put(session, job, files.load(path)), "Edited", as_json)
    else:
        _in_editor(session, job, as_json)


def _changed(session: CliSession, job: str, body: object) -> Answer[models.Job]:
    path = f"jobs/{segment(job)}/spec"
    return known_job(session, job, lambda: session.ask(models.Job, "PATCH", path, None, body))


def _in_editor(session: CliSession, job: str, as_json: bool) -> None:
    found = one_job(session, job)
    told = found.told
    text = _header(told.title) + as_yaml(dict(told.spec))
    while True:
        changed = click.edit(text, extension=".yaml")
        if changed is None or changed == text:
            note(speak("Nothing was changed.", "未作任何修改。"))
            return
        try:
            file = files.parse(changed.encode(), "job.yaml")
            announce(_put(session, told.id, file, told.version), "Edited", as_json)
            return
        except files.FileRefused:
            if not sys.stdin.isatty() or not click.confirm(
                speak("Edit again?", "重新编辑？"), default=True, err=True
            ):
                raise
            text = changed


def as_yaml(spec: object) -> str:
    import yaml  # only where a file is written

    return str(yaml.safe_dump(spec, sort_keys=False, allow_unicode=True, width=100))


def _put(
    session: CliSession, job: str, file: LocatedJobFile, version: int | None = None
) -> Answer[models.Job]:
    try:
        body = session.client.prepared(file.data, file.folder, UploadProgress())
        path, query = f"jobs/{segment(job)}/spec", {"version": version}
        return known_job(session, job, lambda: session.ask(models.Job, "PUT", path, query, body))
    except Invalid as error:
        raise files.refuse(file, error) from None


def _header(name: str) -> str:
    return f"# The job file of {name}. Save and quit to change the job; quit without saving to keep it.\n"
