"""Three weeks that never were: plans go through a small cluster and the real life cycle, so that all of it agrees."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from danlu.control.demo.books import Books
from danlu.control.demo.endings import afterwards, end
from danlu.control.demo.plans import DAY, HOUR, SamplePlan, plans
from danlu.control.demo.runs import log_of
from danlu.domain import events as ev
from danlu.domain.ids import make_id
from danlu.domain.job import Attempt, Job, JobState, Task, Time
from danlu.domain.lifecycle import advance
from danlu.domain.node import Node
from danlu.domain.resources import GpuGrant
from danlu.files.reading import read_job_file
from danlu.ports.past import Past, PastEvent, PastJob

WEEKS = 3
SEED = 20_260_131
_CLOSING: Time = 120_000
"""Nothing starts so shortly before the end."""
_PATIENCE = 3 * HOUR
"""After so long in the queue an administrator pins a job."""


@dataclass
class Course:
    """One job on its way."""

    plan: SamplePlan
    job: Job
    attempts: list[Attempt] = field(default_factory=list)
    began: Time = 0

    @property
    def gpus(self) -> int:
        return sum(role.resources.gpu_milli // 1000 for role in self.job.spec.roles[:1])


def made_up(nodes: Sequence[Node], now: Time, staff: str, score_time: int, seed: int = SEED) -> Past | None:
    """The past of these nodes up to now; None where there are no GPUs to tell of. The same seed and moment make the
    same past."""
    offered = [node for node in nodes if node.gpus]
    if not offered:
        return None
    return _History(offered, now, staff, score_time, seed).told()


class _History:
    def __init__(self, nodes: Sequence[Node], now: Time, staff: str, score_time: int, seed: int) -> None:
        self._nodes, self._staff, self._seed = nodes, staff, seed
        self._until, self._began = now, now - WEEKS * 7 * DAY
        self._chance = random.Random(seed)
        self._free = {node.name: set(range(len(node.gpus))) for node in nodes}
        self._waiting: list[Course] = []
        self._ends: list[tuple[Time, int, Course]] = []
        self._done: list[Course] = []
        self._events: list[PastEvent] = []
        self._books = Books(score_time, staff)

    def told(self) -> Past:
        models = sorted({node.gpu_model for node in self._nodes if node.gpu_model})
        for number, plan in enumerate(plans(self._began, self._until, models, self._seed)):
            self._until_arrival(plan.at)
            self._submit(plan, number)
            self._place(plan.at)
        self._until_arrival(self._until)
        for course in self._waiting:
            self._feed(course, self._until - 60_000, ev.StopRequested(course.plan.owner), course.plan.owner)
            self._done.append(course)
        self._books.offer(self._nodes, self._began, self._until)
        self._events.sort(key=lambda one: one.at)
        past = [PastJob(one.job, tuple(one.attempts)) for one in self._done]
        logs = [log for one in self._done if (log := log_of(one.job, one.plan.fate, self._seed))]
        return self._books.closed(self._began, self._until, tuple(past), tuple(self._events), tuple(logs))

    def _submit(self, plan: SamplePlan, number: int) -> None:
        spec = read_job_file(plan.file).result()
        job = Job(make_id(plan.at, number % 2**20), plan.owner, spec, plan.at)
        course = Course(plan, job)
        self._events.append(PastEvent(plan.at, job, ev.JobCreated(plan.owner), plan.owner))
        self._feed(course, plan.at, ev.StartRequested(plan.owner), plan.owner)
        self._waiting.append(course)

    def _until_arrival(self, at: Time) -> None:
        """All that ends until then, and who starts in the room that is left."""
        while self._ends and self._ends[0][0] <= at:
            ended, _, course = heapq.heappop(self._ends)
            self._end(course, ended)
            self._place(ended)

    def _place(self, now: Time) -> None:
        for course in sorted(self._waiting, key=lambda one: (one.job.turn.pinned_at is None, one.plan.at)):
            held = course.job.turn.held_until or 0
            open_ = held <= now <= self._until - _CLOSING
            where = self._room_for(course) if open_ else None
            if where is None:
                self._lose_patience(course, now)
                continue
            self._waiting.remove(course)
            tasks = tuple(self._task(course, index, name, now) for index, name in enumerate(where))
            self._books.started(course.job, now)
            self._feed(course, now, ev.Placed(course.job.attempts + 1, tasks), None)
            self._run(course, now)

    def _lose_patience(self, course: Course, now: Time) -> None:
        if (
            course.job.turn.pinned_at is None
            and now - course.plan.at > _PATIENCE
            and self._chance.random() < 0.006
        ):
            self._feed(course, now, ev.Pinned(self._staff), self._staff)
            self._books.note(now, "pinned", course.job)

    def _room_for(self, course: Course) -> list[str] | None:
        role = course.job.spec.roles[0]
        fitting = [
            node.name
            for node in self._nodes
            if node.gpu_model == role.resources.gpu_model and len(self._free[node.name]) >= course.gpus
        ]
        fullest = sorted(fitting, key=lambda name: (len(self._free[name]), name))
        return fullest[: role.replicas] if len(fitting) >= role.replicas else None

    def _task(self, course: Course, index: int, name: str, now: Time) -> Task:
        node = next(one for one in self._nodes if one.name == name)
        cards = sorted(self._free[name])[: course.gpus]
        self._free[name] -= set(cards)
        grants = tuple(GpuGrant(card, 1000) for card in cards)
        role = course.job.spec.roles[0].name
        return Task(role, index, name, node.address, grants, node.gpu_model, now)

    def _run(self, course: Course, now: Time) -> None:
        course.began = began = now + self._chance.randint(1_500, 9_000)
        for task in course.job.live_tasks:
            self._feed(course, began, ev.TaskRunning(course.job.attempt_id, task.name, began), None)
        lasts = course.plan.lasts
        if course.plan.fate == "node_lost" and course.job.attempts == 1:
            lasts //= 3
        ends = min(began + lasts, self._until - 30_000)
        self._save(course, began, ends)
        heapq.heappush(self._ends, (ends, len(self._events), course))

    def _save(self, course: Course, began: Time, ends: Time) -> None:
        """Checkpoints of longer trainings."""
        if course.plan.file["kind"] != "training" or ends - began < HOUR:
            return
        first = course.job.live_tasks[0].name
        for part in (1, 2, 3):
            at = began + (ends - began) * part // 4
            path = f"checkpoints/step-{part * 1000}.pt"
            self._feed(
                course, at, ev.CheckpointSaved(course.job.attempt_id, first, at, path, part * 1000), None
            )

    def _end(self, course: Course, at: Time) -> None:
        assert course.job.attempt is not None
        before = course.job
        for moment, event, actor in end(course.job, course.plan.fate, at, self._staff):
            self._feed(course, moment, event, actor)
            if isinstance(event, ev.StopRequested) and actor == self._staff:
                self._books.note(moment, "stopped", course.job)
        for moment, event in afterwards(course.job, course.plan.fate, at):
            self._feed(course, moment, event, None)
        for task in before.live_tasks:
            self._free[task.node] |= {grant.index for grant in task.gpus}
        assert course.job.attempt is not None
        course.attempts.append(course.job.attempt)
        self._books.ended(before, course.job, self._chance.uniform(0.55, 0.95))
        if course.job.state is JobState.QUEUED:
            self._waiting.append(course)
        else:
            self._done.append(course)

    def _feed(self, course: Course, at: Time, event: ev.Event, actor: str | None) -> None:
        before, step = course.job, advance(course.job, event, at)
        course.job = step.job
        self._events += (PastEvent(at, step.job, one, actor) for one in step.records)
        self._books.queued(before, step.job, at)
