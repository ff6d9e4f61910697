"""Commands for existing jobs: start, stop, restart, reset, clone, rm."""

from __future__ import annotations

import click

from danlu.cli.session import CliSession, note, pass_session
from danlu.cli.shared import asking
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.jobs import announce, for_all, known_job, one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.words import speak
from danlu.sdk import models
from danlu.sdk.http.paths import segment

fresh_option = click.option(
    "--fresh", is_flag=True, help="Start from the beginning, not from the last checkpoint."
)


@click.command()
@job_argument(several=True)
@fresh_option
@json_option
@pass_session
def start(session: CliSession, jobs: tuple[str, ...], fresh: bool, as_json: bool) -> None:
    """Queue jobs, others' in their owner's name (administrators); they continue from their last checkpoint."""
    _each(session, jobs, "start", as_json, {"fresh": True} if fresh else None)


@click.command()
@job_argument(several=True)
@click.option("--wait", is_flag=True, help="Wait until they have stopped.")
@json_option
@pass_session
def stop(session: CliSession, jobs: tuple[str, ...], wait: bool, as_json: bool) -> None:
    """Stop jobs: SIGTERM, time to save, then SIGKILL."""
    _each(session, jobs, "stop", as_json, {}, wait)


@click.command()
@job_argument(several=True)
@fresh_option
@json_option
@pass_session
def restart(session: CliSession, jobs: tuple[str, ...], fresh: bool, as_json: bool) -> None:
    """Stop jobs if they are running, and start them again from their last checkpoint."""
    _each(session, jobs, "restart", as_json, {"fresh": True} if fresh else None)


@click.command()
@job_argument(several=True)
@json_option
@pass_session
def reset(session: CliSession, jobs: tuple[str, ...], as_json: bool) -> None:
    """Reset stuck or failed jobs to created; processes that still run are killed."""
    _each(session, jobs, "reset", as_json)


@click.command()
@job_argument()
@click.option("--name", metavar="NAME", help="The clone's name.")
@click.option("--start", "at_once", is_flag=True, help="Start it at once.")
@json_option
@pass_session
def clone(session: CliSession, job: str, name: str | None, at_once: bool, as_json: bool) -> None:
    """Create a new job from another job's file."""
    source = one_job(session, job).told
    made = known_job(session, source.id, lambda: session.client.clone(source.id, name, at_once))
    announce(one_job(session, made.id), "Cloned", as_json)


@click.command()
@job_argument(several=True)
@click.option("-f", "--force", is_flag=True, help="Stop them first if they are running.")
@yes_option
@pass_session
def rm(session: CliSession, jobs: tuple[str, ...], force: bool, yes: bool) -> None:
    """Delete jobs with their logs and result files."""
    title = jobs[0]
    if len(jobs) == 1 and not yes and asking.can_ask():
        only = one_job(session, title).told
        # What is asked about is deleted, also if its name gets a further run meanwhile.
        jobs, title = (only.id,), only.title
    surely(
        speak(
            "Delete job {job} with its logs and result files?",
            "删除任务 {job} 及其日志和结果文件？",
            job=title,
        )
        if len(jobs) == 1
        else speak(
            "Delete {count} jobs with their logs and result files?",
            "删除 {count} 个任务及其日志和结果文件？",
            count=len(jobs),
        ),
        yes,
    )

    def remove(job: str) -> None:
        found = one_job(session, job).told
        if force and found.active:
            session.client.stop(found.id)
            session.client.wait(found.id, timeout=120)
        known_job(session, found.id, lambda: session.client.delete(found.id))
        note(speak("Deleted {job}.", "已删除 {job}。", job=found.title))

    for_all(jobs, remove)


def _each(
    session: CliSession,
    jobs: tuple[str, ...],
    verb: str,
    as_json: bool,
    body: object = None,
    wait: bool = False,
) -> None:
    done = {"start": "Started", "stop": "Stopping", "restart": "Restarted", "reset": "Reset"}[verb]

    def act(job: str) -> None:
        path = f"jobs/{segment(job)}/{verb}"
        found = known_job(session, job, lambda: session.ask(models.Job, "POST", path, body=body))
        if wait:
            session.client.wait(found.told.id)
            found = one_job(session, found.told.id)
        announce(found, "Stopped" if wait else done, as_json)

    for_all(jobs, act)
