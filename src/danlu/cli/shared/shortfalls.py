"""What to do about a quota that a start would exceed."""

from __future__ import annotations

from typing import Sequence

from danlu.cli.shared import show
from danlu.cli.terms import term
from danlu.cli.words import speak
from danlu.domain.words import listed
from danlu.sdk.models.problems import Shortfall


def advice(shortfalls: Sequence[Shortfall]) -> str:
    """What to do about an insufficient quota, in commands."""
    lines = [
        speak(
            "  {quota} · {within}: held by {jobs}",
            "  {quota} · {within}：由 {jobs} 占用",
            quota=one.quota,
            within=term(one.job_class),
            jobs=listed(one.jobs),
        )
        for one in shortfalls
        if one.jobs
    ]
    first = shortfalls[0]
    wanted = _wanted(first.resource, first.used + first.asked)
    within = "" if first.job_class == "all" else f" --class {first.job_class}"
    mine = [job.rpartition(":")[2] for one in shortfalls for job in one.jobs if ":" in job]
    request = f"danlu request quota {wanted}{within}"
    if mine:
        remedy = speak(
            "Stop one of them (danlu stop {job}), or ask for more: {request}",
            "请停止其中一个（danlu stop {job}），或申请更多：{request}",
            job=mine[0],
            request=request,
        )
    else:
        remedy = speak("Ask for more: {request}", "请申请更多：{request}", request=request)
    return "\n".join([*lines, remedy])


def _wanted(resource: str, amount: float) -> str:
    shown = f"{-(-int(amount) // 2**30)}GiB" if resource == "memory" else show.number(amount)
    return f"{resource}={shown}"
