"""`danlu submit` and `danlu create`: a job from a file."""

from __future__ import annotations

import os
import sys
from typing import Mapping, Sequence

import click

from danlu.cli.session import Answer, CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import files
from danlu.cli.shared.files import Place, Places
from danlu.cli.shared.jobs import announce
from danlu.cli.shared.options import json_option, key_value
from danlu.cli.shared.show import echo, reason, words
from danlu.cli.words import speak
from danlu.domain.names import nearest_name, usable_name
from danlu.domain.words import NOTHING, Words, say
from danlu.sdk import models
from danlu.sdk.code.jobfile import NO_FILES, LocatedJobFile, named
from danlu.sdk.http.errors import Invalid

replace_option = click.option(
    "--replace", is_flag=True, help="First stop earlier runs of the same name that are queued or run."
)


@click.command()
@click.argument("file")
@click.option("--check", "only_check", is_flag=True, help="Only check the file; submit nothing.")
@click.option("--name", metavar="NAME", help="The job's name; default: the file's.")
@click.option(
    "--env", "env", metavar="K=V", multiple=True, help="An environment variable, added to the file's."
)
@click.option("--rdma", is_flag=True, default=None, help="Give each task the node's RDMA devices.")
@replace_option
@json_option
@pass_session
def submit(
    session: CliSession,
    /,
    file: str,
    only_check: bool,
    name: str | None,
    env: tuple[str, ...],
    rdma: bool | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Create a job from FILE (YAML or JSON, '-' is standard input) and start it.

    A name that you used before makes the next run of that job."""
    job = files.load(file)
    options = overlay(job, name=name, env=key_value(env, "--env"), paths={("resources", "rdma"): rdma})
    if replace:
        name_certain(job)
    warn_of_missing_code(named(job))
    if only_check:
        check(session, job, options, as_json)
        return
    announce(send(session, job, options, start=True, replace=replace), "Submitted", as_json)


@click.command()
@click.argument("file")
@click.option("--name", metavar="NAME", help="The job's name; default: the file's.")
@json_option
@pass_session
def create(session: CliSession, file: str, name: str | None, as_json: bool) -> None:
    """Create a job from FILE without starting it."""
    job = named(files.load(file))
    warn_of_missing_code(job)
    announce(send(session, job, overlay(job, name=name), start=False), "Created", as_json)


def send(
    session: CliSession, job: LocatedJobFile, options: Places, start: bool, replace: bool = False
) -> Answer[models.Job]:
    """Upload the code, create the job; errors are printed with their line and column."""
    name_accepted(job)
    try:
        body = session.client.prepared(job.data, job.folder, UploadProgress())
        if "framework" in body:
            advise(session.client.check(body).advice)
        return Answer(models.Job, session.client.post_job(body, start, replace=replace))
    except Invalid as error:
        raise files.refuse(job, error, options) from None


def name_accepted(job: LocatedJobFile) -> None:
    """A name that is no name: on a terminal, ask for the nearest that is; else the server's refusal says it."""
    name = job.data.get("name")
    if not isinstance(name, str) or usable_name(name) == name or not (sys.stdin.isatty() and on_terminal()):
        return
    better = nearest_name(name)
    question = speak(
        "'{name}' cannot be a job's name; use {better}?",
        "“{name}”不能作为任务名称，改用 {better}？",
        name=name,
        better=better,
    )
    if click.confirm(question, default=True, err=True):
        job.data["name"] = better


def name_certain(job: LocatedJobFile) -> None:
    """Refuse to replace runs of a name that is only guessed from a command: `train` may be another project's."""
    if job.data.get("name") is None and job.name in NO_FILES:
        raise click.UsageError(
            speak(
                "--replace needs --name here: a name made from the command may be that of another project's runs",
                "此处使用 --replace 需要 --name：由命令生成的名称可能属于另一个项目的任务",
            )
        )


def warn_of_missing_code(job: LocatedJobFile) -> None:
    """A command that names a file beside the job file will not find it unless the job has code."""
    if job.data.get("code") is not None or job.name in NO_FILES:
        return
    command = job.data.get("command")
    words = command.split() if isinstance(command, str) else command if isinstance(command, list) else []
    named = next((one for one in words if isinstance(one, str) and is_file_below(one, job.folder)), None)
    if named is not None:
        note(
            speak(
                "Note: the command names {named}, but this job has no code, so the file will not be there. "
                "To upload this folder, add to the job file: code: .",
                "注意：命令中提到了 {named}，但该任务没有代码，运行时不会有这个文件。"
                "要上传该目录，请在任务文件中添加：code: .",
                named=named,
            )
        )


def is_file_below(word: str, folder: str = "") -> bool:
    return (
        not os.path.isabs(word) and not word.startswith("..") and os.path.isfile(os.path.join(folder, word))
    )


def check(session: CliSession, job: LocatedJobFile, options: Places, as_json: bool) -> None:
    answer = Answer(models.Check, session.client.post_check(job.data))
    found = answer.told
    if as_json:
        told = {
            "valid": found.valid,
            "errors": answer.raw["errors"],
            "advice": answer.raw.get("advice") or [],
        }
        print_json({**told, "would": answer.raw.get("would") or {}})
        if not found.valid:
            raise files.FileRefused
        return
    if not found.valid:
        raise files.refuse(job, Invalid("", found.errors), options)
    outlook = NOTHING
    if found.would is not None:
        why = reason(found.would.reason)
        now = Words("; it would start now", "；可立即启动")
        outlook = (
            now if found.would.starts_now else say("; it would wait: {why}", "；需要等待：{why}", why=why)
        )
    echo(speak("{name} is valid{outlook}.", "{name} 有效{outlook}。", name=job.name, outlook=outlook))
    advise(found.advice)


def advise(found: Sequence[models.Advice]) -> None:
    """Print what could be better in a valid file."""
    for one in found:
        place = ".".join(map(str, one.loc))
        note(speak("Note: {place}: {text}.", "注意：{place}：{text}。", place=place, text=words(one.text)))


def overlay(
    job: LocatedJobFile,
    name: str | None = None,
    env: Mapping[str, str] | None = None,
    paths: Mapping[tuple[str, ...], object] | None = None,
) -> Places:
    """Apply options on top of the file; returns the option behind each place that came from one."""
    changes: dict[tuple[str, ...], object] = {("name",): name} if name else {}
    changes.update({("env", key): value for key, value in (env or {}).items()})
    changes.update({path: value for path, value in (paths or {}).items() if value is not None})
    places: dict[Place, str] = {}
    for path, value in changes.items():
        inner = job.data
        for part in path[:-1]:
            held = inner.get(part)
            inner[part] = inner = dict(held) if isinstance(held, dict) else {}
        inner[path[-1]] = value
        places[path] = f"--env {path[-1]}" if path[0] == "env" else f"--{path[-1]}"
    return places


class UploadProgress:
    """Progress of packing and uploading large folders, on a terminal; and which files are left out."""

    LARGE = 4 * 1024 * 1024

    def __init__(self) -> None:
        self.shown = False

    def left_out(self, names: list[str]) -> None:
        from danlu.sdk.code.archive import left_out_lines

        note("\n".join(left_out_lines(names)))

    def __call__(self, step: str, done: int, total: int) -> None:
        if total < self.LARGE:
            return
        if not sys.stderr.isatty():
            if step == "upload" and done == 0:
                note(
                    speak(
                        "Uploading the code folder ({total} MiB).",
                        "正在上传代码目录（{total} MiB）。",
                        total=f"{total / 2**20:.1f}",
                    )
                )
            return
        said = speak(
            "{word} the code folder: {part} % of {total} MiB",
            "{word}代码目录：{part} %，共 {total} MiB",
            word={"pack": Words("Packing", "正在打包"), "upload": Words("Uploading", "正在上传")}[step],
            part=done * 100 // total,
            total=f"{total / 2**20:.1f}",
        )
        end = "\n" if done >= total else ""
        click.echo(f"\r\033[K{said}{end}", err=True, nl=False)
