"""`danlu exec`: a command, or a shell, inside a running task."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Iterator

import click

from danlu.cli.session import CliSession, pass_session
from danlu.cli.shared.jobs import known_job, one_job
from danlu.cli.shared.options import job_argument

if TYPE_CHECKING:
    from danlu.sdk.resources.exec import Exec


@click.command("exec", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "-t/-T", "--tty/--no-tty", default=None, help="Allocate a terminal; default: if standard input is one."
)
@click.option("--task", metavar="TASK", help="The task, such as worker-1; default: the first.")
@job_argument()
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@pass_session
@click.pass_context
def exec_(
    ctx: click.Context,
    session: CliSession,
    job: str,
    command: tuple[str, ...],
    task: str | None,
    tty: bool | None,
) -> None:
    """Run COMMAND, or a shell, inside a running task; options go before JOB.

    Exits with the command's exit code.
    """
    if command[:1] == ("--",):
        command = command[1:]
    if tty is None:
        tty = sys.stdin.isatty() and sys.stdout.isatty()
    cols, rows = shutil.get_terminal_size()
    found = one_job(session, job).told
    running = known_job(
        session, job, lambda: session.client.exec(found.id, list(command), task, tty, cols, rows)
    )
    with running:
        ctx.exit(_talk(running, tty))


def _talk(running: Exec, tty: bool) -> int:
    """Carry bytes both ways until the command ends."""
    keyboard = sys.stdin.fileno()
    with _raw(keyboard, tty), _resizes(tty) as resized:
        watched: list[int] = [keyboard, running.fileno(), *([resized] if resized is not None else [])]
        while running.exit_code is None:
            ready = [running.fileno()] if running.pending() else select.select(watched, [], [])[0]
            if running.fileno() in ready:
                _write(running.receive())
            if resized in ready and resized is not None:
                os.read(resized, 64)
                running.resize(*shutil.get_terminal_size())
            if keyboard in ready:
                typed = os.read(keyboard, 65536)
                if typed:
                    running.send(typed)
                else:
                    running.eof()
                    watched.remove(keyboard)
    return running.exit_code


def _write(piece: bytes) -> None:
    if piece:
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


@contextmanager
def _raw(keyboard: int, tty: bool) -> Iterator[None]:
    """Raw mode: every key goes through, Ctrl-C included; the terminal's settings are restored afterwards."""
    if not (tty and os.isatty(keyboard)):
        yield
        return
    import termios
    import tty as terminal

    before = termios.tcgetattr(keyboard)
    try:
        # Draining, not flushing: what was typed ahead is meant for the shell.
        terminal.setraw(keyboard, termios.TCSADRAIN)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


@contextmanager
def _resizes(tty: bool) -> Iterator[int | None]:
    """A descriptor that is readable when the window changed: sending inside a handler could block itself."""
    if not tty:
        yield None
        return
    ours, theirs = socket.socketpair()
    for one in (ours, theirs):
        one.setblocking(False)
    before = signal.signal(signal.SIGWINCH, lambda *_: None)
    woken = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    try:
        yield ours.fileno()
    finally:
        signal.set_wakeup_fd(woken)
        signal.signal(signal.SIGWINCH, before)
        ours.close()
        theirs.close()
