"""The made-up past of a demonstration: what it tells in one place agrees with what it tells in all others."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from danlu.control.demo import DEMO_NODES, made_up, seed_history
from danlu.control.demo.plans import SAMPLE
from danlu.domain.events import JobCreated
from danlu.domain.job import JobState
from danlu.domain.score import Settled
from danlu.engines.virtual import virtual_nodes
from danlu.ports.governance import HourlyQuery
from danlu.ports.logs import LogKey
from danlu.ports.metrics import Run, WantedMetrics
from danlu.ports.past import Past
from danlu.ports.store import JobQuery
from danlu.telemetry.logs import FileLogs
from danlu.telemetry.past import FilePastLogs
from danlu.telemetry.series import FileMetrics
from tests.fakes.server import job_file, world

NOW, HOUR = 1_790_000_000_000, 3_600_000
SCORE_TIME = 6 * HOUR
NODES = virtual_nodes(DEMO_NODES)


@pytest.fixture(scope="module")
def past() -> Past:
    made = made_up(NODES, NOW, "admin", SCORE_TIME)
    assert made is not None
    return made


def test_the_same_seed_makes_the_same_past(past: Past) -> None:
    assert made_up(NODES, NOW, "admin", SCORE_TIME) == past
    assert made_up((), NOW, "admin", SCORE_TIME) is None


def test_every_sort_of_ending_is_there_and_nothing_goes_on(past: Past) -> None:
    states = Counter(one.job.state for one in past.jobs)
    assert set(states) == {JobState.COMPLETED, JobState.FAILED, JobState.STOPPED}
    assert len({one.job.reason.code for one in past.jobs if one.job.reason}) >= 6
    assert all(one.job.spec.description == SAMPLE for one in past.jobs)
    assert all(not one.job.live_tasks for one in past.jobs)
    assert any(len(one.attempts) > 1 for one in past.jobs), "one that lost its node and ran again"
    assert all(past.began <= event.at <= past.until for event in past.events)


def test_no_gpu_is_ever_held_twice(past: Past) -> None:
    held: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for one in past.jobs:
        for attempt in one.attempts:
            for task in attempt.tasks:
                assert task.placed_at is not None
                assert task.ended_at is not None
                for grant in task.gpus:
                    held.setdefault((task.node, grant.index), []).append((task.placed_at, task.ended_at))
    for spans in held.values():
        spans.sort()
        assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))


def test_ledger_trends_and_attempts_tell_the_same_use(past: Past) -> None:
    by_ledger: Counter[tuple[str, str]] = Counter()
    for charge in past.charges:
        assert charge.ended is not None
        by_ledger[charge.user, charge.model] += charge.milli * (charge.ended - charge.began)
    by_hours: Counter[tuple[str, str]] = Counter()
    for row in past.hours:
        by_hours[row.user, row.model] += row.held
    assert +by_hours == +by_ledger
    assert len(past.charges) == sum(len(each.tasks) for one in past.jobs for each in one.attempts)


def test_trends_count_the_starts_and_ends_that_events_tell(past: Past) -> None:
    kinds = Counter(one.event.kind for one in past.events)
    assert sum(row.starts for row in past.hours) == kinds["placed"]
    assert sum(row.ended for row in past.hours) == len(past.jobs)
    failed = sum(one.job.state is JobState.FAILED for one in past.jobs)
    assert sum(row.failed for row in past.hours) == failed
    assert kinds[JobCreated.kind] == len(past.jobs)


def test_no_hour_holds_more_than_there_is(past: Past) -> None:
    there = {(row.hour, row.model): row.total for row in past.capacity}
    held: Counter[tuple[int, str]] = Counter()
    for row in past.hours:
        held[row.hour, row.model] += row.held
    assert all(amount <= there[place] * 1.01 for place, amount in held.items())


def test_scores_are_what_the_ledger_adds_up_to(past: Past) -> None:
    for one in past.settled:
        found = Settled(one.user, one.model)
        for charge in past.charges:
            if (charge.user, charge.model) == (one.user, one.model):
                found = found.plus(charge, SCORE_TIME)
        assert found.value == pytest.approx(one.value)


def test_it_is_kept_with_logs_and_curves_and_only_where_nothing_was_run(tmp_path: Path, past: Past) -> None:
    with world(tmp_path) as here:
        now, logs = here.services.ports.clock.now(), FilePastLogs(tmp_path / "logs")
        for _ in range(2):
            seed_history(here.store, logs, NODES, now, "admin", SCORE_TIME)
        page = here.store.page(JobQuery(limit=10))
        assert page.total == len(made_up(NODES, now, "admin", SCORE_TIME).jobs)  # type: ignore[union-attr]
        job = next(
            job
            for row in here.store.page(JobQuery(states=(JobState.COMPLETED,), limit=50)).rows
            if (job := here.store.get(row.id)) is not None and job.spec.kind.value == "training"
        )
        assert job.attempt is not None
        key = LogKey(job.id, job.attempts, job.attempt.tasks[0].run)
        text = FileLogs(tmp_path / "logs").read(key, 0, 10_000)
        assert b" o step " in text.records
        drawn = FileMetrics(tmp_path / "logs").read([Run(key, "worker", "worker-0")], WantedMetrics())
        assert {"loss", "accuracy", "lr"} <= {one.name for one in drawn.names}
        week = HourlyQuery(now - now % HOUR - 7 * 24 * HOUR, now - now % HOUR, HOUR, by="user")
        assert {row.key for row in here.store.trend(week)} == {"chen", "lin", "sara", "wang"}
        assert here.store.recorded_until() == now
        assert here.services.audit.verify(here.caller("admin")).broken is None
        assert sum(path.stat().st_size for path in (tmp_path / "logs").rglob("*") if path.is_file()) < 8 << 20


def test_a_past_is_never_made_up_beside_a_real_job(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        here.jobs.create(here.caller("eve"), job_file("real-work"))
        past = made_up(NODES, here.services.ports.clock.now(), "admin", SCORE_TIME)
        assert past is not None
        assert not here.store.remember(past)
        assert here.store.page(JobQuery()).total == 1
