"""What must hold of every decision, whatever the cluster and the queue."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from danlu.domain.job import JobSpec
from danlu.domain.node import Node
from danlu.scheduler import Held, Pending, Plan, Snapshot, decide
from tests.fakes.builders import node, spec

nodes = st.lists(
    st.tuples(st.sampled_from([0, 1, 4, 8]), st.sampled_from(["A100", "RTX3090"]), st.integers(1, 16)),
    min_size=1,
    max_size=5,
).map(lambda rows: [node(f"n{at}", gpus, model, cpus) for at, (gpus, model, cpus) in enumerate(rows)])
roles = st.tuples(
    st.sampled_from([0, 0.25, 0.5, 1, 2, 8]),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([None, "A100"]),
)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    queue: list[JobSpec] = []
    for at, shapes in enumerate(draw(st.lists(st.lists(roles, min_size=1, max_size=2), max_size=8))):
        parts = [
            {"name": f"r{n}", "replicas": replicas, "min": min(least, replicas), "resources": {"gpus": gpus, "gpu": model}}
            for n, (gpus, replicas, least, model) in enumerate(shapes)
        ]  # fmt: skip
        queue.append(spec(f"job{at}", roles=parts))
    pending = tuple(Pending(job.name, job, draw(st.integers(0, 3))) for job in queue)
    return Snapshot(0, tuple(draw(nodes)), (), pending)


def applied(snapshot: Snapshot, plan: Plan) -> Snapshot:
    """The snapshot after the plan was carried out."""
    specs = {pending.job_id: pending.spec for pending in snapshot.pending}
    held = tuple(
        Held(task.node, size.cpu_milli, size.memory, task.gpus)
        for start in plan.starts
        for task in start.tasks
        for size in (specs[start.job_id].role(task.role).resources,)
    )
    started = {start.job_id for start in plan.starts}
    rest = tuple(pending for pending in snapshot.pending if pending.job_id not in started)
    return Snapshot(snapshot.now, snapshot.nodes, (*snapshot.held, *held), rest)


@given(snapshots())
def test_nothing_is_oversubscribed(snapshot: Snapshot) -> None:
    after = applied(snapshot, decide(snapshot))
    by_name: dict[str, Node] = {machine.name: machine for machine in snapshot.nodes}
    cpus, memory, cards = Counter[str](), Counter[str](), Counter[tuple[str, int]]()
    for part in after.held:
        cpus[part.node] += part.cpu_milli
        memory[part.node] += part.memory
        for grant in part.gpus:
            cards[part.node, grant.index] += grant.milli
    assert all(used <= by_name[name].cpu_milli for name, used in cpus.items())
    assert all(used <= by_name[name].memory for name, used in memory.items())
    assert all(used <= 1000 and index < len(by_name[name].gpus) for (name, index), used in cards.items())


@given(snapshots())
def test_gangs_are_whole_or_absent(snapshot: Snapshot) -> None:
    specs = {pending.job_id: pending.spec for pending in snapshot.pending}
    for start in decide(snapshot).starts:
        tasks = Counter(task.role for task in start.tasks)
        for role in specs[start.job_id].roles:
            assert role.min <= tasks[role.name] <= role.replicas


@given(snapshots())
def test_everybody_starts_or_is_told_why_not(snapshot: Snapshot) -> None:
    plan = decide(snapshot)
    started = [start.job_id for start in plan.starts]
    assert sorted([*started, *plan.waiting]) == sorted(pending.job_id for pending in snapshot.pending)


@given(snapshots())
def test_the_same_snapshot_gives_the_same_plan_and_a_second_cycle_changes_nothing(snapshot: Snapshot) -> None:
    plan = decide(snapshot)
    assert decide(snapshot) == plan
    assert decide(applied(snapshot, plan)).starts == ()
