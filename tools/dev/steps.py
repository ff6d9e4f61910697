"""Steps that take a while: shown as they go, their output kept in a log and shown when they fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.dev.places import LOGS, ROOT

SHOWN_LINES = 40
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class StepFailed(Exception):
    """A step ended badly; what it said has been shown."""


class Stop(Exception):
    """A command cannot continue; the sentence says why and what to do next."""


class _Running:
    """The processes of all steps, whichever thread runs them."""

    def __init__(self) -> None:
        self.over = False
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def wait_for(self, process: subprocess.Popen[bytes]) -> int:
        with self._lock:
            self._processes.add(process)
        if self.over:
            process.terminate()
        try:
            return process.wait()
        finally:
            with self._lock:
                self._processes.discard(process)

    def end(self) -> None:
        with self._lock:
            self.over = True
            for process in self._processes:
                process.terminate()


_running = _Running()


def end_steps() -> None:
    """End what steps in other threads have started, for a habit that was interrupted."""
    _running.end()


def run_step(
    title: str, command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> None:
    """Run a command under a title; raises StepFailed after showing the end of its output."""
    log = LOGS / (re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") + ".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    line = ProgressLine(title)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            code = _running.wait_for(process)
        except BaseException:
            process.terminate()
            process.wait()
            line.end("stopped")
            raise
    if _running.over:
        line.end("stopped")
        raise StepFailed(title)
    if code == 0:
        line.end("done")
        return
    line.end("failed")
    say(last_lines(log.read_text(errors="replace"), SHOWN_LINES))
    say(f"'{title}' failed (exit code {code}); its full output: {log}")
    raise StepFailed(title)


def last_lines(text: str, count: int) -> str:
    lines = text.rstrip().splitlines()
    left_out = len(lines) - count
    shown = lines[-count:]
    if left_out > 0:
        shown.insert(0, f"… {left_out} lines before these")
    return "\n".join("    " + line for line in shown)


def say(text: str) -> None:
    # To stderr: what a habit's command prints on stdout may be read by another program.
    print(text, file=sys.stderr, flush=True)


class ProgressLine:
    """On a terminal a spinner with the time so far; in a pipe, and while others print, a plain line at the start and at
    the end."""

    spins = True

    def __init__(self, title: str) -> None:
        self.title = title
        self.began = time.monotonic()
        self.live = self.spins and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.ended = threading.Event()
        if self.live:
            self.thread = threading.Thread(target=self._spin, daemon=True)
            self.thread.start()
        else:
            say(f"{title} …")

    def end(self, how: str) -> None:
        self.ended.set()
        took = f"{time.monotonic() - self.began:.1f} s"
        if not self.live:
            say(f"{self.title}: {how} in {took}")
            return
        self.thread.join()
        mark = "✓" if how == "done" else "✕"
        self._write(f"\r\x1b[2K{mark} {self.title}  {took}\n")

    def _spin(self) -> None:
        turn = 0
        while not self.ended.wait(0.1):
            seconds = int(time.monotonic() - self.began)
            self._write(f"\r\x1b[2K{SPINNER[turn % len(SPINNER)]} {self.title}  {seconds} s")
            turn += 1

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
