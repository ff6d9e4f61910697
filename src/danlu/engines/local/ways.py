"""Into tasks on this machine, for processes that do not run them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from danlu.domain.job import Task
from danlu.engines.local.connection import LocalConnection
from danlu.engines.local.environment import host_environment
from danlu.engines.local.launcher import LauncherClient
from danlu.engines.local.listeners import LauncherListeners
from danlu.engines.local.shell import LocalShell
from danlu.engines.local.stacks import read_stacks
from danlu.ports.engine import Connection, Shell


class LocalWays:
    """Implements `Interactive`, `Inspectable` and `Reachable` by what a local engine keeps in its runs directory;
    `python` is the setting."""

    def __init__(self, runs: Path, python: Path | None) -> None:
        self._runs, self._python = runs, python
        self._launcher = LauncherClient(runs, LauncherListeners(runs))

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Shell:
        return await LocalShell.open(self._runs / attempt_id / task.run, argv, tty)

    async def connect(self, attempt_id: str, task: Task, port: int) -> Connection:
        """Tasks of one job are told apart by the address of their node, those of two by their networks."""
        enter = functools.partial(self._launcher.enter, f"{attempt_id}/{task.run}")
        return await LocalConnection.open(task.name, task.address, port, enter)

    def stacks(self, attempt_id: str, task: Task) -> str:
        programs = host_environment(self._python).path
        return read_stacks(self._runs / attempt_id / task.run, task.name, programs)
