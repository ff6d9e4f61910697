"""`danlu run`: submit a job, follow it, and exit with its exit code."""

from __future__ import annotations

import os
from typing import Mapping

import click

from danlu.cli.jobs.submit import (
    is_file_below,
    name_certain,
    overlay,
    replace_option,
    send,
    warn_of_missing_code,
)
from danlu.cli.jobs.sweep import run_sweep
from danlu.cli.session import CliSession, note
from danlu.cli.shared import files, show
from danlu.cli.shared.follow import Follower, exit_code
from danlu.cli.shared.options import key_value
from danlu.cli.words import speak
from danlu.sdk.code.jobfile import LocatedJobFile, named
from danlu.sdk.models import Job


class RunCommand(click.Command):
    """Keeps the words after `--` separate: click would mix them with the file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta["danlu.command"] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]"]


@click.command(cls=RunCommand)
@click.argument("file", nargs=-1)
@click.option(
    "--name", metavar="NAME", help="The job's name; default: made from the file, its folder or the command."
)
@click.option("--gpus", type=float, help="GPUs of each task; 0.5 is half of one.")
@click.option("--gpu", metavar="MODEL", help="The GPU model, such as A100.")
@click.option("--cpus", type=float, help="CPUs of each task.")
@click.option("--memory", metavar="SIZE", help="Memory of each task, such as 16GiB.")
@click.option("--rdma", is_flag=True, default=None, help="Give each task the node's RDMA devices.")
@click.option("--nodes", type=int, help="How many tasks.")
@click.option("--env", metavar="K=V", multiple=True, help="An environment variable; may be repeated.")
@click.option("--code", metavar="PATH", help="The code folder to upload.")
@click.option("--no-code", is_flag=True, help="Do not upload a code folder.")
@click.option("--project", metavar="NAME", help="The project it queues in.")
@click.option("--image", metavar="IMAGE", help="The image it runs in; 'host' is the machine's own Python.")
@replace_option
@click.option("--pip", metavar="PACKAGE", multiple=True, help="A package to install; may be repeated.")
@click.option("--requirements", metavar="FILE", help="Install what this file in the code folder lists.")
@click.option("--venv", metavar="PATH", help="An environment of yours to use, such as /mnt/NAME/my-env.")
@click.option(
    "--sweep",
    metavar="NAME=A,B,…",
    multiple=True,
    help="Run it once for each value, and for each combination if repeated; {NAME} in the command is the value.",
)
@click.option("--dry-run", is_flag=True, help="With --sweep: only list the combinations.")
@click.option("-d", "--detach", is_flag=True, help="Do not wait for the job; print its id.")
@click.pass_context
def run(
    ctx: click.Context,
    /,
    file: tuple[str, ...],
    detach: bool,
    code: str | None,
    no_code: bool,
    name: str | None,
    env: tuple[str, ...],
    replace: bool,
    sweep: tuple[str, ...],
    dry_run: bool,
    **options: object,
) -> None:
    """Run a job from FILE, or a command after --, and follow it to its end.

    Prints the job's output, prints state changes to standard error, and exits with the job's exit code.
    A name that was used before makes the next run of that job. Ctrl-C leaves the job running. A sweep is not followed.
    """
    command = ctx.meta.get("danlu.command") or []
    job = _job_of(file, command)
    if code is None and not no_code and not file:
        code = _implied_code(command) or ("." if options["requirements"] else None)
    paths = _paths(command if file else [], code, options)
    places = overlay(job, name=name, env=key_value(env, "--env"), paths=paths)
    if replace:
        name_certain(job)
    if not no_code:
        warn_of_missing_code(job)
    named(job)
    session = ctx.ensure_object(CliSession)
    if sweep or dry_run:
        run_sweep(session, job, places, sweep, replace=replace, dry_run=dry_run)
        return
    made = send(session, job, places, start=True, replace=replace)
    if detach:
        show.echo(made.told.id)
        return
    ctx.exit(followed(session, made.told))


def _job_of(file: tuple[str, ...], command: list[str]) -> LocatedJobFile:
    if len(file) > 1:
        words = " ".join(file)
        raise click.UsageError(
            speak(
                "give one file at a time. To run a command, put -- before it: danlu run -- {words}",
                "一次只能运行一个文件。要运行命令，请在前面加 --：danlu run -- {words}",
                words=words,
            )
        )
    if file:
        if (
            not os.path.exists(file[0])
            and file[0] != "-"
            and not file[0].endswith((".yaml", ".yml", ".json"))
        ):
            raise click.UsageError(
                speak(
                    "there is no file {file}. To run a command, put -- before it: danlu run -- {file}",
                    "没有文件 {file}。要运行命令，请在前面加 --：danlu run -- {file}",
                    file=file[0],
                )
            )
        return files.load(file[0])
    if not command:
        raise click.UsageError(
            speak(
                "give a job file, or a command after --: danlu run -- python train.py",
                "请给出任务文件，或在 -- 之后给出命令：danlu run -- python train.py",
            )
        )
    return LocatedJobFile("danlu run", "", {"kind": "training", "command": command})


def _implied_code(command: list[str]) -> str | None:
    """The current folder, if the command names a file in it."""
    named = next((word for word in command if is_file_below(word)), None)
    if named is None:
        return None
    note(
        speak(
            "Uploading this folder because the command names {named}; to prevent this, use --no-code.",
            "命令中提到了 {named}，因此上传当前目录；如不需要，请使用 --no-code。",
            named=named,
        )
    )
    return "."


def _paths(
    command: list[str], code: str | None, options: Mapping[str, object]
) -> dict[tuple[str, ...], object]:
    """Where each option belongs in a job file."""
    sizes = ("gpus", "gpu", "cpus", "memory", "rdma")
    paths: dict[tuple[str, ...], object] = {("resources", key): _whole(options[key]) for key in sizes}
    paths.update({(key,): options[key] for key in ("nodes", "project", "image")})
    paths[("command",)] = command or None
    if code is not None:
        paths[("code", "path")] = os.path.abspath(code)
    paths.update(_packages(options, code))
    return paths


def _packages(options: Mapping[str, object], code: str | None) -> dict[tuple[str, ...], object]:
    pip, file, venv = options["pip"], options["requirements"], options["venv"]
    if sum(map(bool, (pip, file, venv))) > 1:
        raise click.UsageError(
            speak(
                "use one of --pip, --requirements and --venv",
                "--pip、--requirements 和 --venv 只能使用其中一个",
            )
        )
    if file and code is not None and os.path.exists(str(file)):
        file = os.path.relpath(str(file), code)
    pip = list(pip) if isinstance(pip, tuple) else []
    return {("packages", "pip"): pip or file or None, ("packages", "venv"): venv or None}


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def followed(session: CliSession, job: Job) -> int:
    """Follow a job to its end; its exit code."""
    try:
        return exit_code(Follower(session, job.id).run())
    except KeyboardInterrupt:
        note(
            speak(
                "\nLeft {title} running. Follow it again: danlu logs -f {title}   Stop it: danlu stop {title}",
                "\n{title} 继续运行。再次跟踪：danlu logs -f {title}   停止：danlu stop {title}",
                title=job.title,
            )
        )
        return 130
