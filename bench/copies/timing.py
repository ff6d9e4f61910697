"""A command timed: wall, the CPU of it and all that it started, and whether it was ended for taking too long."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.table import Table


@dataclass(frozen=True)
class Took:
    who: str
    wall: float
    cpu: float
    is_over: bool = False

    def shown(self, size: int = 0) -> str:
        if self.is_over:
            return f"{self.who}: ended after {self.wall:.0f} s"
        rate = f", {size / self.wall / 1e6:.0f} MB/s" if size else ""
        return f"{self.who}: {self.wall:.2f} s{rate}, {self.cpu:.2f} s CPU"


def timed(who: str, command: Sequence[str | Path], most: float, env: Mapping[str, str] | None = None) -> Took:
    """RuntimeError with its last words if it fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(env or {})},
        start_new_session=True,
    )
    is_over = False
    try:
        said, _ = process.communicate(timeout=most)
    except subprocess.TimeoutExpired:
        is_over = True
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode and not is_over:
        raise RuntimeError(f"{who} ended with {process.returncode}: {said[-500:].decode(errors='replace')}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(who, wall, cpu, is_over)


def compare(
    table: Table,
    what: str,
    target: Path | None,
    runs: Sequence[Callable[[], Took]],
    rounds: int,
    size: int = 0,
) -> None:
    """All by turns, ours first, the best round of each; `target` is removed before every run."""
    best: dict[str, Took] = {}
    for _ in range(rounds):
        for run in runs:
            if target is not None:
                remove(target)
            took = run()
            known = best.get(took.who)
            if known is None or took.wall < known.wall:
                best[took.who] = took
    if target is not None:
        remove(target)
    ours, *others = best.values()
    table.add(what, ours.shown(size), "", "; ".join(one.shown(size) for one in others))
    for one in others:
        ratio = one.wall / ours.wall
        told = f"danlu {ratio:.2f} × as fast" if ratio >= 1 else f"danlu takes {1 / ratio:.2f} × the time"
        table.add(f"  against {one.who}", told)


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    elif path.exists():
        path.unlink()
