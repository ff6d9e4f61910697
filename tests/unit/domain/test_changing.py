"""Changing a job that waits: when it keeps its turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.changing import asks_no_more, changed, may_change
from danlu.domain.job import Job, JobState, Turn
from tests.fakes.builders import job

ASKED: dict[str, Any] = {"gpus": 4, "gpu": "A100|H100", "nodes": 2, "max_time": "4h"}


def queued(**more: Any) -> Job:
    turn = Turn(pinned_at=7, refusals=2, held_until=99)
    return replace(job("train", **{**ASKED, **more}), state=JobState.QUEUED, queued_at=5, turn=turn)


@pytest.mark.parametrize(
    ("change", "keeps"),
    [
        ({}, True),
        ({"gpus": 2}, True),
        ({"nodes": 1}, True),
        ({"gpu": "A100"}, True),
        ({"max_time": "1h"}, True),
        ({"env": {"LR": "1"}}, True),
        ({"gpus": 8}, False),
        ({"nodes": 4, "gpus": 1}, False),
        ({"nodes": 1, "gpus": 8}, False),
        ({"gpu": "V100"}, False),
        ({"gpu": None}, False),
        ({"max_time": "5h"}, False),
        ({"max_time": None}, False),
        ({"project": "nlp"}, False),
        ({"priority": "high"}, False),
    ],
    ids=str,
)
def test_it_keeps_its_turn_only_if_it_asks_for_no_more(change: dict[str, Any], keeps: bool) -> None:
    before, after = queued(), queued(**change)
    assert asks_no_more(before.spec, after.spec) is keeps
    newer, event = changed(before, after.spec, "lin", 50)
    assert (newer.spec, newer.spec_version, newer.created_at) == (after.spec, 2, before.created_at)
    assert (newer.turn.refusals, newer.turn.held_until) == (0, None)
    assert event.data() == {"by": "lin", "spec_version": 2, "keeps": keeps}
    if keeps:
        assert (newer.queued_at, newer.turn.pinned_at, newer.slot) == (5, 7, before.slot)
    else:
        assert (newer.queued_at, newer.turn.pinned_at, newer.slot) == (5, None, (50, before.id)), (
            "it waits since then"
        )


def test_only_a_job_of_which_nothing_runs_may_be_changed() -> None:
    may = {state for state in JobState if may_change(replace(queued(), state=state))}
    assert may == set(JobState) - {JobState.STARTING, JobState.RUNNING, JobState.STOPPING}
