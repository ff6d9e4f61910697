"""`danlu example`: ready-made jobs to start from."""

from __future__ import annotations

import os

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.jobs.run import followed
from danlu.cli.jobs.submit import overlay, send
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import files, show
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.sdk import models


@click.group(cls=HelpfulGroup)
def example() -> None:
    """Examples: small training jobs that run unchanged, one for each framework."""


@example.command("ls")
@json_option
@pass_session
def example_ls(session: CliSession, as_json: bool) -> None:
    """List the examples."""
    found = session.listing(models.Example, "examples")
    if as_json:
        print_json(found.raw)
    elif not found.items:
        note(speak("No examples are installed on this server.", "该服务器上没有示例。"))
    else:
        rows: list[show.Cells] = [[one.id, _framework(one), show.words(one.about)] for one in found.told]
        show.table(("ID", "FRAMEWORK", "ABOUT"), rows)


@example.command("run")
@click.argument("name", metavar="ID")
@click.option("--name", "job_name", metavar="NAME", help="The job's name; default: the example's.")
@click.option("--project", metavar="NAME", help="The project it queues in.")
@click.option("-d", "--detach", is_flag=True, help="Do not wait for the job; print its id.")
@click.pass_context
def example_run(
    ctx: click.Context, name: str, job_name: str | None, project: str | None, detach: bool
) -> None:
    """Run an example and follow it to its end, as 'danlu run' does."""
    session = ctx.ensure_object(CliSession)
    job = files.parse(session.client.example(name).file.encode(), f"example {name}")
    made = send(session, job, overlay(job, name=job_name, paths={("project",): project}), start=True)
    if detach:
        show.echo(made.told.id)
        return
    ctx.exit(followed(session, made.told))


@example.command("get")
@click.argument("name", metavar="ID")
@click.argument("folder", required=False)
@pass_session
def example_get(session: CliSession, name: str, folder: str | None) -> None:
    """Copy an example's files into FOLDER to read and change; default: a new folder with the example's name."""
    found = session.client.example(name)
    place = folder or name
    if os.path.exists(place) and not (os.path.isdir(place) and not os.listdir(place)):
        raise click.UsageError(
            speak(
                "{place} already exists and is not an empty folder. Choose another one.",
                "{place} 已存在，且不是空目录。请另选一个。",
                place=place,
            )
        )
    for path, text in found.files.items():
        target = os.path.normpath(os.path.join(place, path))
        if os.path.relpath(target, place).startswith(os.pardir):
            raise click.ClickException(
                speak(
                    "the server sent a file path outside the folder: {path}",
                    "服务器给出的文件路径在目录之外：{path}",
                    path=path,
                )
            )
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    note(
        speak(
            "Wrote {files} files. Run it: danlu run {yaml}",
            "已写入 {files} 个文件。运行：danlu run {yaml}",
            files=len(found.files),
            yaml=os.path.join(place, "job.yaml"),
        )
    )


def _framework(one: models.Example) -> str:
    return " ".join(word for word in (one.framework, one.strategy) if word) or "-"
