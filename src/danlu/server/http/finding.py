"""The parts of a job that a request names; NotFound says what there is instead."""

from __future__ import annotations

from dataclasses import replace

from danlu.control.jobs.jobs import Jobs
from danlu.domain.errors import NotFound
from danlu.domain.job import Attempt, Job, Task, split_run
from danlu.domain.words import joined, say
from danlu.files.mistakes import did_you_mean


def find_attempt(jobs: Jobs, job: Job, number: int | None) -> Attempt | None:
    """The attempt with this number, by default the latest; None if the job has not run yet."""
    if number is None or number == job.attempts:
        return job.attempt
    for attempt in jobs.attempts(job):
        if attempt.number == number:
            return attempt
    raise NotFound(
        say(
            "the job has no attempt {number}; it has had {attempts} so far",
            "该任务没有第 {number} 次运行，共运行过 {attempts} 次",
            number=number,
            attempts=job.attempts,
        )
    )


def require_task(job: Job, attempt: Attempt | None, name: str | None) -> None:
    """NotFound unless the attempt has (or would have) a task of this name; without a name, nothing is checked."""
    if name is None:
        return
    wanted = [f"{role.name}-{index}" for role, index in job.spec.wanted()]
    names = [task.name for task in attempt.tasks] if attempt else wanted
    if name not in names:
        text = say("the job has no task '{name}'", "该任务没有名为“{name}”的子任务", name=name)
        hint = did_you_mean(name, names[:50])
        raise NotFound(joined([text, hint] if hint else [text]))


def find_try(job: Job, attempt: Attempt, name: str, number: int | None = None) -> Task:
    """A task by its name, in its latest try or, with a number, an earlier one (the first is 0); or by the name of one
    of its runs."""
    of, tried = split_run(name)
    if tried and number is None:
        name, number = of, tried
    require_task(job, attempt, name)
    task = next(task for task in attempt.tasks if task.name == name)
    if number is not None and number > task.tries:
        raise NotFound(
            say(
                "{name} has no try {number}; the latest is {tries}",
                "{name} 没有第 {number} 次尝试，最后一次是第 {tries} 次",
                name=task.name,
                number=number,
                tries=task.tries,
            )
        )
    return task if number is None else replace(task, tries=number)
