"""Which flavors somebody can have: now, behind how many jobs, or never, and why; computed from the current state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from danlu.control.jobs.misfits import Misfits, for_others, no_member, no_priority
from danlu.control.plane.planner import Planner
from danlu.control.rules.registry import Registry
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobClass, JobSpec, Kind, Role, Time
from danlu.domain.labels import demanded_labels
from danlu.domain.people import User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.project_access import may_queue
from danlu.domain.reasons import OverLimit, ProjectCap, ProjectClosed
from danlu.domain.rules import NORMAL, PUBLIC, Flavor, Project
from danlu.domain.terms import class_said, no_such
from danlu.domain.words import Words, say
from danlu.files.mistakes import did_you_mean
from danlu.scheduler import FOREVER, Ask, Pending, Snapshot, ask_of, selecting
from danlu.scheduler.ask import altered
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.shares import concerns
from danlu.scheduler.tryout import Fate, fates

_GATES = ProjectClosed | ProjectCap | OverLimit
"""Reasons for which a job would not start even with nobody ahead of it."""


class OfferState(StrEnum):
    AVAILABLE = "available"
    WAITS = "waits"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Question:
    """The jobs that offers are asked for: class, project and number of tasks."""

    job_class: JobClass = JobClass.SINGLE
    project: str = PUBLIC
    count: int = 1


@dataclass(frozen=True, slots=True)
class Offer:
    """What a job of this size could expect; `behind` is None if it would not wait for its turn."""

    flavor: Flavor
    state: OfferState
    behind: int | None = None
    text: Words | None = None
    recommended: bool = False


class Offers:
    """Any thread. Nothing is cached: every answer is a scheduling decision on the current state.

    `idle` is the cluster as admission knows it, with all nodes that may come back."""

    def __init__(self, registry: Registry, planner: Planner, idle: Callable[[], AllNodes]) -> None:
        self._registry, self._planner, self._idle = registry, planner, idle

    def to(self, caller: Caller, question: Question) -> tuple[Time, tuple[Offer, ...]]:
        """All flavors by name, and the time of the decision; the best available one is marked as recommended."""
        caller.require(Permission.FLAVOR_READ)
        project = self._project(question)
        flavors = tuple(self._registry.flavors().values())
        snapshot = self._planner.snapshot()
        priority = self._priority(caller.user, project)
        trial = _Trial(snapshot, caller.name, project, priority or NORMAL, question)
        never = dict(self._never(flavors, trial, _barred(caller, project, priority)))
        tried = [trial.job(flavor) for flavor in flavors if flavor.name not in never]
        found = {job.job_id: fate for job, fate in zip(tried, fates(snapshot, tried), strict=True)}
        offers = [
            Offer(flavor, OfferState.NEVER, text=never[flavor.name])
            if flavor.name in never
            else _offer(flavor, found[_trial_id(flavor)])
            for flavor in sorted(flavors, key=lambda one: one.name)
        ]
        return snapshot.now, tuple(recommended(offers))

    def _project(self, question: Question) -> Project:
        if question.count > 1 and question.job_class in (JobClass.WORKSPACE, JobClass.SINGLE):
            message = say(
                "a {job_class} job has one task; for several tasks, choose class distributed or service",
                "{job_class}任务只能有一个子任务；需要多个子任务时请选择多机训练或服务",
                job_class=class_said(question.job_class),
            )
            raise Invalid((FieldError(("count",), "contradiction", message, question.count, 1),))
        projects = self._registry.projects()
        if question.project not in projects:
            name, hint = question.project, did_you_mean(question.project, sorted(projects))
            message = no_such("project", name)
            raise Invalid((FieldError(("project",), "no_such_project", message, name, hint=hint),))
        return projects[question.project]

    def _priority(self, user: User, project: Project) -> str | None:
        """The default priority class, or else the lowest that the person may use there."""
        classes, projects = self._registry.priorities(), self._registry.projects()
        bounds = [project, projects.get(project.account, project)]
        mine = [
            one
            for one in classes.values()
            if one.open_to(user, project.name) and all(bound.allows(one.name) for bound in bounds)
        ]
        lowest = min(mine, key=lambda one: (one.name != NORMAL, one.value, one.name), default=None)
        return lowest.name if lowest else None

    def _never(
        self, flavors: Sequence[Flavor], trial: _Trial, barred: Words | None
    ) -> Iterator[tuple[str, Words]]:
        misfits = Misfits(self._idle(), trial.snapshot.rules, trial.owner)
        for flavor in flavors:
            if flavor.classes and trial.question.job_class not in flavor.classes:
                yield flavor.name, for_others(flavor)
            elif why := barred or misfits.why(trial.project, trial.ask(flavor)):
                yield flavor.name, why


@dataclass(frozen=True, slots=True)
class _Trial:
    """Trial jobs as the person could submit them now, one per flavor."""

    snapshot: Snapshot
    owner: str
    project: Project
    priority: str
    question: Question

    def ask(self, flavor: Flavor) -> Ask:
        count, job_class = self.question.count, self.question.job_class
        role = Role("worker", count, flavor.resources, "", count)
        spec = JobSpec(Kind.TRAINING, "", (role,), self.project.name)
        labels = demanded_labels(spec, self.project, all_serve=True)
        return selecting(altered(ask_of(spec), job_class=job_class), tuple(sorted(labels.items())))

    def job(self, flavor: Flavor) -> Pending:
        """A trial job: last in the queue, with the longest max_time allowed."""
        rules, ask = self.snapshot.rules, self.ask(flavor)
        longest = [rules.policy.default_max_time.get(ask.job_class) or FOREVER]
        longest += [
            limit.max_time
            for limit in rules.limits
            if limit.max_time and concerns(limit, rules, self.owner, self.project.name, ask.job_class)
        ]
        now, name = self.snapshot.now, _trial_id(flavor)
        return Pending(
            name, self.owner, ask, now, (now, name), self.project.name, self.priority, min(longest)
        )


def _trial_id(flavor: Flavor) -> str:
    """The id of the trial job of this flavor; no real job has such an id."""
    return f"flavor:{flavor.name}"


def _barred(caller: Caller, project: Project, priority: str | None) -> Words | None:
    """Why no job of this person could start in the project, whatever its size."""
    if not may_queue(caller, project):
        return no_member(project)
    return None if priority else no_priority(project)


def recommended(offers: Sequence[Offer]) -> Iterator[Offer]:
    """The same offers with the best one marked: available now, then the shortest wait, then the smallest."""
    hopeful = [offer for offer in offers if offer.state is not OfferState.NEVER]
    best = min(hopeful, key=preference, default=None)
    return (replace(offer, recommended=offer is best) for offer in offers)


def preference(offer: Offer) -> tuple[object, ...]:
    """Lower is better."""
    size = offer.flavor.resources
    waits = offer.state is not OfferState.AVAILABLE
    turn = (offer.behind is None, offer.behind or 0) if waits else (False, 0)
    return (waits, *turn, size.gpu_milli, size.cpu_milli, size.memory, offer.flavor.name)


def _offer(flavor: Flavor, fate: Fate) -> Offer:
    if fate.reason is None:
        return Offer(flavor, OfferState.AVAILABLE)
    behind = None if isinstance(fate.reason, _GATES) else fate.ahead
    return Offer(flavor, OfferState.WAITS, behind, fate.reason.text())
