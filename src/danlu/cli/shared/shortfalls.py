"""What to do about a quota that a start would exceed."""

from __future__ import annotations

from typing import Sequence

from danlu.cli.shared import show
from danlu.sdk.models.problems import Shortfall


def advice(shortfalls: Sequence[Shortfall]) -> str:
    """What to do about an insufficient quota, in commands."""
    lines = [
        f"  {one.quota} · {one.job_class}: held by {', '.join(one.jobs)}" for one in shortfalls if one.jobs
    ]
    first = shortfalls[0]
    wanted = _wanted(first.resource, first.used + first.asked)
    within = "" if first.job_class == "all" else f" --class {first.job_class}"
    mine = [job.rpartition(":")[2] for one in shortfalls for job in one.jobs if ":" in job]
    stop = f"Stop one of them (danlu stop {mine[0]}), or ask" if mine else "Ask"
    return "\n".join([*lines, f"{stop} for more: danlu request quota {wanted}{within}"])


def _wanted(resource: str, amount: float) -> str:
    shown = f"{-(-int(amount) // 2**30)}GiB" if resource == "memory" else show.number(amount)
    return f"{resource}={shown}"
