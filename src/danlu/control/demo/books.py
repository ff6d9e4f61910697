"""What a made-up past leaves in the books: ledger, scores, hours of use, and the audit log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from danlu.control.demo.plans import DAY, HOUR
from danlu.control.plane.ledger import ended_charges
from danlu.control.usage.hourly import HourKey, Hourly, hour_of
from danlu.domain.audit import Entry
from danlu.domain.job import Job, JobState, Time
from danlu.domain.node import Node
from danlu.domain.score import CPU, Charge, Settled
from danlu.ports.past import Past, PastEvent, PastJob, PastLog

REASON = "demonstration"


class Books:
    """Filled while the past passes."""

    def __init__(self, score_time: int, staff: str) -> None:
        self._score_time, self._staff = score_time, staff
        self._hours = Hourly()
        self._charges: list[Charge] = []
        self._entries: list[tuple[Time, Entry]] = []

    def started(self, job: Job, now: Time) -> None:
        assert job.queued_at is not None
        self._hours.count(_key(job), hour_of(now), starts=1, waited=now - job.queued_at)

    def queued(self, before: Job, after: Job, now: Time) -> None:
        """What a job asked for while it waited, once it waits no more."""
        if before.state is JobState.QUEUED and after.state is not JobState.QUEUED:
            assert before.queued_at is not None
            asked = sum(role.resources.gpu_milli * role.replicas for role in before.spec.roles)
            self._hours.add(_key(before), "queued", asked, before.queued_at, now)
        if before.active and not after.active:
            failed = int(after.state is JobState.FAILED)
            self._hours.count(_key(before), hour_of(now), ended=1, failed=failed)

    def ended(self, before: Job, after: Job, busy: float) -> None:
        for charge in ended_charges(before, after):
            assert charge.ended is not None
            self._charges.append(charge)
            key = (charge.project, charge.user, charge.job_class, charge.model)
            for field, milli in (
                ("held", charge.milli),
                ("measured", charge.milli),
                ("busy", int(charge.milli * busy)),
            ):
                self._hours.add(key, field, milli, charge.began, charge.ended)

    def offer(self, nodes: Sequence[Node], began: Time, until: Time) -> None:
        there: Counter[str] = Counter()
        for node in nodes:
            there[CPU] += node.cpu_milli
            if node.gpu_model:
                there[node.gpu_model] += 1000 * len(node.gpus)
        for model, milli in there.items():
            self._hours.offer(model, milli, began, until)
        # A morning's work on one node, a week ago.
        closed = until - 6 * DAY - 5 * HOUR
        for at, act in ((closed, "cordoned"), (closed + 4 * HOUR, "uncordoned")):
            self._entries.append((at, Entry(self._staff, act, f"node:{nodes[-1].name}", reason=REASON)))

    def note(self, at: Time, act: str, job: Job) -> None:
        entry = Entry(self._staff, act, f"job:{job.owner}:{job.record}", reason=REASON)
        self._entries.append((at, entry))

    def closed(
        self,
        began: Time,
        until: Time,
        jobs: tuple[PastJob, ...],
        events: tuple[PastEvent, ...],
        logs: tuple[PastLog, ...],
    ) -> Past:
        batch = self._hours.taken(until)
        charges = sorted(self._charges, key=lambda one: (one.ended or 0, one.job_id, one.task))
        settled: dict[tuple[str, str], Settled] = {}
        for charge in charges:
            key = (charge.user, charge.model)
            settled[key] = settled.get(key, Settled(*key)).plus(charge, self._score_time)
        return Past(
            began=began,
            until=until,
            jobs=jobs,
            events=events,
            charges=tuple(charges),
            settled=tuple(settled.values()),
            hours=batch.rows,
            capacity=batch.capacity,
            entries=tuple(sorted(self._entries, key=lambda one: one[0])),
            logs=logs,
        )


def _key(job: Job) -> HourKey:
    model = job.spec.roles[0].resources.gpu_model or CPU
    return (job.spec.project, job.owner, job.spec.job_class.value, model)
