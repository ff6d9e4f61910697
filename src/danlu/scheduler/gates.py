"""What keeps a job waiting regardless of room: closed projects, caps and limits."""

from __future__ import annotations

from danlu.domain.quantity import show_time
from danlu.domain.reasons import OverLimit, ProjectCap, ProjectClosed, Reason, RunTimeLimit
from danlu.domain.rules import GPUS, Amounts, Project
from danlu.scheduler.model import FOREVER, Pending, Rules
from danlu.scheduler.shares import Tally, concerns, limited


class Gates:
    """Checks against current use; `leaving` is what leaving jobs still use."""

    def __init__(self, rules: Rules, held: Tally, leaving: Tally) -> None:
        self._rules, self._held, self._leaving = rules, held, leaving
        self._bounded = {name for name, project in rules.projects.items() if project.cap or project.closed}
        self._open = not self._bounded and not rules.limits

    def shut(
        self, job: Pending, model: str, amounts: Amounts | None = None, *, now: bool = False
    ) -> Reason | None:
        """Why the job may not start even if there is room (by default for its minimum); with `now`, jobs that have not
        left yet count too."""
        if self._open:
            return None
        wanted = job.ask.amounts(model) if amounts is None else amounts
        project = self._rules.project(job.project)
        for closed in (project, self._rules.project(project.account)):
            if closed.closed:
                return ProjectClosed(closed.name)
        over = self._over_cap(project, wanted, now)
        if over is None and project.account != project.name:
            over = self._over_cap(self._rules.project(project.account), wanted, now)
        return over or self._over_limit(job, wanted.get(GPUS, 0), now)

    def _over_cap(self, project: Project, amounts: Amounts, now: bool) -> Reason | None:
        for resource, cap in sorted(project.cap.items()):
            wanted = amounts.get(resource, 0)
            used = self._held.of_project(project, resource)
            used += self._leaving.of_project(project, resource) if now else 0
            if wanted and used + wanted > cap:
                return ProjectCap(project.name, resource, wanted, used, cap)
        return None

    def _over_limit(self, job: Pending, wanted: int, now: bool) -> Reason | None:
        for limit in self._rules.limits:
            if not concerns(limit, self._rules, job.owner, job.project, job.ask.job_class):
                continue
            if limit.max_time is not None and job.max_time > limit.max_time:
                asked = "" if job.max_time >= FOREVER else show_time(job.max_time)
                return RunTimeLimit(limit.name, asked, limit.max_time)
            if limit.gpu_milli is None or not wanted:
                continue
            whose = limited(limit, job.owner, self._rules.account(job.project))
            used = self._held.limits[whose] + (self._leaving.limits[whose] if now else 0)
            if used + wanted > limit.gpu_milli:
                return OverLimit(limit.name, wanted, used, limit.gpu_milli)
        return None
