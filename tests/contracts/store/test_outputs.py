"""Outputs: noted with the end of their job, once; made or failed in one write with what is told of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import Act, ActKind, ActState, ActWish, Dataset
from danlu.domain.errors import Conflict, NotFound, NotLeader
from danlu.domain.output import Output
from danlu.domain.outputs.made import JobOutput, OutputState
from danlu.domain.outputs.problems import output_problem
from danlu.domain.people import User, UserRole
from danlu.ports.governance import AuditQuery
from danlu.ports.store import JobChange
from tests.contracts.store.building import NOW, added, completed, placed, step

BY = Entry("lin", "retried", "job:lin:x#1", address="10.0.0.7", means="session")
OUTPUTS = (
    Output("out", dataset="lin:d", tag="t", id="d1"),
    Output("b", to="lin:v:/{name}-{run}-{attempt}/", id="v1", always=True),
)
MADE = ev.OutputMade("j-1", "out", "lin:d@v1", 3, 30)


@pytest.fixture(autouse=True)
def people(store):
    store.add_user(User("lin", UserRole.ENGINEER, NOW))


def noted(store, job) -> list[tuple[int, int, str]]:
    return [(one.attempt, one.place, one.wish.to) for one in store.outputs_of(job.id)]


def done(one: JobOutput) -> JobOutput:
    return replace(one, state=OutputState.DONE, number=1, files=3, bytes=30, ended_at=NOW + 5)


def test_they_are_noted_with_the_end_of_their_job_and_only_once(store):
    job = completed(store, added(store, "bert", outputs=OUTPUTS))
    assert noted(store, job) == [(1, 0, ""), (1, 1, "lin:v:/bert-1-1/")]
    assert store.jobs_with_open_outputs() == {job.id}
    (first, second) = store.open_outputs()
    assert (first.owner, first.job, first.run, first.state) == ("lin", "bert#1", "worker-0", "pending")
    again = store.save([JobChange(job, (ev.ExpectedTimePassed(1),), None)], NOW + 9)[0]
    assert len(store.outputs_of(again.id)) == 2
    assert second.created_at == NOW


def test_of_a_job_that_failed_only_those_that_are_always_made(store):
    job = placed(store, added(store, "bert", outputs=OUTPUTS))
    job = store.save(
        [step(job, ev.TaskEnded(job.attempt_id, "worker-0", NOW, why.ExitCode("worker-0", 1), 1))], NOW
    )[0]
    assert noted(store, job) == [(1, 1, "lin:v:/bert-1-1/")]
    job = completed(store, job)
    assert noted(store, job)[:2] == [(2, 0, ""), (2, 1, "lin:v:/bert-1-2/")]


def test_a_job_that_never_ran_or_declares_nothing_leaves_nothing(store):
    job = added(store, "bert", outputs=OUTPUTS)
    job = store.save([step(job, ev.StartRequested("lin"))], NOW)[0]
    store.save([step(job, ev.StopRequested("lin"))], NOW)
    completed(store, added(store, "plain"))
    assert store.open_outputs() == ()


def test_its_end_and_what_is_told_of_it_are_one_write(store):
    job = completed(store, added(store, "bert", outputs=OUTPUTS))
    one = store.outputs_of(job.id)[0]
    made = store.edit_output(one, done, NOW + 5, tells=MADE)
    assert store.outputs_of(job.id)[0] == made
    assert (made.target, made.changed_at) == ("lin:d@v1", NOW + 5)
    store.edit_output(one, lambda it: it, NOW + 6, tells=MADE)
    told = [each for each in store.events_of(job.id, 0, 100) if each.kind == "output_made"]
    assert [(each.data["target"], each.owner) for each in told] == [("lin:d@v1", "lin")]
    assert [each.place for each in store.open_outputs()] == [1]
    assert store.outputs_into("d1") == (made,)
    assert store.outputs_into("v1") == ()


def test_a_problem_and_who_tries_again_are_kept(store):
    job = completed(store, added(store, "bert", outputs=OUTPUTS))
    one = store.outputs_of(job.id)[0]
    problem = output_problem("no_dataset", name="lin:d", why="\x1b[2J\n")
    failed = store.edit_output(
        one, lambda it: replace(it, state=OutputState.FAILED, problem=problem, ended_at=NOW), NOW, by=BY
    )
    assert store.outputs_of(job.id)[0].problem == failed.problem == problem
    assert "\x1b" not in problem.text.en
    assert [one.entry.act for one in store.noted(AuditQuery(subject="job:"))] == ["retried"]


def test_a_job_is_not_deleted_while_they_are_made_and_what_was_made_stays_known(store):
    job = completed(store, added(store, "bert", outputs=OUTPUTS))
    gone = JobChange(job, (ev.JobDeleted("lin"),), "lin")
    with pytest.raises(Conflict, match="danlu outputs"):
        store.remove(gone, NOW)
    first, second = store.outputs_of(job.id)
    store.edit_output(first, done, NOW)
    store.edit_output(second, lambda it: replace(it, state=OutputState.FAILED, ended_at=NOW), NOW)
    store.remove(gone, NOW)
    assert store.get(job.id) is None
    assert [one.job for one in store.outputs_into("d1")] == ["bert#1"]
    with pytest.raises(NotFound):
        store.edit_output(second, done, NOW)


def test_a_former_leader_changes_none(store):
    job = completed(store, added(store, "bert", outputs=OUTPUTS))
    former = store.fenced(store.take_lease("a", 10_000).epoch - 1)
    with pytest.raises(NotLeader):
        former.edit_output(store.outputs_of(job.id)[0], done, NOW)


def test_the_code_of_what_an_act_failed_of_is_kept(store):
    store.add_dataset(Dataset("d1", "lin", "d", NOW, NOW), NOW, by=BY, check=lambda _: None)
    act = Act("a1", "d1", ActKind.SNAPSHOT, "lin", ActWish(), NOW)
    store.add_act(act, NOW, by=BY)
    store.save_act(replace(act, state=ActState.FAILED, error=("full", "已满"), failure="full"))
    assert store.act("a1").failure == "full"
