"""Figures that are kept: each run with its commit, and in words what moved since the last one.

CPU time depends on the machine and on who else is at work on it. So a fixed piece of work, the yardstick, is timed
around everything that is measured, and CPU times are compared as multiples of it."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

RECORD = Path(__file__).with_name("figures.jsonl")
MOVED = 0.1
"""By more than such a share a figure has moved."""


@dataclass(frozen=True)
class Figure:
    value: float
    unit: str
    yardsticks: float | None = None
    """The same in yardsticks, for CPU times; None where the machine's speed does not matter."""

    def shown(self) -> str:
        return f"{self.value:.3g} {self.unit}" if self.value < 100 else f"{self.value:,.0f} {self.unit}"


@dataclass(frozen=True)
class Run:
    commit: str
    date: str
    python: str
    cores: int
    yardstick_ms: float
    figures: dict[str, Figure] = field(default_factory=dict)

    def line(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def read(cls, line: str) -> Run:
        told = json.loads(line)
        return cls(**{**told, "figures": {name: Figure(**one) for name, one in told["figures"].items()}})


@dataclass(frozen=True)
class Moved:
    """A figure beside what it was, in today's yardsticks."""

    what: str
    now: Figure
    then: Figure

    @property
    def share(self) -> float:
        return self.now.value / self.then.value - 1 if self.then.value else 0.0

    def words(self, commit: str) -> str:
        direction = "more" if self.share > 0 else "less"
        change = f"{abs(self.share):.0%} {direction} than at {commit}"
        return f"{self.what}: {self.now.shown()}, {change} ({self.then.shown()})"


def last(record: Path) -> Run | None:
    lines = record.read_text("utf-8").splitlines() if record.exists() else []
    return Run.read(lines[-1]) if lines else None


def append(record: Path, run: Run) -> None:
    with record.open("a", encoding="utf-8") as file:
        file.write(run.line() + "\n")


def beside(now: Run, then: Run) -> Iterator[Moved]:
    """Every figure that both have; what was CPU time then, as it would be on the machine of now."""
    for name, figure in now.figures.items():
        known = then.figures.get(name)
        if known is None or known.unit != figure.unit:
            continue
        if figure.yardsticks and known.yardsticks:
            known = Figure(figure.value * known.yardsticks / figure.yardsticks, known.unit, known.yardsticks)
        yield Moved(name, figure, known)


def story(now: Run, then: Run | None) -> list[str]:
    """What a person is told of a run."""
    if then is None:
        return ["Nothing is recorded yet: ./dev bench --quick --record keeps these figures."]
    known = {one.what: one for one in beside(now, then)}
    told = [one.words(then.commit) for one in known.values() if abs(one.share) > MOVED]
    told += [f"{name}: measured for the first time" for name in now.figures if name not in known]
    told += [f"{name}: no longer measured" for name in then.figures if name not in now.figures]
    if not told:
        told = [f"Nothing moved by more than a tenth since {then.commit}."]
    if (then.python, then.cores) != (now.python, now.cores):
        told.append(f"{then.commit} was measured with Python {then.python} on {then.cores} cores.")
    return told


def this_run(root: Path, figures: dict[str, Figure], yardstick_ms: float) -> Run:
    day = datetime.now(UTC).date().isoformat()
    cores = len(os.sched_getaffinity(0))
    return Run(commit(root), day, platform.python_version(), cores, round(yardstick_ms, 2), figures)


def commit(root: Path) -> str:
    """The short hash; with a plus when files differ from it."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=True
        ).stdout.strip()

    try:
        return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


class Yardstick:
    """Times the fixed work before and after whatever is measured; both see the same machine."""

    def __init__(self, work: Callable[[], object] | None = None) -> None:
        self._work = work or fixed_work
        self.times: list[float] = []
        self._work()  # the first time is not like the others
        self._latest = self._measure()

    def cpu(self, measure: Callable[[], float], repeats: int) -> Figure:
        """The median of several measurements, which return CPU seconds."""
        taken, ratios = [], []
        for _ in range(repeats):
            before = self._latest
            seconds = measure()
            self._latest = self._measure()
            taken.append(seconds)
            ratios.append(seconds / ((before + self._latest) / 2))
        ratio = statistics.median(ratios)
        return Figure(round(statistics.median(taken) * 1000, 3), "ms CPU", round(ratio, 4))

    @property
    def median_ms(self) -> float:
        return statistics.median(self.times) * 1000

    def _measure(self) -> float:
        took = []
        for _ in range(3):
            began = time.thread_time()
            self._work()
            took.append(time.thread_time() - began)
        self.times.append(statistics.median(took))
        return self.times[-1]


def fixed_work() -> int:
    """A bit of all that Danlu does: JSON, dictionaries, sorting, classes, and code that is compiled."""
    rows = [{"name": f"job-{n:05}", "state": n % 7, "labels": {"rack": f"r{n % 31}"}} for n in range(3000)]
    known = json.loads(json.dumps(rows))
    known.sort(key=lambda row: (row["state"], row["labels"]["rack"], row["name"]))
    racks: dict[str, list[str]] = {}
    for row in known:
        racks.setdefault(row["labels"]["rack"], []).append(row["name"])
    source = "\n".join(
        f"class C{n}:\n    def f(self, a, b=1):\n        return a + b * {n}" for n in range(60)
    )
    exec(compile(source, "yardstick", "exec"), {})
    return sum(map(len, racks.values()))
