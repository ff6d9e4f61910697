"""Talking to the launcher, and starting one when there is none."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from danlu.domain.errors import Unavailable
from danlu.domain.words import say
from danlu.engines.local.listeners import LauncherListeners, socket_inside
from danlu.engines.local.programs import bare_environment, own_program
from danlu.ports import supervision

_ENDING_S = 30.0
"""Longer than the launcher tries to end a task."""


class LauncherClient:
    """The launcher of one runs directory. Calls block for milliseconds, a sweep for seconds; any thread."""

    def __init__(self, runs: Path, listeners: LauncherListeners) -> None:
        self._runs, self._listeners = str(runs), listeners
        self._lock = threading.Lock()

    def ensure(self) -> dict[str, Any]:
        """Make sure that a launcher of this version runs; returns what it reports about the machine."""
        with self._lock:
            described, rescued = self._ping(), []
            if described is not None and _is_ours(described):
                return described
            if described is not None:
                rescued = self._listeners.take_all()
                # An older one, or one with other user ids, exits; its supervisors stay with their tasks.
                with contextlib.suppress(OSError, ValueError):
                    supervision.ask_launcher(self._runs, {"quit": True})
            self._begin()
            self._listeners.hand_over(rescued)
            described = self._ping()
        if described is None:
            raise Unavailable(
                say(
                    "the launcher does not answer; see {runs}/{launcher_log}",
                    "启动器没有响应，参见 {runs}/{launcher_log}",
                    runs=self._runs,
                    launcher_log=supervision.LAUNCHER_LOG,
                )
            )
        return described

    def start(self, names: Sequence[str]) -> list[str | None]:
        """Ask for supervisors of these tasks; for each, what went wrong."""
        return self._ask([{"start": name} for name in names])

    def sweep(self, names: Sequence[str]) -> None:
        """End what dead supervisors left behind; returns when it is done, Unavailable if it cannot be."""
        self._must([{"sweep": name} for name in names])

    def end(self, names: Sequence[str]) -> None:
        """End tasks by force, with supervisors that do not respond; likewise."""
        self._must([{"end": name} for name in names])

    def enter(self, name: str) -> socket.socket | None:
        """A socket in the own network of a task, not connected yet; None if it shares the machine's. OSError when it
        cannot be entered."""
        try:
            return socket_inside(self._runs, name)
        except (FileNotFoundError, ConnectionError):
            self.ensure()
            return socket_inside(self._runs, name)

    def _must(self, messages: list[dict[str, str]]) -> None:
        troubles = [trouble for trouble in self._ask(messages, _ENDING_S) if trouble is not None]
        if troubles:
            raise Unavailable(
                say(
                    "the task could not be ended: {why}",
                    "无法终止子任务：{why}",
                    why="; ".join(troubles),
                )
            )

    def _ask(self, messages: list[dict[str, str]], timeout: float = 10.0) -> list[str | None]:
        for last in (False, True):
            try:
                answers = supervision.ask_launcher(self._runs, *messages, timeout=timeout)
                return [answer.get("error") for answer in answers]
            except (OSError, ValueError) as error:
                if last:
                    raise Unavailable(
                        say("the launcher does not answer: {error}", "启动器没有响应：{error}", error=error)
                    ) from error
                self.ensure()
        raise AssertionError("unreachable")

    def _ping(self) -> dict[str, Any] | None:
        try:
            return supervision.ask_launcher(self._runs, {"ping": True})[0]
        except (OSError, ValueError):
            return None

    def _begin(self) -> None:
        # Every supervisor is a fork of it, with the same environment.
        try:
            began = subprocess.run(
                own_program("danlu.runtime.launcher", self._runs),
                env=bare_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=30,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable(
                say("the launcher cannot be started: {error}", "启动器无法启动：{error}", error=error)
            ) from error
        if began.returncode:
            raise Unavailable(
                say(
                    "the launcher cannot be started: {error}",
                    "启动器无法启动：{error}",
                    error=began.stderr.strip() or began.returncode,
                )
            )


def _is_ours(described: dict[str, Any]) -> bool:
    """Of this version, and among the same user ids."""
    same_users = described.get("namespace") == os.stat("/proc/self/ns/user").st_ino
    return same_users and described.get("fingerprint") == supervision.fingerprint()
