"""Block volumes: one job that writes, or any number that read, never both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from danlu.domain.job import Time
from danlu.domain.reasons import Reason, VolumeBusy
from danlu.scheduler.model import FOREVER, BlockMount, Pending, Running


@dataclass(frozen=True, slots=True)
class _Hold:
    """A job that has a volume, or is before others who want it; `until` is when it ends, as far as that is known."""

    job_id: str
    owner: str
    mount: BlockMount
    until: Time = FOREVER
    ahead: bool = False

    def told(self, to: str) -> VolumeBusy:
        """Somebody else's job is not named."""
        mount = self.mount
        return VolumeBusy(
            mount.title,
            mount.writes,
            self.owner,
            mount.job if self.owner == to else "",
            self.until if self.until < FOREVER else None,
            self.ahead,
        )


class BlockVolumes:
    """Who has which block volume: running jobs until all their tasks have ended, and jobs that this decision gives
    a place or a promise of one. Jobs without block volumes cost nothing here."""

    def __init__(self, running: Iterable[Running] = (), now: Time = 0) -> None:
        self._held: dict[str, dict[str, _Hold]] = {}
        for one in running:
            for mount in one.mounts:
                self._hold(_Hold(one.job_id, one.owner, mount, one.about(now)))

    def shut(self, job: Pending) -> Reason | None:
        """What keeps this job from a volume it mounts: what it lacks, or another job; of several, the one that will
        end last."""
        if job.lacks is not None or not job.mounts:
            return job.lacks
        against = [
            hold
            for mount in job.mounts
            for hold in self._held.get(mount.volume, {}).values()
            if hold.job_id != job.job_id and (mount.writes or hold.mount.writes)
        ]
        if not against:
            return None
        return max(against, key=lambda hold: (hold.until, hold.job_id)).told(job.owner)

    def take(self, job: Pending, *, ahead: bool = False) -> None:
        """Give a job its volumes; one that runs still keeps what is known of it."""
        for mount in job.mounts:
            known = self._held.get(mount.volume, {}).get(job.job_id)
            until = FOREVER if known is None else known.until
            self._hold(_Hold(job.job_id, job.owner, mount, until, ahead))

    def _hold(self, hold: _Hold) -> None:
        holds = self._held.setdefault(hold.mount.volume, {})
        known = holds.get(hold.job_id)
        # Mounted twice it is written to if either mount is.
        holds[hold.job_id] = hold if known is None or hold.mount.writes else known
