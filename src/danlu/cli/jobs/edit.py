"""`danlu edit`: change a job's file while it is not active."""

from __future__ import annotations

import sys

import click

from danlu.cli.jobs.submit import UploadProgress
from danlu.cli.session import Answer, CliSession, note, pass_session
from danlu.cli.shared import files
from danlu.cli.shared.jobs import announce, known_job, one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.sdk import models
from danlu.sdk.code.jobfile import LocatedJobFile
from danlu.sdk.http.errors import Invalid
from danlu.sdk.http.paths import segment


@click.command()
@job_argument()
@click.option("-f", "--file", "path", metavar="FILE", help="Use this file instead of opening an editor.")
@json_option
@pass_session
def edit(session: CliSession, job: str, path: str | None, as_json: bool) -> None:
    """Edit a job's file in $EDITOR, or replace it with --file."""
    if path is not None:
        announce(_put(session, job, files.load(path)), "Edited", as_json)
        return
    found = one_job(session, job)
    told = found.told
    text = _header(told.name) + as_yaml(dict(told.spec))
    while True:
        changed = click.edit(text, extension=".yaml")
        if changed is None or changed == text:
            note("Nothing was changed.")
            return
        try:
            file = files.parse(changed.encode(), "job.yaml")
            announce(_put(session, told.id, file, told.version), "Edited", as_json)
            return
        except files.FileRefused:
            if not sys.stdin.isatty() or not click.confirm("Edit again?", default=True, err=True):
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
