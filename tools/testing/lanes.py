"""Two lanes: tiers that compute run one after the other, and beside them those that mostly wait."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import TextIO

from tools.testing.outcomes import Outcome, Took
from tools.testing.preparing import Preparations
from tools.testing.tiers import Tier

_LOOK_S = 0.2
"""How often a lane looks for new lines."""


class Runner:
    """Runs commands and shows what they print: as it is, or line by line under a name while others print too."""

    def __init__(self, *, named_lines: bool) -> None:
        self._named_lines = named_lines
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._stopped = False

    def run(
        self, name: str, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], log: Path
    ) -> tuple[int, Took]:
        """The exit code and what it took; all that was printed is in the log too, unless it went straight out."""
        log.parent.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        with log.open("w") as output:
            # A group of its own: Ctrl-C reaches pytest once, through `stop`, and it can clean up after itself.
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=output if self._named_lines else None,
                stderr=subprocess.STDOUT if self._named_lines else None,
                process_group=0,
            )
            with self._lock:
                self._running.add(process.pid)
                if self._stopped:
                    _interrupt(process.pid)
        status, cpu_s = self._follow(name, process.pid, log)
        process.returncode = os.waitstatus_to_exitcode(status)
        with self._lock:
            self._running.discard(process.pid)
        return process.returncode, Took(time.monotonic() - began, cpu_s)

    def stop(self) -> None:
        """Interrupt what runs, and whatever is started from now on."""
        with self._lock:
            self._stopped = True
            for pid in self._running:
                _interrupt(pid)

    @property
    def stopped(self) -> bool:
        return self._stopped

    def _follow(self, name: str, pid: int, log: Path) -> tuple[int, float]:
        with log.open(errors="replace") as printed:
            while True:
                ended, status, usage = os.wait4(pid, os.WNOHANG if self._named_lines else 0)
                if self._named_lines:
                    self._show(name, printed, to_the_end=bool(ended))
                if ended:
                    return status, usage.ru_utime + usage.ru_stime
                time.sleep(_LOOK_S)

    def _show(self, name: str, printed: TextIO, *, to_the_end: bool) -> None:
        while True:
            place = printed.tell()
            line = printed.readline()
            if not line or (not line.endswith("\n") and not to_the_end):
                printed.seek(place)
                return
            with self._lock:
                sys.stdout.write(f"{name:<12}│ {line.rstrip()}\n")
                sys.stdout.flush()


def run_in_lanes(
    tiers: Sequence[Tier], preparations: Preparations, run_tier: Callable[[Tier], Outcome], runner: Runner
) -> list[Outcome]:
    """Run all, in each lane the first that has what it needs; how they went, in the order they were given."""
    outcomes: dict[str, Outcome] = {}

    def run_lane(waiting: list[Tier]) -> None:
        while waiting:
            tier = preparations.first_ready(waiting)
            waiting.remove(tier)
            if runner.stopped:
                return
            trouble = preparations.trouble(tier)
            outcomes[tier.name] = Outcome(tier, 0, 1, Took(0), trouble) if trouble else run_tier(tier)

    lanes = [[tier for tier in tiers if tier.waits is waits] for waits in (False, True)]
    with ThreadPoolExecutor(len(lanes), "lane") as pool:
        try:  # around the start of the lanes too: the interrupt may come before the last has begun
            running = [pool.submit(run_lane, lane) for lane in lanes]
            wait(running)
        except KeyboardInterrupt:
            runner.stop()
            preparations.stop()
            raise  # once the lanes have ended: the pool waits for them
    for lane in running:
        lane.result()
    return [outcomes[tier.name] for tier in tiers]


def _interrupt(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)
