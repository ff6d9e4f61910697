"""What must hold of every decision, whatever the cluster and the queue."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from danlu.domain.reasons import Preempted, Reclaimed
from danlu.domain.rules import CPUS
from danlu.scheduler import FOREVER, Board, Eviction, Growth, Plan, Running, Start, decide
from danlu.scheduler.model import total_of
from tests.effort import rounds
from tests.fakes.queue import HOUR, MINUTE, State, started
from tests.properties import states as cases

usual = settings(max_examples=rounds(40, 120), suppress_health_check=list(HealthCheck))
long = settings(usual, max_examples=rounds(8, 20), phases=[Phase.generate])  # too slow to shrink
states = cases.states()


def check(before: State, after: State) -> None:
    cases.nothing_is_oversubscribed(after)
    cases.tasks_are_what_their_role_asks(after)
    cases.gangs_are_whole_or_absent(after)
    cases.no_gang_spans_clusters(after)
    cases.nobody_held_back_starts(before, after)
    cases.bounds_hold(before, after)
    cases.nothing_is_placed_beyond_a_closing(before, after)


@usual
@given(states)
def test_nothing_is_oversubscribed_gangs_are_whole_in_one_cluster_and_bounds_hold(state: State) -> None:
    plan = state.decide()
    check(state, state.told(plan))
    check(state, state.applied(plan))


@usual
@given(states, st.randoms(use_true_random=False))
def test_the_same_snapshot_gives_the_same_plan_however_it_came_about(
    state: State, chance: random.Random
) -> None:
    plan = state.decide()
    assert state.decide() == plan
    jobs = list(state.jobs)
    chance.shuffle(jobs)
    other = replace(state, jobs=jobs).decide()
    assert other == plan
    assert other.waiting == plan.waiting
    board = Board()
    board.set_nodes(state.nodes[:1], {})
    for job in reversed(jobs):
        board.put(job)
    decide(state.seen(board))
    board.set_nodes(state.nodes, {})
    for job in jobs[: len(jobs) // 2]:
        board.drop(job.job_id)
    decide(state.seen(board))
    for job in jobs:
        board.put(job)
    assert decide(state.seen(board)).plan == plan.decision.plan


@usual
@given(states)
def test_a_second_cycle_on_the_applied_plan_changes_nothing(state: State) -> None:
    plan = state.applied(state.decide()).decide()
    assert (plan.starts, plan.evictions, plan.growths) == ((), (), ())


@usual
@given(states)
def test_who_avoids_every_node_is_placed_like_one_who_avoids_none(state: State) -> None:
    everywhere = frozenset(node.name for node in state.nodes)
    never = replace(state, jobs=[replace(job, avoids=frozenset()) for job in state.jobs]).decide()
    always = replace(state, jobs=[replace(job, avoids=everywhere) for job in state.jobs]).decide()
    assert always == never
    assert always.waiting == never.waiting


@usual
@given(states)
def test_every_pending_job_is_placed_or_explained(state: State) -> None:
    plan = state.decide()
    now = {start.job_id for start in plan.starts if not start.after}
    queued = {job.job_id for job in state.pending} | {one.job_id for one in plan.evictions if one.whole}
    assert set(plan.waiting) == queued - now
    in_line = {job.job_id for jobs in plan.queue.values() for job in jobs}
    assert in_line == queued - now
    for reason in plan.waiting.values():
        fit, tasks = getattr(reason, "fit", 0), getattr(reason, "tasks", 1)
        assert 0 <= fit < tasks, reason
        assert "{" not in reason.text().en + reason.text().zh


@usual
@given(states)
def test_every_eviction_serves_a_start_and_no_victim_stands_as_high(state: State) -> None:
    evictions_are_due(state, state.decide())


def evictions_are_due(state: State, plan: Plan) -> None:
    jobs = {job.job_id: job for job in state.jobs}
    rules, starts = state.rules, {start.job_id: start for start in plan.starts}
    for eviction in plan.evictions:
        assert eviction.made_for in starts, eviction
        assert starts[eviction.made_for].after, eviction
        victim, winner = jobs[eviction.job_id], jobs[eviction.made_for]
        assert isinstance(victim, Running)
        assert victim.preemptible
        assert rules.priority(victim.priority).may_be_preempted
        assert victim.ask.job_class != "workspace" or state.policy.evict_workspaces
        assert state.now - victim.began >= state.policy.minimum_run_time
        if isinstance(eviction.reason, Preempted):
            mine = rules.priority(winner.priority)
            assert mine.may_preempt
            assert mine.value > rules.priority(victim.priority).value
            assert winner.project == victim.project
        else:
            assert isinstance(eviction.reason, Reclaimed)
            assert rules.project(victim.project).reclaimable
            assert rules.account(victim.project) != rules.account(winner.project)
            assert eviction.reason.held > eviction.reason.deserved
    reclaim_is_fair(state, plan)


def reclaim_is_fair(state: State, plan: Plan) -> None:
    """The winners' account stays within what it deserves, the victims' was beyond it to the last."""
    reclaims = [one for one in plan.evictions if isinstance(one.reason, Reclaimed)]
    if not reclaims:
        return
    rules, shares = state.rules, state.shares()
    account = {job.job_id: rules.account(job.project) for job in state.jobs}
    won = {one.made_for for one in reclaims}
    anew = {one.job_id for one in plan.starts}

    def held(name: str, resource: str) -> int:
        return sum(one.amounts.get(resource, 0) for one in state.running if account[one.job_id] == name)

    def promised(name: str, resource: str) -> int:
        """Room that was made for somebody earlier and is theirs, though they wait for it to be left."""
        waiting = (job for job in state.pending if account[job.job_id] == name and job.job_id not in anew)
        return sum(total_of(job.nominated).get(resource, 0) for job in waiting)

    def moved(name: str, resource: str, parts: Iterable[Eviction | Start | Growth]) -> int:
        return sum(total_of(one.tasks).get(resource, 0) for one in parts if account[one.job_id] == name)

    for start in (start for start in plan.starts if start.job_id in won):
        name, lane = account[start.job_id], next((task.model for task in start.tasks if task.model), CPUS)
        served = [
            one
            for one in plan.starts
            if one.job_id in won and lane in (CPUS, *(task.model for task in one.tasks))
        ]
        after = held(name, lane) - moved(name, lane, plan.evictions) + moved(name, lane, served)
        assert after <= shares[name][lane], (name, lane, after, shares[name][lane])
    for eviction in reclaims:
        assert isinstance(eviction.reason, Reclaimed)
        name, lane = account[eviction.job_id], eviction.reason.resource
        given = moved(name, lane, (*plan.starts, *plan.growths)) + promised(name, lane)
        after = held(name, lane) - moved(name, lane, reclaims) + given
        last = max(moved(name, lane, [one]) for one in reclaims)
        assert after + last > shares[name][lane], (eviction, after, last)


# ── over many rounds ─────────────────────────────────────────────────────────────────────────────────


@long
@given(states, st.integers(0, 2**32))
def test_over_fifty_rounds_no_pair_of_jobs_evicts_each_other(state: State, seed: int) -> None:
    go_on(state, seed, slow=False)


@long
@given(states, st.integers(0, 2**32))
def test_over_fifty_rounds_with_slow_leavers_all_promises_are_kept(state: State, seed: int) -> None:
    go_on(state, seed, slow=True)


def go_on(state: State, seed: int, *, slow: bool) -> None:
    chance = random.Random(seed)
    pick = cases.Picker(chance.randrange)
    made_way: set[tuple[str, str]] = set()
    owed: dict[str, Start] = {}
    for number in range(50):
        plan = state.decide()
        evictions_are_due(state, plan)
        for eviction in plan.evictions:
            if eviction.whole:
                made_way.add((eviction.made_for, eviction.job_id))
                assert (eviction.job_id, eviction.made_for) not in made_way, eviction
        waiting = {job.job_id: job for job in state.pending}
        for job_id, start in owed.items():
            if job_id in waiting and not any(one in start.after for one in _leaving(state)):
                ends = min(FOREVER, state.now + waiting[job_id].max_time)
                kept = job_id in started(plan) or not cases.ends_in_time(state, start.tasks, ends)
                assert kept, (number, job_id, plan.waiting[job_id])
        before, state = state, state.told(plan) if slow else state.applied(plan)
        check(before, state)
        owed = {
            **{k: v for k, v in owed.items() if k in waiting},
            **{s.job_id: s for s in plan.starts if s.after},
        }
        gone = [job.job_id for job in state.running if job.tasks and chance.random() < 0.15]
        gone += [job.job_id for job in state.pending if chance.random() < 0.03]
        state = state.without(*gone).later(chance.choice([0, MINUTE, 10 * MINUTE, HOUR]))
        for job_id in gone:
            owed.pop(job_id, None)
        left = [job_id for job_id in _leaving(state) if chance.random() < 0.5]
        state = state.left(*left) if left else state
        if chance.random() < 0.7:
            state = state.plus(cases.pending(pick, f"j{number}", state.now))


def _leaving(state: State) -> list[str]:
    return [job.job_id for job in state.running if job.leaving]


@usual
@given(states)
def test_with_nobody_coming_or_going_decisions_come_to_rest(state: State) -> None:
    """Evictions cannot go round in circles, however long the jobs run."""
    state = replace(state, policy=replace(state.policy, minimum_run_time=0))
    for _ in range(12):
        plan = state.decide()
        if not plan.starts and not plan.evictions and not plan.growths:
            return
        state = state.applied(plan).later(HOUR)
    raise AssertionError(plan)
