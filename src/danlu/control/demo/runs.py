"""What trainings of a made-up past printed and reported: short logs, and curves that fall as losses do."""

from __future__ import annotations

import math
import random

from danlu.control.demo.endings import LINES
from danlu.domain.job import Job, Kind, Time
from danlu.ports.logs import LogKey
from danlu.ports.past import PastLog
from danlu.ports.reports import ReportedPoint

_POINTS, _LINES = 60, 12
_STEPS = 4_000


def log_of(job: Job, fate: str, seed: int) -> PastLog | None:
    """Of the first task of its last attempt; None if it never ran."""
    attempt = job.attempt
    if attempt is None or job.started_at is None or not attempt.tasks:
        return None
    task, began = attempt.tasks[0], attempt.tasks[0].started_at or attempt.created_at
    ended = max(began + 1_000, attempt.ended_at or job.ended_at or began)
    key = LogKey(job.id, attempt.number, task.run)
    if job.spec.kind is not Kind.TRAINING:
        return PastLog(key, ((began, "the workspace is ready"),), ())
    points = _curve(random.Random(f"{seed}:{job.id}"), began, ended, broken=fate == "not_a_number")
    if fate in ("module_missing", "gpu_memory"):
        points = points[:3] if fate == "gpu_memory" else []
    lines = [(began, f"{len(attempt.tasks)} × {len(task.gpus)} {task.model}, bf16, seed {seed % 1000}")]
    lines += [(one.time, _line(one)) for one in points[:: max(1, len(points) // _LINES)]]
    lines.append((ended, LINES.get(fate) or ("saved model.pt" if fate == "done" else "leaving")))
    return PastLog(key, tuple(lines), tuple(points))


def _curve(chance: random.Random, began: Time, ended: Time, *, broken: bool) -> list[ReportedPoint]:
    first, floor, pace = chance.uniform(2.2, 7.5), chance.uniform(0.15, 1.4), chance.uniform(3, 7)
    best = chance.uniform(0.72, 0.96)
    found = []
    for number in range(_POINTS):
        part = number / (_POINTS - 1)
        loss = floor + (first - floor) * math.exp(-pace * part) * (1 + chance.gauss(0, 0.05))
        values = {
            "loss": math.nan if broken and number > _POINTS - 4 else round(loss, 5),
            "accuracy": round(best * (1 - math.exp(-pace * part)) * (1 + chance.gauss(0, 0.008)), 5),
            "lr": round(3e-4 * 0.5 * (1 + math.cos(math.pi * part)), 8),
        }
        found.append(ReportedPoint(int(began + (ended - began) * part), int(_STEPS * part), values))
    return found


def _line(point: ReportedPoint) -> str:
    told = "  ".join(f"{name} {value:.4g}" for name, value in point.values.items())
    return f"step {point.step:5d}/{_STEPS}  {told}"
