"""What the program that installs a task's packages tells its supervisor. People's code runs beside it: nothing it says
is trusted further than that."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from danlu.ports import supervision
from danlu.runtime.task import SupervisedTask

_STEPS = ("packages", "packages_install", "packages_wait")
_PROBLEMS = ("install", "no_network", "no_file", "no_tool", "no_environment", "no_space")
_MOST_STEPS = 50
_LONGEST = 1000
_START = (
    "import sys; sys.path[:] = [place for place in sys.path if place]; "
    "from danlu.runtime.packages.install import main; sys.exit(main(sys.argv[1:]))"
)
"""The task's own folder is not looked in for modules: people's may be called as ours are."""


class CannotPrepare(NamedTuple):
    """What kind of trouble there was with the packages, and what was said of it."""

    problem: str
    text: str


class Preparing:
    """The time between the task's launch and its command's, until the program says that all is ready."""

    def __init__(self) -> None:
        self.fd, self.tells = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_inheritable(self.tells, True)
        self.done = self.ready = False
        self.environment = ""
        self.failure: CannotPrepare | None = None
        self._text = b""
        self._steps = 0

    def wrapped(self, task: SupervisedTask) -> SupervisedTask:
        """The task with the program that installs before its command."""
        return task._replace(
            argv=["python3", "-c", _START, *task.argv],
            env={**task.env, supervision.STEPS: str(self.tells)},
        )

    def launched(self) -> None:
        os.close(self.tells)

    def read(self) -> list[str]:
        """The steps that are new. `done` once nothing more is to come, `ready` if the command may run."""
        try:
            data = os.read(self.fd, 65_536)
        except BlockingIOError:
            return []
        *lines, self._text = (self._text + data).split(b"\n")
        steps = [step for line in lines for step in self._hear(line)]
        if not data or len(self._text) > supervision.LONGEST_STEP:
            self.done = True
        return steps

    def _hear(self, line: bytes) -> list[str]:
        try:
            said: Any = json.loads(line)
        except (ValueError, RecursionError):
            return []
        if not isinstance(said, dict) or self.done:
            return []
        if "ready" in said:
            self.environment, self.done = _bounded(said["ready"]), True
            self.ready = True
        elif "failed" in said:
            problem = said["failed"] if said["failed"] in _PROBLEMS else _PROBLEMS[0]
            self.failure = CannotPrepare(problem, _bounded(said.get("text")))
        elif said.get("step") in _STEPS and self._steps < _MOST_STEPS:
            self._steps += 1
            return [said["step"]]
        return []


def _bounded(text: Any) -> str:
    kept = str(text)[:_LONGEST] if isinstance(text, str) else ""
    return "".join(letter if letter.isprintable() else " " for letter in kept)
