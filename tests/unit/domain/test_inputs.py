"""How far the inputs of a job are, in words that do not change every second; what no longer matters changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain import events as ev
from danlu.domain.job import Job, JobState
from danlu.domain.lifecycle import advance
from danlu.domain.reasons import InputFailed
from danlu.domain.transfers.inputs import InputLink, ends_of, how_far, lost, wish_of
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import Transfer, TransferProgress, TransferState
from tests.fakes.builders import job

S = TransferState
GIB = 1 << 30
TWO = [{"from": "https://example.org/a?sig=x", "to": "raw:/a/"}, {"from": "git+https://h/r", "to": "raw:/b/"}]
LOST = InputFailed(1, 2, "https://example.org/a", "t0", "nothing_there", "gone", "没有了")


def queued(**keys: Any) -> Job:
    made = advance(job(inputs=TWO, **keys), ev.StartRequested("lin"), 5).job
    assert made.fetching
    return made


def link(of: Job, place: int, state: S, **keys: Any) -> InputLink:
    one = of.spec.inputs[place]
    transfer = Transfer(f"t{place}", "lin", *ends_of(one), wish_of(one), 0, 0, state=state)
    progress = TransferProgress(
        **{name: keys.pop(name) for name in ("bytes", "bytes_total", "rate") if name in keys}
    )
    return InputLink(of.id, place, 5, transfer.id, replace(transfer, progress=progress, **keys))


def said(of: Job, *links: InputLink) -> str:
    reason = how_far(of, links)
    assert reason is not None
    assert reason.text().zh
    return reason.text().en


def test_the_one_that_runs_is_told_before_one_that_waits() -> None:
    one = queued()
    waits, runs = link(one, 0, S.QUEUED), link(one, 1, S.RUNNING)
    assert said(one) == "input 1 of 2 waits for its turn among transfers: https://example.org/a"
    assert said(one, waits, runs) == "input 2 of 2 is being fetched: git+https://h/r"
    assert said(one, link(one, 0, S.COMPLETED), link(one, 1, S.QUEUED)).startswith("input 2 of 2 waits")
    assert said(one, link(one, 0, S.COMPLETED), link(one, 1, S.COMPLETED)).endswith("100 %")


@pytest.mark.parametrize(
    ("progress", "far"),
    [
        ({"bytes": 10, "bytes_total": 100}, ", 10 %"),
        ({"bytes": 10, "bytes_total": 100, "rate": 10}, ", 10 %, about 15s left"),
        ({"bytes": 0, "bytes_total": 100 * GIB, "rate": GIB}, ", 0 %, about 1m45s left"),
        ({"bytes": 0, "bytes_total": 5_000 * GIB, "rate": GIB}, ", 0 %, about 1h30m left"),
        ({"bytes": 200, "bytes_total": 100}, ", 100 %"),
        ({"bytes": 123_456}, ", 117.19KiB so far"),
        ({}, ""),
    ],
)
def test_what_is_left_is_told_roughly(progress: dict[str, int], far: str) -> None:
    one = queued()
    if progress.get("bytes") == 200:
        progress = {**progress, "rate": 1}
    assert (
        said(one, link(one, 0, S.RUNNING, **progress))
        == f"input 1 of 2 is being fetched: https://example.org/a{far}"
    )


def test_nothing_of_what_follows_the_question_mark_is_told() -> None:
    one = queued()
    transfer = link(one, 0, S.FAILED).transfer
    assert transfer is not None
    reason = lost(one, 0, replace(transfer, problem=Problem("no_git")))
    assert (reason.source, reason.problem) == ("https://example.org/a", "no_git")
    assert "sig" not in f"{reason} {how_far(one, ())}"


def test_what_came_of_an_earlier_stay_in_the_queue_changes_nothing() -> None:
    one = queued()
    for event in (ev.InputsFetched(2, 4), ev.InputLost(LOST, 4)):
        assert not advance(one, event, 9).changed
    there = advance(one, ev.InputsFetched(2, 5), 9).job
    assert (there.fetching, there.turn.fetched) == (False, True)
    for event in (ev.InputsFetched(2, 5), ev.InputLost(LOST, 5)):
        assert not advance(there, event, 9).changed


def test_a_lost_input_fails_the_job_and_its_next_start_wants_all_of_them_again() -> None:
    failed = advance(queued(), ev.InputLost(LOST, 5), 9).job
    assert (failed.state, failed.reason, failed.ended_at) == (JobState.FAILED, LOST, 9)
    assert advance(failed, ev.StartRequested("lin"), 12).job.fetching


def test_a_restart_by_hand_wants_them_again() -> None:
    there = advance(queued(), ev.InputsFetched(2, 5), 9).job
    assert advance(there, ev.RestartRequested("lin"), 12).job.fetching
