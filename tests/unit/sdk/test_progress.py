"""How far a job is, as its row tells."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from danlu.sdk.models import JobRow, LatestReport

BEGAN = "an hour ago"
STEPS = LatestReport(step=420, total_steps=1000)


@pytest.mark.parametrize(
    ("row", "progress"),
    [
        (JobRow(state="running", started_at=BEGAN, expected_time=7200, latest=STEPS), 0.42),
        (JobRow(state="running", started_at=BEGAN, expected_time=7200, max_time=14400), 0.5),
        (JobRow(state="running", started_at=BEGAN, max_time=14400, latest=LatestReport(step=4)), 0.25),
        (JobRow(state="running", started_at=BEGAN, expected_time=60), 1.0),
        (JobRow(state="running", started_at=BEGAN), None),
        (JobRow(state="queued", started_at=BEGAN, expected_time=60), None),
        (JobRow(state="completed", latest=STEPS), None),
    ],
)
def test_progress_is_by_steps_else_by_time_and_of_running_jobs_only(row: JobRow, progress: float | None):
    an_hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat().replace("+00:00", "Z")
    row = replace(row, started_at=an_hour_ago if row.started_at == BEGAN else None)
    assert row.progress == (None if progress is None else pytest.approx(progress, abs=0.01))
