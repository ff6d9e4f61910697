"""What one does with jobs that exist: start, stop, restart, reset, clone, rm."""

from __future__ import annotations

import sys
from typing import Any, Callable, Mapping, TypeVar

import click

from danlu.cli import show
from danlu.cli.group import near
from danlu.cli.options import job_argument, json_option
from danlu.cli.session import Session, note, on_terminal, pass_session, print_json
from danlu.sdk.http.errors import DanluError, NotFound, TimedOut

T = TypeVar("T")


fresh_option = click.option("--fresh", is_flag=True, help="From the beginning, not from the last checkpoint.")


@click.command()
@job_argument(several=True)
@fresh_option
@json_option
@pass_session
def start(session: Session, jobs: tuple[str, ...], fresh: bool, as_json: bool) -> None:
    """Put jobs into the queue; they go on from their last checkpoint."""
    _each(session, jobs, "start", as_json, {"fresh": True} if fresh else None)


@click.command()
@job_argument(several=True)
@click.option("--wait", is_flag=True, help="Return when they have stopped.")
@json_option
@pass_session
def stop(session: Session, jobs: tuple[str, ...], wait: bool, as_json: bool) -> None:
    """Stop jobs: SIGTERM, time to save, then SIGKILL."""
    _each(session, jobs, "stop", as_json, {}, wait)


@click.command()
@job_argument(several=True)
@fresh_option
@json_option
@pass_session
def restart(session: Session, jobs: tuple[str, ...], fresh: bool, as_json: bool) -> None:
    """Stop jobs if they run, and start them again from their last checkpoint."""
    _each(session, jobs, "restart", as_json, {"fresh": True} if fresh else None)


@click.command()
@job_argument(several=True)
@json_option
@pass_session
def reset(session: Session, jobs: tuple[str, ...], as_json: bool) -> None:
    """Bring stuck jobs back to their beginning; what still runs of them is killed."""
    _each(session, jobs, "reset", as_json)


@click.command()
@job_argument()
@click.option("--name", metavar="NAME", help="The clone's name.")
@click.option("--start", "at_once", is_flag=True, help="Start it at once.")
@json_option
@pass_session
def clone(session: Session, job: str, name: str | None, at_once: bool, as_json: bool) -> None:
    """Make a new job from the file of another."""
    made = known_job(session, job, lambda: session.client.clone(job, name, at_once))
    announce(session.api("GET", f"jobs/{made.id}"), "Cloned", as_json)


@click.command()
@job_argument(several=True)
@click.option("-f", "--force", is_flag=True, help="Stop them first if they run.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def rm(session: Session, jobs: tuple[str, ...], force: bool, yes: bool) -> None:
    """Delete jobs with their logs."""
    if not yes and sys.stdin.isatty() and on_terminal():
        which = f"job {jobs[0]}" if len(jobs) == 1 else f"{len(jobs)} jobs"
        click.confirm(f"Delete {which} and the logs?", abort=True)

    def remove(job: str) -> None:
        if force:
            found = known_job(session, job, lambda: session.client.get(job))
            if found.active:
                session.client.stop(found.id)
                session.client.wait(found.id, timeout=120)
        known_job(session, job, lambda: session.client.delete(job))
        note(f"Deleted {job}.")

    for_all(jobs, remove)


def announce(job: Mapping[str, Any], done: str, as_json: bool) -> None:
    """Tell a person what became of a job; a script gets its id alone."""
    if as_json:
        print_json(job)
    elif on_terminal():
        cause = show.reason(job.get("waiting") or job.get("reason"))
        why = f": {cause}" if cause else ""
        show.echo(f"{done} {job['name']} ({job['id']}), now {job['state']}{why}")
    else:
        click.echo(job["id"])


def one_job(session: Session, job: str) -> dict[str, Any]:
    """A job as the server describes it; an unknown one with the nearest name there is."""
    found: dict[str, Any] = known_job(session, job, lambda: session.http.json("GET", f"jobs/{segment(job)}"))
    return found


def known_job(session: Session, job: str, act: Callable[[], T]) -> T:
    try:
        return act()
    except NotFound as error:
        if _exists(session, job):
            raise
        raise NotFound(f"there is no job '{job}'.{_nearest(session, job)}") from error


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
            note(f"danlu: {job}: {error}")
            failed = failed or error
    if failed is not None:
        from danlu.cli.failures import exit_code

        raise SystemExit(exit_code(failed))


def segment(text: str) -> str:
    from danlu.sdk.http import http

    return http.segment(text)


def _each(
    session: Session, jobs: tuple[str, ...], verb: str, as_json: bool, body: Any = None, wait: bool = False
) -> None:
    done = {"start": "Started", "stop": "Stopping", "restart": "Restarted", "reset": "Reset"}[verb]

    def act(job: str) -> None:
        path = f"jobs/{segment(job)}/{verb}"
        found = known_job(session, job, lambda: session.http.json("POST", path, None, body))
        if wait:
            session.client.wait(found["id"])
            found = one_job(session, found["id"])
        announce(found, "Stopped" if wait else done, as_json)

    for_all(jobs, act)


def _exists(session: Session, job: str) -> bool:
    """Whether what was not found is something of the job's, such as a task, and not the job."""
    try:
        session.http.json("GET", f"jobs/{segment(job)}")
    except DanluError:
        return False
    return True


def _nearest(session: Session, job: str) -> str:
    """A guess at what was meant; no guess is worth a second failure."""
    try:
        rows = session.http.json("GET", "jobs", {"owner": "me", "limit": 200})["items"]
    except DanluError:
        return ""
    names = [row["name"] for row in rows]
    likely = near(job, [*names, *(row["id"] for row in rows)])
    if likely:
        return f" Did you mean '{likely}'?"
    return " 'danlu ls' lists yours, 'danlu ls -A' everybody's."
