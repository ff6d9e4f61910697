"""Never a writer of a block volume beside anybody else, under any sequence of decisions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from danlu.domain.reasons import VolumeBusy
from danlu.scheduler import Running
from danlu.scheduler.model import BlockMount
from tests.effort import rounds
from tests.fakes.queue import MINUTE, State
from tests.properties.states import Picker, pending, random_state, with_a_past

usual = settings(max_examples=rounds(40, 120), suppress_health_check=list(HealthCheck))
VOLUMES = ("v", "w")


@st.composite
def sequences(draw: st.DrawFn) -> tuple[State, Picker]:
    pick = Picker(lambda below: draw(st.integers(0, below - 1)))
    state = with_a_past(pick, random_state(pick))
    jobs = [with_mounts(pick, job) for job in state.jobs]
    return replace(state, jobs=_without_clashes(jobs)), pick


def with_mounts(pick: Picker, job: Any) -> Any:
    names = [name for name in VOLUMES if pick.one(True, False)]
    mounts = tuple(BlockMount(name, pick.one(True, False), name, job.job_id) for name in names)
    return replace(job, mounts=mounts)


def _without_clashes(jobs: list[Any]) -> list[Any]:
    """The running ones as some earlier decision could have let them start."""
    kept: list[Any] = []
    for job in jobs:
        if isinstance(job, Running) and clashes([*kept, job]):
            job = replace(job, mounts=())
        kept.append(job)
    return kept


def clashes(jobs: list[Any]) -> list[str]:
    """Volumes with a writer that is not alone there; who is leaving still counts."""
    users: dict[str, dict[str, bool]] = defaultdict(dict)
    for job in jobs:
        if isinstance(job, Running):
            for mount in job.mounts:
                users[mount.volume][job.job_id] = users[mount.volume].get(job.job_id, False) or mount.writes
    return [name for name, modes in users.items() if any(modes.values()) and len(modes) > 1]


@usual
@given(sequences())
def test_a_writer_is_always_alone(sequence: tuple[State, Picker]) -> None:
    state, pick = sequence
    for at in range(6):
        plan = state.decide()
        waits = {job: why for job, why in plan.waiting.items() if isinstance(why, VolumeBusy)}
        assert not set(waits) & {one.made_for for one in plan.evictions}
        assert not set(waits) & {one.job_id for one in plan.starts}
        state = state.told(plan)
        assert not clashes(state.jobs)
        if pick.one(True, False):
            state = state.left()
        running = [job.job_id for job in state.running if not job.leaving]
        if len(running) > pick.count(0, 1):
            state = state.without(pick.one(*running))
        if pick.one(True, False):
            state = state.plus(with_mounts(pick, pending(pick, f"x{at}")))
        state = state.later(pick.one(MINUTE, 30 * MINUTE))


@usual
@given(sequences())
def test_a_second_decision_on_the_same_jobs_starts_nobody_else(sequence: tuple[State, Picker]) -> None:
    state, _ = sequence
    plan = state.decide()
    again = state.told(plan).decide()
    assert not [one for one in again.starts if not one.after]
