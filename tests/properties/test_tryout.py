"""One decision for many newcomers says of each what a decision of its own would."""

from __future__ import annotations

import random
from dataclasses import replace

from danlu.scheduler import Pending
from danlu.scheduler.tryout import fates
from danlu.scheduler.whatif import fate_and_place
from tests.effort import rounds
from tests.fakes.queue import HOUR, State, gang, role, wait
from tests.properties.states import OWNERS, PROJECTS, Picker, random_state

STATES = rounds(50, 150)


def test_it_agrees_with_a_decision_made_for_each_on_settled_states():
    """Random states, brought to rest; jobs of equal tasks, as flavors make them. The states stay the same: of others, a
    tryout answers about two jobs in a thousand otherwise than a decision would."""
    for seed in range(STATES):
        pick = Picker(random.Random(seed).randrange)
        state = settled(random_state(pick))
        jobs = [_plain(pick, f"z{number}") for number in range(6)]
        snapshot = state.snapshot()
        for job, found in zip(jobs, fates(snapshot, jobs), strict=True):
            reason, _ = fate_and_place(snapshot, job)
            assert (found.reason is None) == (reason is None), (seed, job, reason, found)


def settled(state: State) -> State:
    for _ in range(8):
        plan = state.decide()
        if not (plan.starts or plan.evictions or plan.growths):
            break
        state = state.applied(plan)
    return state


def _plain(pick: Picker, name: str) -> Pending:
    tasks = pick.one(1, 1, 1, 2)
    part = role(
        "worker", tasks, pick.one(1, 2, 4, 0.5, 0), pick.one("A100", "T4", None), cpus=pick.one(1, 2, 4)
    )
    job = wait(name, of=gang(part), owner=pick.one(*OWNERS), project=pick.one(*PROJECTS), at=2 * HOUR)
    return replace(job, priority=pick.one("normal", "low"))
