"""What a controller holds in memory is named as it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from danlu.control.plane.view import ActiveView
from danlu.domain.job import Job, JobState
from danlu.domain.reasons import Reason
from danlu.ports.store import Changes
from tests.fakes.builders import job


class _Log:
    """The event log of a store, told job by job."""

    def __init__(self, *jobs: Job) -> None:
        self.new = jobs

    def active(self) -> Changes:
        return self.changes(0)

    def changes(self, after: int, held: Mapping[str, int] | None = None) -> Changes:
        new, self.new = self.new, ()
        return Changes(new, (), after + 1)

    def waiting(self, job_id: str) -> Reason | None:
        return None


def _queued(job_id: str, run: int = 1, state: JobState = JobState.QUEUED) -> Job:
    return replace(job("same", at=run), id=job_id, run=run, numbered=run > 1, state=state)


def _titles(view: ActiveView) -> list[str]:
    return sorted(one.title for one in view.queued())


def test_a_second_run_numbers_the_first_also_if_it_is_not_started() -> None:
    log = _Log(_queued("a"), replace(_queued("b"), owner="wang"))
    view = ActiveView(log)
    view.refresh()
    assert _titles(view) == ["same", "same"]

    log.new = (_queued("c", 2, JobState.CREATED),)
    view.refresh()

    assert _titles(view) == ["same", "same#1"]
    assert view.get("a") == replace(_queued("a"), numbered=True)


def test_a_first_run_that_left_is_not_brought_back_by_a_second() -> None:
    log = _Log(_queued("a"))
    view = ActiveView(log)
    view.refresh()
    log.new = (replace(_queued("a", state=JobState.STOPPED), version=2), _queued("c", 2))
    view.refresh()
    assert _titles(view) == ["same#2"]
    assert view.get("a") is None
