"""What every command about jobs needs: the job that was meant, and telling what became of it."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar

from danlu.cli.group import near
from danlu.cli.session import CliSession, note, on_terminal, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import exit_code
from danlu.cli.words import language, meant
from danlu.domain.words import NOTHING, Words, say
from danlu.sdk import models
from danlu.sdk.http.errors import DanluError, NotFound, TimedOut
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

T = TypeVar("T")


def announce(job: Mapping[str, Any], done: str, as_json: bool) -> None:
    """Tell a person what became of a job; a script gets its id alone."""
    if as_json:
        print_json(job)
    elif on_terminal():
        told = read(models.Job, job)
        cause = show.reason(told.waiting or told.reason)
        why = f": {cause}" if cause else ""
        show.echo(f"{done} {told.name} ({told.id}), now {told.state}{why}")
    else:
        show.echo(job["id"])


def one_job(session: CliSession, job: str) -> dict[str, Any]:
    """A job as the server describes it; an unknown one with the nearest name there is."""
    found: dict[str, Any] = known_job(session, job, lambda: session.http.json("GET", f"jobs/{segment(job)}"))
    return found


def known_job(session: CliSession, job: str, act: Callable[[], T]) -> T:
    try:
        return act()
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


def for_all(jobs: tuple[str, ...], act: Callable[[str], object]) -> None:
    """Do something to each; one that fails does not keep the others from their turn."""
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
        session.http.json("GET", f"jobs/{segment(job)}")
    except DanluError:
        return False
    return True


def _nearest(session: Session, job: str) -> Words:
    """A guess at what was meant; no guess is worth a second failure."""
    try:
        rows = session.http.json("GET", "jobs", {"owner": "me", "limit": 200})["items"]
    except DanluError:
        return NOTHING
    names = [row["name"] for row in rows]
    likely = near(job, [*names, *(row["id"] for row in rows)])
    lists = Words(
        "'danlu ls' lists yours, 'danlu ls -A' everybody's.",
        "danlu ls 列出你的任务，danlu ls -A 列出所有人的任务。",
    )
    return meant(likely, lists)
