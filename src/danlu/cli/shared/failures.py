"""What went wrong, as a sentence on standard error and an exit code."""

from __future__ import annotations

import os
import sys
import traceback

import click

from danlu.cli.group import ReaderLeft, near
from danlu.cli.session import CliSession, flush_output, token_source
from danlu.cli.shared.exit_codes import INTERRUPTED, WRONG_USE, exit_code
from danlu.cli.shared.show import words
from danlu.cli.words import language, meant, speak
from danlu.domain.words import plain, say
from danlu.sdk.http import config, errors


def report(error: BaseException, session: CliSession) -> int:
    """Print what happened and return the exit code for it."""
    quiet = (SystemExit, click.exceptions.Exit, BrokenPipeError, ReaderLeft)
    if os.environ.get("DANLU_DEBUG") and not isinstance(error, quiet):
        trace = traceback.format_exception(type(error), error, error.__traceback__)
        click.echo(plain("".join(trace)), err=True, nl=False)
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
        ask = words(error.ask)
        complain("\n".join(filter(None, (sentence(error, session), ask[:1].upper() + ask[1:]))))
        return exit_code(error)
    return _report_unexpected(error)


def complain(message: str) -> None:
    flush_output()
    click.echo(f"{click.style('danlu', fg='red')}: {plain(message)}", err=True, color=coloured())


def coloured() -> bool:
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


def sentence(error: errors.DanluError, session: CliSession) -> str:
    """In the user's language; in English if an older server sent English only."""
    detail, stop = (
        error.text.get(language()) or error.detail,
        "。" if language() == "zh" and error.text else ".",
    )
    if isinstance(error, errors.Unreachable):
        return f"{detail}{stop}\n{words(error.advice_text)}".rstrip()
    if isinstance(error, errors.WrongCredentials):
        return f"{detail}{stop}"
    if isinstance(error, errors.NotSignedIn):
        return _not_signed_in(error, session)
    if isinstance(error, errors.TooMany):
        # A server that speaks both languages says in its sentence when.
        again = speak("Try again in {after} s.", "请在 {after} 秒后重试。", after=error.retry_after)
        return f"{detail}{stop}" if error.text else f"{detail}. {again}"
    if isinstance(error, errors.InsufficientQuota) and error.shortfalls:
        from danlu.cli.shared.shortfalls import (
            advice,  # commands that never run into one start faster without
        )

        return f"{detail}{stop}\n{advice(error.shortfalls)}"
    hinting = (errors.BudgetSpent, errors.DiskLimit, errors.VolumeTaken)
    if isinstance(error, hinting) and error.errors and error.errors[0].hint:
        _, hint = error.errors[0].said(language())
        return f"{detail}{stop}\n{hint[:1].upper()}{hint[1:]}{stop}"
    if isinstance(error, errors.BadFile) and error.hint:
        return f"{detail}{stop} {words(error.hint_text)}"
    return error.said(language())


def _not_signed_in(error: errors.NotSignedIn, session: CliSession) -> str:
    """Which token was used matters: one in a variable wins over a newer one from `danlu login`."""
    try:
        target = config.resolve(session.url, None, session.context)
    except errors.BadConfig:
        return error.said(language())
    if not target.token:
        return speak(
            "not signed in at {url}. Sign in with: danlu login {url}",
            "尚未登录 {url}。请登录：danlu login {url}",
            url=target.url,
        )
    return speak(
        "{url} does not accept the token from {source}: it may have expired or been removed.\n"
        "Sign in again with: danlu login {url}",
        "{url} 不接受来自{source}的令牌：它可能已过期或被删除。\n请重新登录：danlu login {url}",
        url=target.url,
        source=token_source(target),
    )


def _report_use(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "danlu"
    if isinstance(error, click.NoSuchOption):
        message = _no_such_option(error, path)
    elif (
        type(error).__name__ == "NoArgsIsHelpError"
    ):  # of newer clicks: a page of help, which is no complaint
        click.echo(error.format_message(), err=True)
        return WRONG_USE
    elif isinstance(error, click.UsageError):
        message = _wrong_value(error) or error.format_message()
    else:
        complain(error.format_message())
        return error.exit_code
    complain(
        message[:1].lower() + message[1:] if message[:1].isupper() and not message[1:2].isupper() else message
    )
    if context is not None and not getattr(error, "helped", False):
        click.echo(speak("For help: {path} --help", "查看帮助：{path} --help", path=path), err=True)
    return WRONG_USE


def _wrong_value(error: click.UsageError) -> str:
    """In Chinese, what click would say in English around our own sentence; nothing in English."""
    if language() == "en" or not isinstance(error, click.BadParameter):
        return ""
    hint: object = error.param_hint
    if hint is None and error.param is not None:
        hint = error.param.get_error_hint(error.ctx) if error.ctx else error.param.name
    where = " / ".join(map(str, hint)) if isinstance(hint, (list, tuple)) else str(hint or "")
    where = where.replace("'", "")
    if isinstance(error, click.MissingParameter):
        return speak("missing {where}", "缺少 {where}", where=where)
    return speak(
        "invalid value for {where}: {why}", "{where} 的值无效：{why}", where=where, why=error.message
    )


def _no_such_option(error: click.NoSuchOption, path: str) -> str:
    context = error.ctx
    known = [name for param in context.command.get_params(context) for name in param.opts] if context else []
    likely = next(iter(error.possibilities or ()), None) or near(error.option_name, known)
    hint = meant(likely, quoted=False)
    if not likely and context is not None and _takes_words(context.command):
        hint = say(
            " If it belongs to a command, put -- before that: {path} … -- command {option}",
            "如果它属于一个命令，请在命令前加 --：{path} … -- command {option}",
            path=path,
            option=error.option_name,
        )
    return speak(
        "{path} has no option {option}.{hint}",
        "{path} 没有选项 {option}。{hint}",
        path=path,
        option=error.option_name,
        hint=hint,
    )


def _takes_words(command: click.Command) -> bool:
    """Whether what it takes may be a command with options of its own: 'danlu run', 'danlu exec'."""
    return any(
        isinstance(param, click.Argument) and param.nargs == -1 and param.name in ("file", "command")
        for param in command.params
    )


def _report_unexpected(error: BaseException) -> int:
    """A bug of ours: one line, and a file with the details to attach to a report."""
    place = _written_details(error)
    what = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    details = (
        say("The details are in {place}.", "详情见 {place}。", place=place)
        if place
        else say("DANLU_DEBUG=1 shows the details.", "设置 DANLU_DEBUG=1 可查看详情。")
    )
    complain(
        speak(
            "unexpected error: {what}\n{details} This is a bug in Danlu; please report it.",
            "发生意外错误：{what}\n{details}这是丹炉的缺陷，请反馈。",
            what=what,
            details=details,
        )
    )
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
