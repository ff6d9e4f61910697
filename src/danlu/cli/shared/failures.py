"""What went wrong, as a sentence on standard error and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

import click

from danlu.cli.group import ReaderLeft, near
from danlu.cli.session import CliSession, flush_output
from danlu.cli.shared.exit_codes import INTERRUPTED, WRONG_USE, exit_code
from danlu.cli.shared.show import language
from danlu.sdk.http import config, errors


def report(error: BaseException, session: CliSession) -> int:
    """Say what happened and return the exit code it deserves."""
    quiet = (SystemExit, click.exceptions.Exit, BrokenPipeError, ReaderLeft)
    if os.environ.get("DANLU_DEBUG") and not isinstance(error, quiet):
        traceback.print_exception(type(error), error, error.__traceback__)
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return INTERRUPTED
    if isinstance(error, (BrokenPipeError, ReaderLeft)):
        # Python would complain once more on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    if isinstance(error, click.ClickException):
        return _report_use(error)
    if isinstance(error, errors.DanluError):
        say(sentence(error, session))
        return exit_code(error)
    return _report_unexpected(error)


def say(message: str) -> None:
    flush_output()
    click.echo(f"{click.style('danlu', fg='red')}: {message}", err=True, color=coloured())


def coloured() -> bool:
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


def sentence(error: errors.DanluError, session: CliSession) -> str:
    """In the reader's language, as far as the server told it in that."""
    detail, stop = (
        error.text.get(language()) or error.detail,
        "。" if language() == "zh" and error.text else ".",
    )
    if isinstance(error, errors.Unreachable):
        return f"{error.detail}.\n{error.advice}".rstrip()
    if isinstance(error, errors.WrongCredentials):
        return f"{detail}{stop}"
    if isinstance(error, errors.NotSignedIn):
        return _not_signed_in(error, session)
    if isinstance(error, errors.TooMany):
        # A server that speaks both languages says in its sentence when.
        return f"{detail}{stop}" if error.text else f"{detail}. Try again in {error.retry_after} s."
    if isinstance(error, errors.InsufficientQuota) and error.shortfalls:
        from danlu.cli.shared.shortfalls import (
            advice,  # commands that never run into one start faster without
        )

        return f"{detail}{stop}\n{advice(error.shortfalls)}"
    if isinstance(error, errors.BudgetSpent) and error.errors and error.errors[0].hint:
        _, hint = error.errors[0].said(language())
        return f"{detail}{stop}\n{hint[:1].upper()}{hint[1:]}{stop}"
    if isinstance(error, errors.BadFile) and error.hint:
        return f"{error.detail}. {error.hint}"
    return error.said(language())


def _not_signed_in(error: errors.NotSignedIn, session: CliSession) -> str:
    """Which token was used matters: one in a variable wins over a newer one from `danlu login`."""
    try:
        target = config.resolve(session.url, None, session.context)
    except errors.BadConfig:
        return str(error)
    if not target.token:
        return f"not signed in at {target.url}. Sign in with: danlu login {target.url}"
    source = "DANLU_TOKEN" if os.environ.get("DANLU_TOKEN") == target.token else target.said_by
    return (
        f"{target.url} does not accept the token from {source}: it may have expired or been removed.\n"
        f"Sign in again with: danlu login {target.url}"
    )


def _report_use(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "danlu"
    if isinstance(error, click.NoSuchOption):
        message = _no_such_option(error, path)
    elif isinstance(error, click.UsageError):
        message = error.format_message()
    else:
        say(error.format_message())
        return error.exit_code
    say(
        message[:1].lower() + message[1:] if message[:1].isupper() and not message[1:2].isupper() else message
    )
    if context is not None and "--help" not in message:
        click.echo(f"How it is used: {path} --help", err=True)
    return WRONG_USE


def _no_such_option(error: Any, path: str) -> str:
    context = error.ctx
    known = [name for param in context.command.get_params(context) for name in param.opts] if context else []
    likely = next(iter(error.possibilities or ()), None) or near(error.option_name, known)
    hint = f" Did you mean {likely}?" if likely else ""
    if not likely and context is not None and _takes_words(context.command):
        hint = f" If it belongs to a command, put -- before that: {path} … -- command {error.option_name}"
    return f"{path} has no option {error.option_name}.{hint}"


def _takes_words(command: click.Command) -> bool:
    return any(isinstance(param, click.Argument) and param.nargs == -1 for param in command.params)


def _report_unexpected(error: BaseException) -> int:
    """A defect of ours: one line, and the details where they can be sent from."""
    place = _written_details(error)
    what = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    details = f"The details are in {place}." if place else "DANLU_DEBUG=1 shows the details."
    say(f"something unexpected happened: {what}\n{details} This is a defect of Danlu; please report it.")
    return 1


def _written_details(error: BaseException) -> str | None:
    path = os.path.join(config.folder(), "last-error.txt")
    try:
        os.makedirs(config.folder(), mode=0o700, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            # The command alone: its options may hold secrets.
            file.write("danlu " + " ".join(sys.argv[1:2]) + "\n\n")
            file.writelines(traceback.format_exception(type(error), error, error.__traceback__))
    except OSError:
        return None
    return path
