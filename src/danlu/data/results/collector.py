"""Counts the results of jobs, gently, and removes what exceeds the bounds: beside the process that runs tasks."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from danlu.data.counting import ROUND_S, count_gently
from danlu.data.results.bounds import Removal, to_free, too_many
from danlu.data.results.shelf import Shelf
from danlu.domain.job import Time
from danlu.ports.clock import Clock
from danlu.ports.results import KeptAttempt
from danlu.ports.supervision import write_json

log = logging.getLogger(__name__)


class ResultCollector:
    """`active` are the ids of jobs that have not ended (None: not known yet), `total_of` how much a person may keep
    (None: any amount), `held` the ids of jobs whose outputs are not made yet: nothing of them is removed."""

    def __init__(
        self,
        shelf: Shelf,
        figures: Path,
        life: Time,
        reserve: int,
        active: Callable[[], Collection[str] | None],
        total_of: Callable[[str], int | None],
        clock: Clock,
        held: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self._held = held
        self._shelf, self._figures, self._life, self._reserve = shelf, figures, life, reserve
        self._active, self._total_of, self._clock = active, total_of, clock
        self._sizes: dict[tuple[str, int, Time], int] = {}

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            began = time.monotonic()
            try:
                self.round(stop)
            except Exception:
                log.exception("results of jobs could not be counted; retrying")
            stop.wait(max(1.0, began + ROUND_S - time.monotonic()))

    def round(self, stop: threading.Event) -> None:
        """Finish what was begun, count, decide, remove, and write down what is left."""
        self._shelf.empty_trash()
        # Before the look at the shelf: what ends in between is kept until the next round.
        active = self._active()
        held = frozenset(
            self._held()
        )  # a job's outputs are noted with its end, so that it is never in neither
        kept = self._counted(stop)
        if active is None or kept is None:
            return
        going = too_many(kept, held.union(active), self._life, self._total_of, self._clock.now())
        self._drop(going)
        kept = _without(kept, going)
        going = to_free([one for one in kept if one.job_id not in held], self._missing())
        self._drop(going)
        self._write(_without(kept, going))

    def _counted(self, stop: threading.Event) -> list[KeptAttempt] | None:
        found = []
        for one in self._shelf.all():
            key = (one.job_id, one.attempt, one.ended_at)
            if key not in self._sizes:
                count = count_gently(str(self._shelf.root / one.job_id / str(one.attempt)), stop)
                if count is None:
                    return None
                self._sizes[key] = count.size
            found.append(replace(one, size=self._sizes[key]))
        known = {(one.job_id, one.attempt, one.ended_at) for one in found}
        self._sizes = {key: size for key, size in self._sizes.items() if key in known}
        return found

    def _missing(self) -> int:
        """Bytes of the disk's reserve that are used."""
        if not self._reserve:
            return 0
        found = os.statvfs(self._shelf.root)
        return self._reserve + self._reserve // 10 - found.f_bavail * found.f_frsize

    def _drop(self, going: list[Removal]) -> None:
        for one, cause in going:
            log.info("results of attempt %d of job %s are removed (%s)", one.attempt, one.job_id, cause.value)
            self._shelf.drop(one.job_id, one.attempt, cause)
        if going:
            self._shelf.empty_trash()

    def _write(self, kept: list[KeptAttempt]) -> None:
        items = [[one.job_id, one.attempt, one.owner, one.ended_at, one.size] for one in kept]
        write_json(str(self._figures), {"counted_at": self._clock.now(), "items": items})


def _without(kept: list[KeptAttempt], going: list[Removal]) -> list[KeptAttempt]:
    gone = {(one.job_id, one.attempt) for one, _ in going}
    return [one for one in kept if (one.job_id, one.attempt) not in gone]
