"""Whether a block volume is taken now, for jobs whose start is to be refused then."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.errors import FieldError, VolumeTaken
from danlu.domain.job import Job, JobState, Time
from danlu.domain.mount import Mount
from danlu.domain.reasons import VolumeBusy
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.volumes.records import VolumeUse

_HINT = Words(
    "try again later, or wait for it in the queue: busy: wait", "请稍后重试，或使用 busy: wait 排队等待"
)


class JobsAndUses(Protocol):
    """What is read of jobs and volumes."""

    def get(self, job_id: str) -> Job | None: ...

    def volume_uses(self, volume_id: str) -> tuple[VolumeUse, ...]: ...


class TakenVolumes:
    """Any thread. What is free now may be taken before the job is placed: then it waits like others."""

    def __init__(self, store: JobsAndUses, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def refusal(self, job: Job) -> VolumeTaken | None:
        """Why a job that would rather not wait does not start."""
        for place, mount in enumerate(job.spec.mounts):
            if mount.refuses and mount.block and (busy := self._busy(job, mount)) is not None:
                text = busy.text()
                error = FieldError(("mounts", place, "volume"), busy.code, text, mount.volume, hint=_HINT)
                return VolumeTaken(text, (error,))
        return None

    def _busy(self, job: Job, mount: Mount) -> VolumeBusy | None:
        for use in self._store.volume_uses(mount.id):
            if use.job_id == job.id or (use.read_only and mount.read_only):
                continue
            holder = self._store.get(use.job_id)
            if holder is not None and (holder.live_tasks or holder.state is not JobState.QUEUED):
                named = holder.title if holder.owner == job.owner else ""
                until = about(holder, self._clock.now())
                return VolumeBusy(mount.volume, not use.read_only, holder.owner, named, until)
        return None


def about(job: Job, now: Time) -> Time | None:
    """When a job will probably have ended, as far as its file tells."""
    times = (job.spec.expected_time, job.spec.max_time)
    if job.attempt is None:
        return None
    ends = (job.attempt.created_at + time for time in times if time is not None)
    return min((at for at in ends if at > now), default=None)
