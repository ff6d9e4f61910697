"""Job files from disk, and errors in them with line and column."""

from __future__ import annotations

import os
import sys
from typing import Mapping, Sequence, Tuple, Union

import click

from danlu.cli.group import near
from danlu.cli.session import note
from danlu.cli.shared.exit_codes import WRONG_USE
from danlu.cli.shared.failures import coloured
from danlu.cli.shared.show import words
from danlu.cli.words import language, meant, speak
from danlu.domain.words import NOTHING, Words, one_line, plain, say
from danlu.sdk.code import jobfile
from danlu.sdk.code.jobfile import FileKind, LocatedJobFile
from danlu.sdk.http.errors import BadFile, Invalid
from danlu.sdk.models.problems import Problem

# Mistakes that are about a key, not about its value.
_MORE = "more_mistakes"
_AT_KEY = frozenset({"unknown_key", "contradiction", "not_available", "missing", "reserved"})


Place = Tuple[Union[str, int], ...]
"""The way to something in a job file."""
Places = Mapping[Place, str]
"""What was filled by an option, and by which."""


class FileRefused(SystemExit):
    """The file's errors have been printed; only the exit code is left."""

    def __init__(self) -> None:
        super().__init__(WRONG_USE)


def load(path: str) -> LocatedJobFile:
    """Read a job file, or standard input for '-'; anything wrong with it is printed here."""
    if path == "-":
        return parse(_stdin(), "<stdin>")
    if os.path.isdir(path):
        raise a_folder(path, jobfile.JOB, _files_in(path))
    try:
        with open(path, "rb") as file:
            raw = file.read(jobfile.MAX_BYTES + 1)
    except FileNotFoundError:
        raise no_file(path) from None
    except OSError as why:
        raise unreadable(path, why) from None
    return parse(raw, path)


def parse(raw: bytes, name: str, kind: FileKind = jobfile.JOB) -> LocatedJobFile:
    """The file's content with the line and column of everything in it; refuses other kinds of file."""
    text = ""
    try:
        text = jobfile.decode(raw, kind)
        return jobfile.parse(text, name, kind)
    except BadFile as error:
        told, hint = error.said(language()), words(error.hint_text)
        print_mistake(name, text, error.line, error.column, told, hint)
        if error.also:
            line, column, _ = error.also
            print_mistake(name, text, line, column, words(error.also_text), "", colour="blue")
        raise FileRefused from None


def a_folder(path: str, kind: FileKind, instead: Words = NOTHING) -> click.UsageError:
    return click.UsageError(
        speak(
            "{path} is a folder, not a {kind}.{instead}",
            "{path} 是目录，需要的是{kind}。{instead}",
            path=path,
            kind=kind.name,
            instead=instead,
        )
    )


def no_file(path: str) -> click.UsageError:
    return click.UsageError(
        speak("there is no file {path}.{near}", "没有文件 {path}。{near}", path=path, near=near_files(path))
    )


def unreadable(path: str, why: OSError) -> click.UsageError:
    return click.UsageError(
        speak("{path} cannot be read: {why}.", "无法读取 {path}：{why}。", path=path, why=why.strerror)
    )


def refuse(file: LocatedJobFile, error: Invalid, options: Places | None = None) -> FileRefused:
    """Print every error the server found, with line and column; `options` names the places that options filled."""
    if not error.errors:
        note(f"{file.name}: {error.said(language())}")
    for problem in sorted(error.errors, key=lambda one: (one.code == _MORE, _place(file, one))):
        where = ".".join(str(part) for part in _loc(problem))
        said_by = _option(problem, options or {})
        message, hint = problem.said(language())
        if said_by:
            note(f"{said_by}: {message}")
            print_hint(hint)
        else:
            told = f"{where}: {message}" if where else message
            print_mistake(file.name, file.text, *_place(file, problem), told, hint)
    count = sum(one.params.get("count", 1) if one.code == _MORE else 1 for one in error.errors)
    if count > 1:
        note(speak("{count} errors; nothing was submitted.", "共 {count} 处错误，未提交。", count=count))
    return FileRefused()


def print_mistake(
    name: str, text: str, line: int, column: int, message: str, hint: str, colour: str = "red"
) -> None:
    """`job.yaml:7:13: what is wrong`, the hint below; on a terminal the line with a caret as well."""
    place = plain(f"{name}:{line}:{column}" if line else name)
    click.echo(f"{click.style(place, bold=True)}: {plain(message)}", err=True, color=coloured())
    lines = text.splitlines()
    if sys.stderr.isatty() and 0 < line <= len(lines):
        source = one_line(lines[line - 1])
        number = str(line)
        click.echo(f"  {number} | {source}", err=True)
        caret = click.style("^", fg=colour, bold=True)
        click.echo(
            f"  {' ' * len(number)} | {' ' * _columns(source[: column - 1])}{caret}",
            err=True,
            color=coloured(),
        )
    print_hint(hint)


def print_hint(hint: str | None) -> None:
    if hint:
        note(speak("  hint: {hint}", "  提示：{hint}", hint=hint))


def _columns(text: str) -> int:
    from danlu.cli.shared.show import width

    return width(text)


def _place(file: LocatedJobFile, problem: Problem) -> tuple[int, int]:
    loc = _loc(problem)
    about_key = problem.code in _AT_KEY or (len(loc) > 1 and problem.value == loc[-1])
    return file.place_of(loc, at_key=about_key)


def _loc(problem: Problem) -> Place:
    return problem.loc[1:] if problem.loc[:1] == ("body",) else problem.loc


def _option(problem: Problem, options: Places) -> str | None:
    loc = _loc(problem)
    return next((options[loc[:end]] for end in range(len(loc), 0, -1) if loc[:end] in options), None)


def _stdin() -> bytes:
    if sys.stdin.isatty():
        note(
            speak(
                "Reading a job file from the terminal; Ctrl-D ends it.",
                "正从终端读取任务文件，按 Ctrl-D 结束。",
            )
        )
    return sys.stdin.buffer.read(jobfile.MAX_BYTES + 1)


def load_plain(path: str, most: int) -> bytes:
    """A whole file that is not a job file, or standard input for '-'; UsageError if it is unreadable or too large."""
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(most + 1)
        else:
            with open(os.path.expanduser(path), "rb") as file:
                raw = file.read(most + 1)
    except OSError as why:
        raise unreadable(path, why) from None
    if len(raw) > most:
        raise click.UsageError(
            speak(
                "{path} is too large; at most {most} bytes are allowed.",
                "{path} 过大，最多 {most} 字节。",
                path=path,
                most=most,
            )
        )
    return raw


def near_files(path: str) -> Words:
    """Files next to the missing one with a similar name, or else any job files."""
    folder, name = os.path.split(path)
    try:
        beside = sorted(os.listdir(folder or "."))
    except OSError:
        return say(" There is no folder {folder} either.", "目录 {folder} 也不存在。", folder=folder)
    likely = near(name, beside)
    if likely:
        return meant(os.path.join(folder, likely), quoted=False)
    return _suggest([os.path.join(folder, one) for one in beside if _is_job_file(one)])


def _files_in(folder: str) -> Words:
    try:
        names = sorted(one for one in os.listdir(folder) if _is_job_file(one))
    except OSError:
        return NOTHING
    return _suggest([os.path.join(folder, one) for one in names])


def _suggest(paths: Sequence[str]) -> Words:
    return meant(Words(" or ".join(paths[:3]), " 或 ".join(paths[:3])) if paths else None, quoted=False)


def _is_job_file(name: str) -> bool:
    return name.endswith((".yaml", ".yml", ".json"))
