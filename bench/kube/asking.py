"""A process of the bench's own that does as it is asked: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tools.dev.places import ROOT

_PATIENCE_S = 30.0


class Servant:
    """The other side of the lines. When its input ends, whoever it is cleans up and goes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    def heard(self) -> Any:
        """What it says next; an error when it has gone."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended with {self._process.wait()}")
        return json.loads(line)

    def ask(self, what: str, *words: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([what, *words]) + "\n")
        self._process.stdin.flush()
        return self.heard()


@contextlib.contextmanager
def servant(module: str, *args: str) -> Iterator[Servant]:
    """`python -m module args…`, for as long as it is needed."""
    command = [sys.executable, "-m", module, *args]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield Servant(process)
        finally:
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()


def say(answer: Any) -> None:
    print(json.dumps(answer), flush=True)
