"""How far transfers are, as rows, as facts and as a line that moves."""

from __future__ import annotations

import sys

import click

from danlu.cli.session import CliSession, note, on_terminal
from danlu.cli.shared import show
from danlu.cli.shared.entries import far
from danlu.cli.shared.exit_codes import FAILED
from danlu.cli.shared.failures import complain
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.words import speak
from danlu.domain.words import one_line
from danlu.sdk import models
from danlu.sdk.resources.transfers import UNFINISHED


class TransferLine:
    """One line on the terminal while a transfer runs; without one, what it waits for, each time that changes."""

    def __init__(self) -> None:
        self._live, self._shown = sys.stderr.isatty() and on_terminal(), False
        self._told = ""

    def __call__(self, one: models.Transfer) -> None:
        if self._live:
            self._shown = True
            click.echo(f"\r\033[K{how_far(one)}", err=True, nl=False)
        elif one.state in UNFINISHED and one.problem and why(one) != self._told:
            self._told = why(one)
            note(
                speak(
                    "Transfer {id} will be tried again: {why}",
                    "传输 {id} 将自动重试：{why}",
                    id=one.id,
                    why=self._told,
                )
            )

    def end(self) -> None:
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)


def waited(session: CliSession, transfer: str) -> models.Transfer:
    """The transfer when it is over; interrupting stops only the waiting."""
    line = TransferLine()
    try:
        return session.client.transfers.wait(transfer, line)
    except KeyboardInterrupt:
        line.end()
        note(
            speak(
                "The transfer goes on. Look after it: danlu transfer show {id}",
                "传输仍在进行。查看：danlu transfer show {id}",
                id=transfer,
            )
        )
        raise click.exceptions.Exit(130) from None
    finally:
        line.end()


def tell_end(one: models.Transfer) -> None:
    """A sentence; exit code 1 where it is not complete."""
    if one.state == "completed":
        note(
            speak(
                "Transferred {files} files, {size}; {skipped} of them were there already.",
                "已传输 {files} 个文件（{size}），其中 {skipped} 个原已存在。",
                files=one.progress.files,
                size=show.size(one.progress.bytes),
                skipped=one.progress.skipped,
            )
        )
        return
    complain(why(one) or show.word(one.state))
    raise click.exceptions.Exit(FAILED)


def how_far(one: models.Transfer) -> str:
    progress = one.progress
    size = far(progress.bytes, progress.bytes_total)
    rate = f"  {show.size(progress.rate)}/s" if progress.rate else ""
    files = f"{progress.files}/{progress.files_total}" if progress.files_total else str(progress.files)
    return f"{show.word(one.state)}  {size}  {files}{rate}"


def _measured(one: models.Transfer) -> str:
    progress = one.progress
    files = f"{progress.files} / {progress.files_total}" if progress.files_total else str(progress.files)
    size = far(progress.bytes, progress.bytes_total)
    return speak("{files} files, {size}", "{files} 个文件，{size}", files=files, size=size)


def row(one: models.Transfer) -> Cells:
    return [
        one.id,
        show.state(one.state),
        far_short(one),
        f"{show.size(one.progress.rate)}/s" if one.progress.rate else "-",
        one_line(one.source),
        one_line(one.target),
        show.local(one.created_at),
        why(one),
    ]


def far_short(one: models.Transfer) -> str:
    done, total = one.progress.bytes, one.progress.bytes_total
    return f"{done * 100 // total} %" if total else show.size(done)


def facts(one: models.Transfer) -> Facts:
    progress = one.progress
    tries = speak("{count} times", "{count} 次", count=one.attempts)
    return [
        ("id", one.id),
        ("owner", one.owner),
        ("state", show.state(one.state)),
        ("source", one_line(one.source)),
        ("target", one_line(one.target)),
        ("ref", one.ref),
        ("include", ", ".join(one.include)),
        ("exclude", ", ".join(one.exclude)),
        ("existing files", one.existing),
        ("progress", _measured(one)),
        ("there already", str(progress.skipped) if progress.skipped else ""),
        ("left out", str(progress.left_out) if progress.left_out else ""),
        ("began anew", str(progress.changed) if progress.changed else ""),
        ("problem", why(one)),
        ("advice", show.words(one.problem.advice) if one.problem else ""),
        ("begun", tries if one.attempts > 1 else ""),
        ("tried again in", show.until(one.not_before)),
        ("schedule", one.schedule or ""),
        ("for job", _for_job(one)),
        ("created", show.local(one.created_at)),
        ("ended", show.local(one.ended_at)),
    ]


def _for_job(one: models.Transfer) -> str:
    job = one.for_job
    return speak("{name} ({id})", "{name}（{id}）", name=job.name, id=job.id) if job else ""


def why(one: models.Transfer) -> str:
    return show.words(one.problem.text) if one.problem else ""
