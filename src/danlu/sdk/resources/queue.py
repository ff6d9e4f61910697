"""The queue: who waits where and why, pins, one's own order, scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import spelled

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import Job, JobRow, Lane, LedgerRow, QueueItem, Score, Why


class Turns:
    """Everybody's jobs in the true order of service; of others only who waits for how much."""

    http: Http

    def queue(self, limit: int | None = None, **filters: object) -> Iterator[QueueItem]:
        """Who waits, lane by lane in the order of service; filter by `lane` (a GPU model, or `cpu`), `job_class`,
        `project`, `owner` (`me` is oneself)."""
        return (read(models.QueueItem, one) for one in self.http.pages("queue", limit, spelled(filters)))

    def lanes(self) -> list[Lane]:
        """How many wait in each lane, and for how long together."""
        return [read(models.Lane, one) for one in self.http.json("GET", "queue", {"limit": 1})["lanes"]]

    def why(self, job: str) -> Why:
        """Why a queued job waits, who is ahead of it, and what would start it now."""
        return read(models.Why, self.http.json("GET", f"jobs/{segment(job)}/why"))

    def pin(self, job: str) -> Job:
        """Put a job to the front of its lanes; of several pinned ones the latest is first."""
        return read(models.Job, self.http.json("PUT", f"jobs/{segment(job)}/pin"))

    def unpin(self, job: str) -> Job:
        return read(models.Job, self.http.json("DELETE", f"jobs/{segment(job)}/pin"))

    def order(self, job: str, before: str | None = None, after: str | None = None) -> list[JobRow]:
        """Give one of one's own queued jobs the turn right before or right after another; the jobs that changed
        turns."""
        if (before is None) == (after is None):
            raise ValueError("name the job to stand before, or the one to stand after")
        beside = {"before": before} if after is None else {"after": after}
        found = self.http.json("POST", f"jobs/{segment(job)}/order", body=beside)
        return [read(models.JobRow, one) for one in found["items"]]

    def scores(self, user: str | None = None) -> list[Score]:
        """One person's scores; without a name one's own, and everybody's for those who may see them."""
        if user is not None:
            return [read(models.Score, self.http.json("GET", f"scores/{segment(user)}"))]
        return [read(models.Score, one) for one in self.http.pages("scores")]

    def ledger(self, user: str, model: str | None = None, limit: int | None = None) -> Iterator[LedgerRow]:
        """What makes up a person's scores, row by row: what is held, then what was given back."""
        found = self.http.pages(f"scores/{segment(user)}/ledger", limit, {"model": model} if model else {})
        return (read(models.LedgerRow, one) for one in found)
