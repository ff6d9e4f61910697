"""Who has used how much: current use counts from its start, past use is settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from danlu.domain.job import Job, Task, Time
from danlu.domain.score import CPU, Charge, Settled, decay
from danlu.ports.store import LedgerStore

UNKNOWN_MODEL = "gpu"


class Ledger:
    """Scores of everybody. Used by the controller's thread; what it returns never changes."""

    def __init__(self, store: LedgerStore, score_time: int) -> None:
        self._store, self.score_time = store, score_time
        self._settled: dict[tuple[str, str], Settled] | None = None
        self._held: dict[str, dict[str, tuple[float, float, Time]]] = {}

    def hold(self, user: str, jobs: Iterable[Job]) -> None:
        """Recount what a person's live tasks use: how much, and what the score lacked of it when the latest of them
        started. It follows from the tasks alone, so that a restart computes exactly the same."""
        by_model: dict[str, list[Charge]] = {}
        for charge in sorted(
            (charge for job in jobs for charge in running_charges(job)),
            key=lambda charge: (charge.began, charge.job_id, charge.task),
        ):
            by_model.setdefault(charge.model, []).append(charge)
        self._held[user] = {
            model: (
                sum(charge.milli for charge in charges) / 1000,
                sum(
                    charge.milli / 1000 * decay(charges[-1].began - charge.began, self.score_time)
                    for charge in charges
                ),
                charges[-1].began,
            )
            for model, charges in by_model.items()
        }

    def settle(self, charges: Iterable[Charge]) -> list[Settled]:
        """The settled use after these charges; kept once it is written."""
        changed: dict[tuple[str, str], Settled] = {}
        for charge in charges:
            key = (charge.user, charge.model)
            before = changed.get(key) or self._known().get(key) or Settled(*key)
            changed[key] = before.plus(charge, self.score_time)
        return list(changed.values())

    def keep(self, settled: Iterable[Settled]) -> None:
        self._settled = {**self._known(), **{(one.user, one.model): one for one in settled}}

    def reread(self) -> None:
        """Read the stored values again."""
        self._settled = None

    def scores(self, now: Time) -> Scores:
        return Scores(self._known(), dict(self._held), now, self.score_time)

    def _known(self) -> dict[tuple[str, str], Settled]:
        if self._settled is None:
            self._settled = {(one.user, one.model): one for one in self._store.settled()}
        return self._settled


class Scores(Mapping[tuple[str, str], float]):
    """Everybody's score at one moment, computed on demand."""

    def __init__(
        self,
        settled: Mapping[tuple[str, str], Settled],
        held: Mapping[str, Mapping[str, tuple[float, float, Time]]],
        now: Time,
        score_time: int,
    ) -> None:
        self._settled, self._held, self._now, self._score_time = settled, held, now, score_time
        self._found: dict[tuple[str, str], float] = {}

    def __getitem__(self, key: tuple[str, str]) -> float:
        if key not in self._found:
            self._found[key] = self._work_out(*key)
        return self._found[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        held = {(user, model) for user, models in self._held.items() for model in models}
        return iter(sorted(held | set(self._settled)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _work_out(self, user: str, model: str) -> float:
        settled = self._settled.get((user, model))
        score = settled.decayed(self._now, self._score_time) if settled else 0.0
        held = self._held.get(user, {}).get(model)
        if held is not None:
            size, lacking, at = held
            score += size - lacking * decay(self._now - at, self._score_time)
        return score


def running_charges(job: Job) -> Iterator[Charge]:
    """Open charges of the job's live tasks."""
    return (charge_of(job, task, None) for task in job.live_tasks)


def ended_charges(before: Job, after: Job) -> Iterator[Charge]:
    """Charges of tasks that were live before and are not any more."""
    now_live = {task.name for task in after.live_tasks} if before.attempts == after.attempts else set()
    ended = {task.name: task.ended_at for task in after.attempt.tasks} if after.attempt else {}
    for task in before.live_tasks:
        if task.name not in now_live:
            began = _began(before, task)
            yield charge_of(before, task, max(began, ended.get(task.name) or began))


def charge_of(job: Job, task: Task, ended: Time | None) -> Charge:
    milli = sum(grant.milli for grant in task.gpus)
    model = (task.model or UNKNOWN_MODEL) if milli else CPU
    amount = milli or job.size_of(task).cpu_milli
    return Charge(
        user=job.owner,
        model=model,
        milli=amount,
        began=_began(job, task),
        ended=ended,
        job_id=job.id,
        job_name=job.record,
        attempt=job.attempts,
        task=task.name,
        project=job.spec.project,
        job_class=job.spec.job_class.value,
        priority=job.spec.priority,
    )


def _began(job: Job, task: Task) -> Time:
    assert job.attempt is not None
    return job.attempt.created_at if task.placed_at is None else task.placed_at
