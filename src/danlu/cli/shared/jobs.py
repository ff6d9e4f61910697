"""What every command about jobs needs: finding the job, and reporting the result."""

from __future__ import annotations

from typing import Callable, TypeVar

from danlu.cli.group import near
from danlu.cli.session import Answer, CliSession, note, on_terminal, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import exit_code
from danlu.cli.terms import term
from danlu.cli.words import done_said, language, meant, speak
from danlu.domain.words import NOTHING, Words, say
from danlu.sdk import models
from danlu.sdk.http.errors import DanluError, NotFound, TimedOut
from danlu.sdk.http.paths import segment

T = TypeVar("T")


def announce(job: Answer[models.Job], done: str, as_json: bool) -> None:
    """Report what was done with a job; a script gets only its id."""
    told = job.told
    if as_json:
        print_json(job.raw)
    elif on_terminal():
        cause = show.reason(told.waiting or told.reason)
        show.echo(
            speak(
                "{done} {name} ({id}), now {state}{why}",
                "{done} {name}（{id}），当前状态：{state}{why}",
                done=done_said(done),
                name=told.title,
                id=told.id,
                state=term(told.state),
                why=say(": {cause}", "。{cause}", cause=cause) if cause else "",
            )
        )
    else:
        show.echo(told.id)


def one_job(session: CliSession, job: str) -> Answer[models.Job]:
    """A job as the server describes it; for an unknown one, suggest the nearest name."""
    return known_job(session, job, lambda: session.ask(models.Job, "GET", f"jobs/{segment(job)}"))


def known_job(session: CliSession, job: str, act: Callable[[], T]) -> T:
    """What an act on a job gives; if that is the job, say which of its runs a name alone meant."""
    try:
        found = act()
    except NotFound as error:
        if _exists(session, job):
            raise
        raise NotFound(
            say(
                "there is no job '{job}'.{meant}",
                "没有任务“{job}”。{meant}",
                job=job,
                meant=_nearest(session, job),
            )
        ) from error
    told = found.told if isinstance(found, Answer) else found
    if isinstance(told, models.Job):
        _say_which_run(job, told)
    return found


def _say_which_run(ref: str, job: models.Job) -> None:
    if job.title != job.name and ref.rpartition(":")[2] == job.name:
        note(
            speak(
                "{name} has had several runs; this is the latest, {title}.",
                "{name} 有多个轮次，此处为最新的 {title}。",
                name=job.name,
                title=job.title,
            )
        )


def for_all(jobs: tuple[str, ...], act: Callable[[str], object]) -> None:
    """Do something to each; one failure does not stop the others."""
    failed: DanluError | None = None
    for job in jobs:
        try:
            act(job)
        except TimedOut as error:
            raise error
        except DanluError as error:
            if len(jobs) == 1 or error.code in ("unreachable", "not_signed_in"):
                raise
            note(f"danlu: {job}: {error.said(language())}")
            failed = failed or error
    if failed is not None:
        raise SystemExit(exit_code(failed))


def _exists(session: CliSession, job: str) -> bool:
    """Whether what was not found is something of the job's, such as a task, and not the job."""
    try:
        session.do("GET", f"jobs/{segment(job)}")
    except DanluError:
        return False
    return True


def _nearest(session: CliSession, job: str) -> Words:
    """A guess at what was meant; no guess is worth a second failure."""
    try:
        rows = session.listing(models.JobRow, "jobs", {"owner": "me", "limit": 200}).told
    except DanluError:
        return NOTHING
    likely = near(job, [*(row.title for row in rows), *(row.name for row in rows), *(row.id for row in rows)])
    lists = Words(
        "'danlu ls' lists yours, 'danlu ls -A' everybody's.",
        "danlu ls 列出你的任务，danlu ls -A 列出所有人的任务。",
    )
    return meant(likely, lists)
