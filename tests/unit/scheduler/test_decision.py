"""A decision: the plan, and what is told of those who wait."""

from __future__ import annotations

import pickle

from danlu.scheduler import decide
from tests.fakes.queue import State, node, run, wait

STATE = State([node("n1")], [run("r", "n1", 6), wait("fits", 2), wait("waits", 4), wait("behind", 4)])


def test_a_plan_is_plain_data() -> None:
    plan = decide(STATE.snapshot()).plan
    assert plan.starts
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_who_waits_is_told_beside_the_plan_and_worked_out_once() -> None:
    decision = decide(STATE.snapshot())
    assert decision.waiting is decision.waiting
    assert decision.queue is decision.queue
    (jobs,) = decision.queue.values()
    assert [job.job_id for job in jobs] == list(decision.waiting) == ["waits", "behind"]
