"""`danlu template`: job files to start from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.jobs.edit import as_yaml
from danlu.cli.jobs.run import followed
from danlu.cli.jobs.submit import UploadProgress, overlay, send
from danlu.cli.session import CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import files, show
from danlu.cli.shared.crud import Crud, address, print_list, said, something, told
from danlu.cli.shared.crud import send as send_change
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import json_option, key_value
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, plain
from danlu.sdk import models
from danlu.sdk.code.jobfile import LocatedJobFile
from danlu.sdk.http.errors import Invalid

PATH = "templates"
COLUMNS = ("NAME", "OWNER", "KIND", "SHARED WITH", "CHANGED", "DESCRIPTION")
EMPTY = Words(
    "There are no templates. Create one from a job file: danlu template create NAME job.yaml",
    "没有模板。可以由任务文件创建：danlu template create NAME job.yaml",
)


@click.group(cls=HelpfulGroup)
def template() -> None:
    """Templates: job files to start from, your own and those shared with your projects.

    Refer to your own template by its name, and to another person's as OWNER:NAME.
    """


@template.command("ls")
@click.option("--owner", metavar="NAME", help="Only this person's; 'me' is yourself.")
@click.option("--project", metavar="NAME", help="Only those shared with this project.")
@json_option
@pass_session
def template_ls(session: CliSession, owner: str | None, project: str | None, as_json: bool) -> None:
    """List your templates and those shared with your projects."""
    asked = {"owner": owner, "project": project}
    print_list(session.pages(models.TemplateRow, PATH, None, asked), as_json, spoken(EMPTY), COLUMNS, _row)


@template.command("show")
@click.argument("name")
@json_option
@pass_session
def template_show(session: CliSession, name: str, as_json: bool) -> None:
    """Print a template's job file; --json prints the whole template."""
    if as_json:
        print_json(session.do("GET", address(PATH, name)))
    else:
        text = as_yaml(dict(session.client.templates.get(name).job))
        click.echo(plain(text) if on_terminal() else text, nl=False)


@template.command("create")
@click.argument("name")
@click.argument("file", required=False)
@click.option("--job", metavar="JOB", help="Use the job file of this job.")
@click.option("--description", metavar="TEXT", default="", help="What it is for.")
@click.option("--project", metavar="NAME", help="Share it with the people of this project.")
@json_option
@pass_session
def template_create(
    session: CliSession, /, name: str, file: str | None, job: str | None, as_json: bool, **more: Any
) -> None:
    """Save FILE ('-' is standard input), or the job file of a job, as a template.

    If it names a code folder, the folder is uploaded.
    """
    if (file is None) == (job is None):
        raise click.UsageError(
            speak("give a job file, or a job with --job.", "请指定任务文件，或用 --job 指定任务。")
        )
    source = files.load(file) if file else _file_of(session, job or "")
    body = {"name": name, "job": _prepared(session, source), **said(more)}
    try:
        made = session.do("POST", PATH, body=body)
    except Invalid as error:
        raise _refused(source, error) from None
    if as_json:
        print_json(made)
    else:
        note(
            speak(
                "Created template {name}. Run it: danlu template run {name}",
                "已创建模板 {name}。运行：danlu template run {name}",
                name=name,
            )
        )


@template.command("edit")
@click.argument("template_name", metavar="NAME")
@click.option("--name", metavar="NAME", help="The new name.")
@click.option("--description", metavar="TEXT", help="What it is for.")
@click.option("--project", metavar="NAME", help="Share it with the people of this project.")
@click.option("--private", is_flag=True, help="Stop sharing it.")
@click.option("--file", metavar="FILE", help="The new job file.")
@json_option
@pass_session
def template_edit(
    session: CliSession, /, template_name: str, private: bool, file: str | None, as_json: bool, **options: Any
) -> None:
    """Change or share a template; jobs created from it do not change."""
    changes = said(options, ["project"] if private else [])
    source = files.load(file) if file else None
    if source is not None:
        changes["job"] = _prepared(session, source)
    something(changes, "--name", "--description", "--project", "--private", "--file")
    try:
        send_change(
            session,
            "PATCH",
            address(PATH, template_name),
            changes,
            told("Changed", "template", template_name),
            as_json,
        )
    except Invalid as error:
        raise _refused(source, error) from None


@template.command("run")
@click.argument("template_name", metavar="NAME")
@click.option("--name", metavar="NAME", help="The job's name; default: generated from the template's.")
@click.option("--env", metavar="K=V", multiple=True, help="An environment variable, added to the template's.")
@click.option("--project", metavar="NAME", help="The project it queues in.")
@click.option("-d", "--detach", is_flag=True, help="Do not wait for the job; print its id.")
@click.pass_context
def template_run(
    ctx: click.Context,
    template_name: str,
    name: str | None,
    env: tuple[str, ...],
    project: str | None,
    detach: bool,
) -> None:
    """Run a job from a template and follow it to its end, as 'danlu run' does."""
    session = ctx.ensure_object(CliSession)
    job = LocatedJobFile(f"template {template_name}", "", session.client.templates.file(template_name, name))
    places = overlay(job, env=key_value(env, "--env"), paths={("project",): project})
    made = send(session, job, places, start=True)
    if detach:
        show.echo(made.told.id)
        return
    ctx.exit(followed(session, made.told))


Crud(template, "template", PATH, lambda: models.Template).rm(
    "Delete a template.",
    Words("Those it is shared with lose it too.", "共享该模板的人也将无法使用。"),
)


def _row(one: models.TemplateRow) -> show.Cells:
    return [
        one.name,
        one.owner,
        show.word(one.kind),
        one.project or "-",
        show.local(one.changed_at),
        one.description,
    ]


def _file_of(session: CliSession, job: str) -> LocatedJobFile:
    return LocatedJobFile(f"job {job}", "", dict(one_job(session, job).told.spec))


def _prepared(session: CliSession, source: LocatedJobFile) -> dict[str, Any]:
    try:
        return session.client.templates.prepared(source.data, source.folder, UploadProgress())
    except Invalid as error:
        raise files.refuse(source, error) from None


def _refused(source: LocatedJobFile | None, error: Invalid) -> BaseException:
    """Errors in the job file at their lines; those in the name or the options as the server says them."""
    if source is None or any(one.loc[:1] != ("job",) for one in error.errors):
        return error
    error.errors = tuple(replace(one, loc=one.loc[1:]) for one in error.errors)
    return files.refuse(source, error)
