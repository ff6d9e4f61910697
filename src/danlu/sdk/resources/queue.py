"""The queue: which jobs wait where and why, pins, your own order, scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping

from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import spelled

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import (
        AnybodysJob,
        ClassBacklog,
        Holder,
        Job,
        JobRow,
        Lane,
        LedgerRow,
        QueueItem,
        Score,
        Why,
    )


class Turns:
    """Everybody's jobs in the order they will be served; of other people's jobs only owner and size."""

    http: Http

    def _held(self, data: Mapping[str, Any]) -> Job:
        return read(models.Job, data).held_by(self)

    def queue(self, limit: int | None = None, **filters: object) -> Iterator[QueueItem]:
        """Waiting jobs, lane by lane in the order of service; filter by `lane` (a GPU model, or `cpu`), `job_class`,
        `project`, `owner` (`me` is yourself)."""
        return (read(models.QueueItem, one) for one in self.http.pages("queue", limit, spelled(filters)))

    def everybodys_jobs(self, limit: int | None = None, **filters: object) -> Iterator[AnybodysJob]:
        """Everybody's jobs in every state, newest first; filter by `state` (one or several), `kind`, `project`, `owner`
        (`me` is yourself). Of other people's jobs only owner, kind, size and times."""
        found = self.http.pages("queue/jobs", limit, spelled(filters))
        return (read(models.AnybodysJob, one) for one in found)

    def lanes(self) -> list[Lane]:
        """How many jobs wait in each lane, and how much work that is: `work_seconds`, `gpu_hours`, and how many of them
        tell no time (`without_estimate`)."""
        return [read(models.Lane, one) for one in self.http.json("GET", "queue", {"limit": 1})["lanes"]]

    def holders(self, model: str | None = None, limit: int | None = None) -> Iterator[Holder]:
        """Who holds GPUs, of one model or of all, those first whose GPUs are free first; for other people's jobs only
        owner, kind, size and times."""
        return (
            read(models.Holder, one)
            for one in self.http.pages("queue/holders", limit, {"lane": model} if model else {})
        )

    def backlog(self) -> list[ClassBacklog]:
        """The work that waits, by class of jobs; a job that waits in several lanes counts once."""
        return [
            read(models.ClassBacklog, one) for one in self.http.json("GET", "queue", {"limit": 1})["classes"]
        ]

    def why(self, job: str) -> Why:
        """Why a queued job waits, who is ahead of it, and what would start it now. Of a job that stopped or failed, the
        `reason` for that: its `text`, `meaning` and `advice` in both languages."""
        return read(models.Why, self.http.json("GET", f"jobs/{segment(job)}/why"))

    def pin(self, job: str) -> Job:
        """Pin a job to the front of its lanes; of several pinned ones the latest is first."""
        return self._held(self.http.json("PUT", f"jobs/{segment(job)}/pin"))

    def unpin(self, job: str) -> Job:
        return self._held(self.http.json("DELETE", f"jobs/{segment(job)}/pin"))

    def order(self, job: str, before: str | None = None, after: str | None = None) -> list[JobRow]:
        """Move one of your own queued jobs right before or right after another; returns the jobs that changed
        places."""
        if (before is None) == (after is None):
            raise ValueError("give the job to move before, or the one to move after")
        beside = {"before": before} if after is None else {"after": after}
        found = self.http.json("POST", f"jobs/{segment(job)}/order", body=beside)
        return [read(models.JobRow, one) for one in found["items"]]

    def scores(self, user: str | None = None) -> list[Score]:
        """One person's scores; without a name your own, or everybody's if you may see them."""
        if user is not None:
            return [read(models.Score, self.http.json("GET", f"scores/{segment(user)}"))]
        return [read(models.Score, one) for one in self.http.pages("scores")]

    def ledger(self, user: str, model: str | None = None, limit: int | None = None) -> Iterator[LedgerRow]:
        """The usage behind a person's scores, row by row: what is in use, then what was released."""
        found = self.http.pages(f"scores/{segment(user)}/ledger", limit, {"model": model} if model else {})
        return (read(models.LedgerRow, one) for one in found)
