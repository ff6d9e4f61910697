"""Launch lines: a command that begins with `python` is run by the framework's own launcher."""

from __future__ import annotations

import re

from danlu.frameworks.base import Command

_PYTHON = re.compile(r"\s*(?:\S*/)?python(?:3(?:\.\d+)?)?\s+(?:-u\s+)?(?=-m\s|[^-\s])")

_INLINE = re.compile(r"\s*(?:\S*/)?python(?:3(?:\.\d+)?)?\s+(?:-u\s+)?-c(?:\s|$)")


def inline(command: Command) -> bool:
    """Whether it is `python -c …`, which launchers cannot run."""
    return _INLINE.match(command if isinstance(command, str) else " ".join(command[:3])) is not None


def through(launcher: str, command: Command) -> Command:
    """`python train.py …` run by the launcher, `python -m package …` too; any other command as it is."""
    if isinstance(command, str):
        return _PYTHON.sub(lambda _: f"{launcher} ", command, count=1) if _PYTHON.match(command) else command
    words = [word for word in command[1:2] if word == "-u"]
    rest = command[1 + len(words) :]
    is_python = re.fullmatch(r"(?:.*/)?python(?:3(?:\.\d+)?)?", command[0]) is not None
    if not is_python or not rest or (rest[0].startswith("-") and rest[0] != "-m"):
        return command
    return (*launcher.split(), *rest)


def by_module(launcher: str, command: Command) -> Command:
    """`python train.py …` run by a module of that same Python, for launchers that run scripts and no modules; any other
    command as it is."""
    if isinstance(command, str):
        begin = _PYTHON.match(command)
        if begin is None or command.startswith("-m", begin.end()):
            return command
        return f"{begin[0].rstrip()} -m {launcher} {command[begin.end() :]}"
    rest = through("", command)
    if rest is command or rest[0] == "-m":
        return command
    return (*command[: len(command) - len(rest)], "-m", launcher, *rest)
