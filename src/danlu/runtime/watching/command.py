"""Finding the program that a command names, and saying well what is wrong when there is none."""

from __future__ import annotations

import errno
import os
import re

from danlu.runtime.task import CannotStart

_NOT_FOUND = re.compile(rb"(?:^|[\s:])([^\s:]+): (?:command )?not found$")
_TAIL = 8192
_MISSING = "command_not_found"
"""The reason, apart from other troubles of a start: the node is not to blame for it."""


def find_program(name: str, env: dict[str, str], cwd: str) -> str:
    """The program's path. CannotStart says what is wrong with it, and what a misspelling likely means."""
    if "/" in name:
        path = os.path.normpath(os.path.join(cwd, name))
        _check(name, path)
        return path
    refused = ""
    for directory in env.get("PATH", "").split(os.pathsep):
        path = os.path.join(cwd, directory, name)
        if os.path.isfile(path):
            if os.access(path, os.X_OK):
                return path
            refused = refused or path
    if refused:
        raise CannotStart(f"permission denied: {refused} is not executable; run chmod +x on it")
    raise CannotStart(not_found(name, env), _MISSING)


def not_found(name: str, env: dict[str, str]) -> str:
    likely = similar(name, env)
    return f"command not found: {name}" + (f"; did you mean {likely}?" if likely else "")


def similar(name: str, env: dict[str, str]) -> str:
    """The program on PATH that is spelt most like it, or nothing."""
    import difflib  # costs milliseconds, and only misspellings need it

    names: set[str] = set()
    for directory in env.get("PATH", "").split(os.pathsep):
        try:
            names.update(os.listdir(directory or "."))
        except OSError:
            continue
    near = difflib.get_close_matches(name, sorted(names), n=3, cutoff=0.7)
    # Two letters exchanged is the commonest slip: it wins over what difflib finds nearer.
    swapped = [other for other in near if sorted(other) == sorted(name)]
    return (swapped or near or [""])[0]


def explain_refusal(path: str, error: OSError) -> str:
    """Why the kernel would not run a program that is there."""
    if error.errno == errno.ENOEXEC:
        return f"{path} is not a program: a script needs a first line such as #!/bin/sh"
    if error.errno == errno.ENOENT:
        interpreter = _interpreter(path)
        if interpreter:
            return f"{path} cannot run: its first line names {interpreter}, which does not exist"
    if error.errno == errno.E2BIG:
        return "the command and its environment are too long for this machine"
    return f"{path} cannot run: {error.strerror}"


def hint(code: int, argv: list[str], env: dict[str, str], log: str) -> str:
    """A sentence for a shell's exit codes 126 and 127, from the last line the shell wrote."""
    if code == 126:
        return "a program could not be run: permission denied, or it is not a program"
    missing = _missing_program(log) or argv[-1].split(None, 1)[0]
    return not_found(missing, env)


def last_line(log: str, otherwise: str) -> str:
    """The text of the log's last line."""
    for line in reversed(_tail(log)):
        text = line.split(b" ", 2)[-1].decode("utf-8", "replace").strip()
        if text:
            return text
    return otherwise


def _tail(log: str) -> list[bytes]:
    try:
        with open(log, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            return file.read().splitlines()
    except OSError:
        return []


def _missing_program(log: str) -> str:
    for line in reversed(_tail(log)):
        match = _NOT_FOUND.search(line)
        if match:
            return match.group(1).decode("utf-8", "replace")
    return ""


def _check(name: str, path: str) -> None:
    if os.path.isdir(path):
        raise CannotStart(f"{name} is a directory, not a program")
    if not os.path.exists(path):
        raise CannotStart(f"command not found: {name} does not exist (looked for {path})", _MISSING)
    if not os.access(path, os.X_OK):
        raise CannotStart(f"permission denied: {name} is not executable; run chmod +x on it")


def _interpreter(path: str) -> str:
    try:
        with open(path, "rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = first[2:].split() if first.startswith(b"#!") else []
    return words[0].decode("utf-8", "replace") if words else ""
