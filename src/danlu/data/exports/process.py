"""The worker of one export, seen from the server: asked over a pipe, bounded in time and in what it may say."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

COMMAND = (sys.executable, "-I", "-m", "danlu.data.exports.worker")
ANSWER_S = 40.0
_LONGEST_LINE = 1 << 20
_PIECE = 1 << 18
_KEPT = ("PATH", "LANG", "LD_LIBRARY_PATH")


class WorkerGone(Exception):
    """It ended, was killed for its slowness, or said what nobody understands."""


class ExportProcess:
    """Used by one thread at a time."""

    def __init__(self, order: Mapping[str, Any]) -> None:
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self.pid = self._process.pid
        self._came = bytearray()
        self._until = 0.0
        # It ends by itself when nobody asks for long, and should leave no zombie.
        threading.Thread(target=self._process.wait, name=f"export {self.pid}", daemon=True).start()
        try:
            self.first = self.ask(order)
        except BaseException:
            self.end()
            raise

    def ask(self, what: Mapping[str, Any]) -> dict[str, Any]:
        """The first line of the answer."""
        self._until = time.monotonic() + ANSWER_S
        try:
            self._in.write(json.dumps(what).encode() + b"\n")
            self._in.flush()
        except (OSError, ValueError):
            raise WorkerGone from None
        return self.line()

    def line(self) -> dict[str, Any]:
        while (end := self._came.find(b"\n")) < 0:
            if len(self._came) > _LONGEST_LINE:
                raise WorkerGone
            self._fill()
        line = bytes(self._came[:end])
        del self._came[: end + 1]
        try:
            said = json.loads(line)
        except ValueError:
            raise WorkerGone from None
        if not isinstance(said, dict):
            raise WorkerGone
        return said

    def bytes(self, count: int) -> bytes:
        while len(self._came) < count:
            self._fill()
        found = bytes(self._came[:count])
        del self._came[:count]
        return found

    def end(self) -> None:
        self._process.kill()
        with contextlib.suppress(OSError):
            self._in.close()
        self._out.close()

    def _fill(self) -> None:
        left = self._until - time.monotonic()
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if left <= 0 or not poll.poll(left * 1000):
            raise WorkerGone
        piece = os.read(self._out.fileno(), _PIECE)
        if not piece:
            raise WorkerGone
        self._came += piece
