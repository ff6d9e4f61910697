"""How decisions and waits are counted."""

from __future__ import annotations

from dataclasses import replace

from danlu.control.plane.decisions import DECIDED_WITHIN, Decisions, spread
from danlu.domain.job import Attempt, JobState
from tests.fakes.builders import job

QUEUED = replace(job("train"), state=JobState.QUEUED, queued_at=1_000)
STARTED = replace(QUEUED, state=JobState.STARTING, attempts=1, attempt=Attempt(1, (), 31_000))


def test_each_value_is_in_the_first_bucket_that_holds_it() -> None:
    seen = spread((1.0, 10.0)).plus(0.5).plus(1.0).plus(3).plus(11)
    assert (seen.counts, seen.total) == ((2, 1, 1), 15.5)


def test_the_last_decision_and_all_of_them_are_known() -> None:
    assert Decisions().last_at is None
    decisions = Decisions()
    decisions.made(5, 0.001)
    decisions.made(9, 7.0)
    assert (decisions.last_at, decisions.last_seconds) == (9, 7.0)
    assert decisions.took.counts == (1, *(0 for _ in DECIDED_WITHIN[1:]), 1)


def test_a_start_ends_a_wait_and_nothing_else_does() -> None:
    decisions = Decisions()
    decisions.noticed(None, QUEUED)
    decisions.noticed(QUEUED, STARTED)
    decisions.noticed(STARTED, replace(STARTED, state=JobState.RUNNING))
    decisions.noticed(STARTED, None)
    decisions.noticed(None, STARTED)  # it had begun before anybody looked
    (waits,) = decisions.waits().values()
    assert (sum(waits.counts), waits.total) == (1, 30.0)
    assert list(decisions.waits()) == ["single"]
