"""`danlu sim decide`: what the scheduler would do with a state, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from danlu.domain.reasons import Reason
from danlu.files.moments import show_moment
from danlu.files.quantities import plain_number
from danlu.files.state_file import schema
from danlu.scheduler import Assigned, Decision, Lane, decide
from danlu.simulator.plan import PrintedPlan, PrintedReason, PrintedTask, PrintedWait
from danlu.simulator.reading import read_state
from danlu.simulator.state import State

__all__ = ["as_json", "decide_file", "moved", "plans", "printed", "schema"]

_NAMED = 10
"""How many of the jobs ahead are named; `queue` has them all."""


def decide_file(data: object, rounds: int = 1) -> dict[str, Any]:
    """The plan for a state file, or the plans of more rounds, as JSON data."""
    return dict(as_json(plans(data, rounds)))


def plans(data: object, rounds: int = 1) -> list[PrintedPlan]:
    """The plan for a state file, then a plan for each state that follows. Invalid lists all errors."""
    state = read_state(data)
    found: list[PrintedPlan] = []
    for _ in range(rounds):
        decision = decide(state.snapshot())
        found.append(printed(state, decision))
        if len(found) < rounds:
            state = state.applied(decision.plan)
    return found


def as_json(found: Sequence[PrintedPlan]) -> Mapping[str, object]:
    """One plan alone; of more, whether the last still changes anything."""
    return found[0] if len(found) == 1 else {"rounds": found, "stable": not moved(found[-1])}


def moved(plan: PrintedPlan) -> bool:
    """Whether a plan changes anything."""
    return bool(plan["starts"] or plan["growths"] or plan["evictions"])


def printed(state: State, decision: Decision) -> PrintedPlan:
    """A plan as JSON has it, and why the others wait."""
    plan = decision.plan
    starting = {start.job_id for start in plan.starts}
    queue = {
        _lane(lane): [job.job_id for job in jobs if job.job_id not in starting]
        for lane, jobs in decision.queue.items()
    }
    return {
        "now": show_moment(state.now),
        "starts": [
            {"job": start.job_id, "tasks": _tasks(start.tasks), "after": list(start.after)}
            for start in plan.starts
        ],
        "growths": [
            {"job": growth.job_id, "tasks": _tasks(growth.tasks), "after": list(growth.after)}
            for growth in plan.growths
        ],
        "evictions": [
            {
                "job": eviction.job_id,
                "tasks": _tasks(eviction.tasks),
                "whole": eviction.whole,
                "made_for": eviction.made_for,
                "reason": _reason(eviction.reason),
            }
            for eviction in plan.evictions
        ],
        "waiting": _waiting(decision, queue, starting),
        "queue": {lane: jobs for lane, jobs in queue.items() if jobs},
        "scores": _scores(state),
    }


def _waiting(decision: Decision, queue: Mapping[str, list[str]], starting: set[str]) -> list[PrintedWait]:
    """Why each job waits, and its best place in any lane."""
    best: dict[str, tuple[int, str]] = {}
    for lane, jobs in queue.items():
        for at, job in enumerate(jobs):
            best[job] = min(best.get(job, (at, lane)), (at, lane))
    found = []
    for job, reason in sorted(
        decision.waiting.items(), key=lambda item: (*best.get(item[0], (0, "")), item[0])
    ):
        if job in starting:
            continue
        at, lane = best[job]
        ahead = queue[lane][max(0, at - _NAMED) : at]
        found.append(PrintedWait(job=job, lane=lane, position=at + 1, reason=_reason(reason), ahead=ahead))
    return found


def _tasks(tasks: Iterable[Assigned]) -> list[PrintedTask]:
    return [
        {
            "task": f"{task.role}-{task.index}",
            "role": task.role,
            "index": task.index,
            "node": task.node,
            "gpus": [{"index": grant.index, "share": plain_number(grant.milli)} for grant in task.gpus],
        }
        for task in tasks
    ]


def _reason(reason: Reason) -> PrintedReason:
    text = reason.text()
    return {"code": reason.code, "params": reason.params(), "text": {"en": text.en, "zh": text.zh}}


def _scores(state: State) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for (user, model), score in sorted(state.scores().items()):
        found.setdefault(user, {})[model] = round(score, 6)
    return found


def _lane(lane: Lane) -> str:
    return f"{lane[0]}/{lane[1].value}"
