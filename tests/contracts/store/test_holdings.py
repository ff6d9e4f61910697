"""What active jobs hold, the gate of a start, and what was spent at a priority."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from danlu.domain import events as ev
from danlu.domain.audit import Entry
from danlu.domain.errors import Stale
from danlu.domain.job import Code, JobClass, Kind, Role
from danlu.domain.people import User, UserRole
from danlu.domain.resources import Resources
from danlu.domain.score import Charge
from danlu.domain.templates import Template
from danlu.ports.store import Gate, JobChange, QuotaHolding
from danlu.store.sql.jobs import holdings
from tests.contracts.store.building import (
    NOW,
    added,
    at_once,
    creation,
    new_job,
    placed,
    queued,
    step,
    stopped,
)

HOUR = 3_600_000


def with_roles(job, *sizes, **more):
    roles = tuple(
        Role(f"role-{at}", count, Resources(1000, 2**40, gpus, model), "true", 1)
        for at, (gpus, model, count) in enumerate(sizes)
    )
    return replace(job, spec=replace(job.spec, roles=roles, **more))


def one(
    owner="lin",
    job_class="single",
    model="A100",
    mix=None,
    jobs=1,
    gpus=500,
    cpus=2000,
    memory=2**30,
    tasks=1,
):
    return QuotaHolding(owner, job_class, model, mix or {}, jobs, gpus, cpus, memory, tasks)


def test_jobs_hold_from_queue_to_end_summed_by_owner_class_and_model(store):
    queued(store, added(store))
    placed(store, added(store, tasks=2))
    queued(store, added(store, kind=Kind.WORKSPACE))
    queued(store, added(store, owner="wang"))
    placed(store, added(store))
    added(store)
    stopped(store, added(store), NOW + 1)

    mine = [one(jobs=2, gpus=1000, cpus=4000, memory=2**31, tasks=2), one(job_class="distributed", gpus=1000, cpus=4000, memory=2**31, tasks=2), one(job_class="workspace")]  # fmt: skip

    def ordered(held):
        return sorted(held, key=lambda each: (each.owner, each.job_class))

    assert ordered(store.holdings(["lin"])) == ordered(mine)
    assert ordered(store.holdings(None)) == ordered([*mine, one("wang")])
    assert store.holdings([]) == ()


def test_a_reset_job_holds_until_its_tasks_are_gone(store):
    job = placed(store, added(store))
    (job,) = store.save([step(job, ev.ResetRequested("lin"))], NOW)
    assert store.holdings(["lin"]) == (one(),)
    ended = ev.TaskEnded(job.attempt_id, job.live_tasks[0].run, NOW, None)
    store.save([step(job, ended)], NOW)
    assert store.holdings(["lin"]) == ()


def test_a_job_whose_roles_name_different_models_says_how_much_of_each(store):
    mixed = with_roles(
        new_job("mixed"), (1000, "A100", 2), (4000, "H100|A100", 1), (500, None, 1), (0, "T4", 1)
    )
    queued(store, store.add(creation(mixed)))
    (held,) = store.holdings(["lin"])
    assert held.gpu_mix == {"A100": 2000, "H100|A100": 4000, "": 500}
    assert (held.gpu_milli, held.tasks, held.memory) == (6500, 5, 5 * 2**40)
    assert store.holders(["lin"], None, "A100", 5) == (("lin", "mixed"),)
    assert store.holders(["lin"], None, "H100", 5) == (("lin", "mixed"),)


def test_jobs_for_which_a_model_would_do_are_among_its_holders(store):
    for name, *sizes in (
        ("named-one", (1000, "H100", 1)),
        ("either-one", (1000, "A100|H100", 1)),
        ("open-one", (1000, None, 1), (0, "T4", 1)),
        ("cpus-only", (0, "H100", 1)),
        ("two-roles", (1000, "T4", 1), (1000, "A100|H100", 1)),
        ("half-open", (1000, "T4", 1), (1000, None, 1)),
    ):
        queued(store, store.add(creation(with_roles(new_job(name), *sizes))))

    def named(model):
        return {name for _, name in store.holders(["lin"], None, model, 9)}

    anything = {"open-one", "half-open"}
    assert named("H100") == {"named-one", "either-one", "two-roles", *anything}
    assert named("A100") == {"either-one", "two-roles", *anything}
    assert named("T4") == {"two-roles", *anything}
    assert named("H10") == anything
    open_one = next(one for one in store.holdings(["lin"]) if one.tasks == 2 and not one.gpu_mix)
    assert (open_one.gpu_model, open_one.gpu_milli) == (None, 1000)


def test_where_the_scheduler_divides_there_may_be_a_task_for_each_gpu(store):
    total = with_roles(new_job(), (8000, "A100", 1), total=True)
    queued(store, store.add(creation(total)))
    (held,) = store.holdings(["lin"])
    assert (held.job_class, held.tasks) == (JobClass.DISTRIBUTED, 8)


def test_sums_of_the_largest_jobs_are_counted_to_the_last_byte(store):
    for _ in range(4):
        huge = with_roles(new_job(), (0, None, 1))
        size = Resources(1000, 2**62 + 1, 0, None)
        huge = replace(huge, spec=replace(huge.spec, roles=(replace(huge.spec.roles[0], resources=size),)))
        queued(store, store.add(creation(huge)))
    (held,) = store.holdings(["lin"])
    assert (held.jobs, held.memory) == (4, 4 * (2**62 + 1))


def test_those_that_hold_most_of_something_are_named(store):
    for name, size in (
        ("small-one", (1000, "A100", 1)),
        ("large-one", (8000, "A100", 1)),
        ("other-one", (2000, "H100", 4)),
    ):
        queued(store, store.add(creation(with_roles(new_job(name), size))))
    queued(store, store.add(creation(with_roles(new_job("idle-one", owner="wang"), (0, None, 1)))))

    def named(resource, within=None, limit=5):
        return [name for _, name in store.holders(["lin", "wang"], within, resource, limit)]

    assert named("gpus", limit=2) == ["large-one", "other-one"]
    assert named("A100") == ["large-one", "small-one"]
    assert named("gpus", "distributed") == ["other-one"]
    assert set(named("jobs")) == {"small-one", "large-one", "other-one", "idle-one"}
    assert named("tasks")[0] == "other-one"


# ── the gate ─────────────────────────────────────────────────────────────────────────────────────────


class Full(Exception):
    pass


def at_most(jobs, owners=("lin",)):
    def check(held):
        if sum(each.jobs for each in held) >= jobs:
            raise Full

    return Gate(owners, check)


def test_what_a_gate_raises_undoes_a_start_and_leaves_no_trace(store):
    first, second = added(store), added(store)
    queued(store, first)
    before = store.latest_seq()
    with pytest.raises(Full):
        store.save([step(second, ev.StartRequested("lin"))], NOW, gate=at_most(1))
    with pytest.raises(Full):
        store.add(creation(new_job("third-one")), gate=at_most(1))
    assert (store.latest_seq(), store.get(second.id), store.find("lin", "third-one")) == (
        before,
        second,
        None,
    )
    store.save([step(second, ev.StartRequested("lin"))], NOW, gate=at_most(2))


def test_a_gate_sees_others_than_the_job_itself_and_only_its_owners(store):
    job = queued(store, added(store))
    queued(store, added(store, owner="wang"))
    seen: list[tuple[QuotaHolding, ...]] = []
    store.save([step(job, ev.Pinned("admin"))], NOW, gate=Gate(("lin",), seen.append))
    store.add(creation(new_job()), gate=Gate(None, seen.append))
    assert [{held.owner for held in each} for each in seen] == [set(), {"lin", "wang"}]


def test_a_request_sent_twice_finds_its_job_whatever_the_gate_says_by_now(store):
    job = store.add(creation(new_job()), key=("key", "print"))
    assert store.add(creation(new_job()), key=("key", "print"), gate=at_most(0)) == job


def test_of_many_starts_at_once_only_so_many_pass(open_store):
    stores = [open_store(), open_store()]
    jobs = [added(stores[0]) for _ in range(20)]

    def start(index):
        return stores[index % 2].save([step(jobs[index], ev.StartRequested("lin"))], NOW, gate=at_most(7))

    results = at_once(20, start)
    assert sum(isinstance(one, tuple) for one in results) == 7
    assert all(isinstance(one, (tuple, Full)) and not isinstance(one, Stale) for one in results)
    (held,) = stores[0].holdings(["lin"])
    assert held.jobs == 7


def test_what_one_person_holds_is_found_by_an_index(store):
    for owner in ("lin", *(f"user-{number}" for number in range(30))):
        queued(store, added(store, owner=owner))
    wanted = holdings._of(holdings._SUMS, ["lin"])
    sqlite = store._database.sqlite
    if not sqlite:  # a plan follows from what is known of the rows, not from when somebody last looked
        with store._database.writing() as connection:
            connection.execute(text("ANALYZE jobs"))
    with store._database.reading() as connection:
        if not sqlite:  # so few rows are read fastest as they come
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        literal = str(wanted.compile(connection.engine, compile_kwargs={"literal_binds": True}))
        explain = "EXPLAIN QUERY PLAN " if sqlite else "EXPLAIN "
        plan = "\n".join(map(str, connection.exec_driver_sql(explain + literal)))
    assert "jobs_by_owner" in plan or "jobs_of_owner" in plan or "jobs_owner_name_run" in plan, plan


# ── what was spent ───────────────────────────────────────────────────────────────────────────────────


def charge(began, ended, *, user="lin", model="A100", milli=2000, priority="urgent"):
    return Charge(user, model, milli, began, ended, "job", "name", 1, "worker-0", "nlp", "single", priority)


def test_what_was_spent_at_a_priority_counts_from_the_moment_asked_for(store):
    rows = [
        charge(NOW - HOUR, NOW + HOUR),
        charge(NOW + HOUR, NOW + 2 * HOUR, milli=500),
        charge(NOW - HOUR, NOW - 1),
        charge(NOW, NOW + HOUR, model="cpu"),
        charge(NOW, NOW + HOUR, priority="normal"),
        charge(NOW, NOW + HOUR, user="wang"),
    ]
    store.save([], NOW, rows)
    assert store.spent("lin", "urgent", NOW) == 2000 * HOUR + 500 * HOUR
    assert store.spent("lin", "urgent", NOW - HOUR) == 2000 * 2 * HOUR + 500 * HOUR + 2000 * (HOUR - 1)
    assert store.spent("nobody", "urgent", 0) == 0


def test_code_is_in_use_as_long_as_a_job_or_template_names_it(store):
    one, two, three = ("1" * 64, "2" * 64, "3" * 64)
    job = added(store, code=Code(archive=one))
    store.add_user(User("lin", UserRole.ENGINEER, NOW))
    template = Template(
        "t1", "lin", "bert", "", None, "training", NOW, NOW, {"kind": "training", "code": {"archive": two}}
    )
    store.add_template(template, NOW, by=Entry("lin", "created", ""))
    assert store.code_in_use([one, two, three]) == {one, two}
    assert store.code_in_use([]) == frozenset()
    store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)
    assert store.code_in_use([one, two, three]) == {two}
