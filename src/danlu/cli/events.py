"""`danlu events`: what happened."""

from __future__ import annotations

import json
from typing import Any, Iterator, Mapping

import click

from danlu.cli import show
from danlu.cli.jobs import one_job
from danlu.cli.options import JobName, json_option
from danlu.cli.session import Session, pass_session


@click.command()
@click.argument("job", required=False, type=JobName())
@click.option("-f", "--follow", is_flag=True, help="Go on with what happens from now on.")
@json_option
@pass_session
def events(session: Session, job: str | None, follow: bool, as_json: bool) -> None:
    """Print what happened to a job; without JOB, everything that happens from now on."""
    for event in _events(session, job, follow or job is None):
        if as_json:
            click.echo(json.dumps(event, ensure_ascii=False))
        else:
            _print(event, with_job=job is None)


def _events(session: Session, job: str | None, follow: bool) -> Iterator[Mapping[str, Any]]:
    from danlu.sdk import logs

    job_id = one_job(session, job)["id"] if job else None
    last = None
    if job_id:
        for event in session.client.pages(f"jobs/{job_id}/events", None, {}):
            last = event["seq"]
            yield event
    if not follow:
        return
    # The stream resumes after the last event seen, so that none falls between the list and the stream.
    for event in logs.stream_json(session.client.http, "events", last):
        if job_id in (None, event.get("job_id")):
            yield event


def _print(event: Mapping[str, Any], with_job: bool) -> None:
    actor = f"  ({event['actor']})" if event.get("actor") else ""
    job = f"  {event['job_id']}" if with_job and event.get("job_id") else ""
    click.echo(f"{show.local(event['time'])}{job}  {show.words(event.get('text')) or event['kind']}{actor}")
