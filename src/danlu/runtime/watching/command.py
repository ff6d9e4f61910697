"""Finding the program that a command names, and saying well what is wrong when there is none."""

from __future__ import annotations

import errno
import os
import re
from typing import NamedTuple

from danlu.ports import beneath
from danlu.runtime.isolation.view import TaskView
from danlu.runtime.task import CannotStart

_NOT_FOUND = re.compile(rb"(?:^|[\s:])([^\s:]+): (?:command )?not found$")
_TAIL = 8192
_MOST_FOLDERS = 64
_COMES_WITH = {
    "torchrun": "torch",
    "deepspeed": "deepspeed",
    "accelerate": "accelerate",
    "horovodrun": "horovod",
    "tensorboard": "tensorboard",
    "jupyter": "jupyterlab",
    "ray": "ray",
    "wandb": "wandb",
}
"""Programs that people use by name, and the package that pip knows."""
_MISSING = "command_not_found"
"""The reason, apart from other troubles of a start: the node is not to blame for it."""


class CommandPlace(NamedTuple):
    """Where a task looks for programs: nothing is told of what it could not find itself."""

    view: TaskView
    env: dict[str, str]
    cwd: str

    def folders(self) -> list[str]:
        listed = self.env.get("PATH", "").split(os.pathsep)[:_MOST_FOLDERS]
        return [os.path.join(self.cwd, folder) for folder in listed]


def find_program(name: str, place: CommandPlace) -> str:
    """The program's path. CannotStart says what is wrong with it, and what a misspelling likely means."""
    if "/" in name:
        path = os.path.normpath(os.path.join(place.cwd, name))
        _check(name, path, place.view)
        return path
    refused = ""
    for folder in place.folders():
        path = os.path.join(folder, name)
        seen = place.view.look_at(path)
        if seen is not None and seen.is_program:
            return path
        if seen is not None and not seen.is_folder:
            refused = refused or path
    if refused:
        raise CannotStart(f"permission denied: {refused} is not executable; run chmod +x on it")
    raise CannotStart(not_found(name, place), _MISSING)


def not_found(name: str, place: CommandPlace) -> str:
    package = _COMES_WITH.get(os.path.basename(name))
    if package is not None:
        return f"command not found: {name}; it comes with {package}: add `packages: {{pip: [{package}]}}`"
    likely = similar(name, place)
    return f"command not found: {name}" + (f"; did you mean {likely}?" if likely else "")


def similar(name: str, place: CommandPlace) -> str:
    """The program on PATH that is spelt most like it, or nothing."""
    import difflib  # costs milliseconds, and only misspellings need it

    where: dict[str, str] = {}
    for folder in place.folders():
        for other in place.view.names_in(folder):
            where.setdefault(other, folder)
    near = difflib.get_close_matches(name, sorted(where), n=9, cutoff=0.7)
    near = [other for other in near if _is_slip(name, other)]
    near = [other for other in near if _is_program(place.view, os.path.join(where[other], other))]
    # Two letters exchanged is the commonest slip: it wins over what difflib finds nearer.
    swapped = [other for other in near if sorted(other) == sorted(name)]
    return (swapped or near or [""])[0]


def _is_slip(name: str, other: str) -> bool:
    """Whether a slip of the fingers makes one of the other: one letter, in long names two, or two exchanged."""
    if sorted(name) == sorted(other):
        return True
    most = 1 if len(name) < 7 else 2
    row = list(range(len(other) + 1))
    for at, letter in enumerate(name, 1):
        above, row = row, [at]
        for there, also in enumerate(other, 1):
            row.append(min(above[there] + 1, row[-1] + 1, above[there - 1] + (letter != also)))
    return row[-1] <= most


def _is_program(view: TaskView, path: str) -> bool:
    seen = view.look_at(path)
    return seen is not None and seen.is_program


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


def hint(code: int, argv: list[str], place: CommandPlace, log: str) -> str:
    """A sentence for a shell's exit codes 126 and 127, from the last line the shell wrote."""
    if code == 126:
        return "a program could not be run: permission denied, or it is not a program"
    missing = _missing_program(log) or argv[-1].split(None, 1)[0]
    return not_found(missing, place)


def last_line(log: str, otherwise: str) -> str:
    """The text of the log's last line."""
    for line in reversed(_tail(log)):
        text = line.split(b" ", 2)[-1].decode("utf-8", "replace").strip()
        if text:
            return text
    return otherwise


def _tail(log: str) -> list[bytes]:
    try:
        fd = beneath.open_file(os.path.dirname(log), os.path.basename(log))
    except OSError:
        return []
    try:
        return os.pread(fd, _TAIL, max(0, os.fstat(fd).st_size - _TAIL)).splitlines()
    except OSError:
        return []
    finally:
        os.close(fd)


def _missing_program(log: str) -> str:
    for line in reversed(_tail(log)):
        match = _NOT_FOUND.search(line)
        if match:
            return match.group(1).decode("utf-8", "replace")
    return ""


def _check(name: str, path: str, view: TaskView) -> None:
    seen = view.look_at(path)
    if seen is None:
        text = f"command not found: {name} does not exist (looked for {path})"
        raise CannotStart(text + _out_of_sight(path, view), _MISSING)
    if seen.is_folder:
        raise CannotStart(f"{name} is a directory, not a program")
    if not seen.is_program:
        raise CannotStart(f"permission denied: {name} is not executable; run chmod +x on it")


def _out_of_sight(path: str, view: TaskView) -> str:
    """Says so of every path that tasks cannot see, whatever may be there."""
    part = view.part_of(path)
    if part is None or part.source is None:
        return "; tasks see only the system's programs and their own folders"
    return ""


def _interpreter(path: str) -> str:
    try:
        fd = beneath.open_file("/", os.path.realpath(path))
    except OSError:
        return ""
    try:
        first = os.pread(fd, 256, 0).partition(b"\n")[0]
    except OSError:
        return ""
    finally:
        os.close(fd)
    words = first[2:].split() if first.startswith(b"#!") else []
    return words[0].decode("utf-8", "replace") if words else ""
