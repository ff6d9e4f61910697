"""Results with the sizes that the collector has counted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from danlu.data.results.shelf import Shelf
from danlu.domain.job import Time
from danlu.ports.files import PlaceBelow
from danlu.ports.results import GoneResults, KeptAttempt, RunKey

Counted = dict[tuple[str, int], KeptAttempt]


class FileResults:
    """Implements ports.results.Results over the shelf and the file that the collector writes. Any thread."""

    def __init__(self, shelf: Shelf, figures: Path) -> None:
        self._shelf, self._figures = shelf, figures
        self._read: tuple[tuple[int, int], Time, Counted] = ((0, 0), 0, {})

    def work(self, key: RunKey) -> PlaceBelow | None:
        return self._shelf.work(key)

    def shelved(self, key: RunKey) -> PlaceBelow | None:
        return self._shelf.shelved(key)

    def checkpoints(self, owner: str, folder: str) -> PlaceBelow:
        return self._shelf.checkpoints(owner, folder)

    def gone(self, job_id: str, attempt: int) -> GoneResults | None:
        return self._shelf.gone(job_id, attempt)

    def of_job(self, job_id: str) -> tuple[KeptAttempt, ...]:
        counted = self._counted()
        return tuple(
            replace(one, size=known.size if (known := counted.get((job_id, one.attempt))) else None)
            for one in self._shelf.of_job(job_id)
        )

    def of_owner(self, owner: str) -> tuple[KeptAttempt, ...]:
        own = [one for one in self._counted().values() if one.owner == owner]
        wanted = {
            job: any(one.wanted for one in self._shelf.of_job(job)) for job in {one.job_id for one in own}
        }
        return tuple(replace(one, wanted=wanted[one.job_id]) for one in own)

    def counted_at(self) -> Time | None:
        self._counted()
        return self._read[1] or None

    def want(self, job_id: str, wanted: bool) -> None:
        self._shelf.want(job_id, wanted)

    def remove(self, job_id: str) -> None:
        self._shelf.remove(job_id)

    def _counted(self) -> Counted:
        try:
            found = self._figures.stat()
            stamp = (found.st_mtime_ns, found.st_ino)
            if self._read[0] != stamp:
                told = json.loads(self._figures.read_bytes())
                items = (KeptAttempt(*item) for item in told["items"])
                self._read = (stamp, told["counted_at"], {(one.job_id, one.attempt): one for one in items})
        except (OSError, ValueError, TypeError, KeyError):
            pass
        return self._read[2]
