"""`danlu events`: the events of a job, of a node, or of everything."""

from __future__ import annotations

from typing import Iterator

import click

from danlu.cli.session import Answer, CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import JobNameParam, json_option, limit_option
from danlu.cli.words import speak
from danlu.sdk import models
from danlu.sdk.http.paths import segment


@click.command()
@click.argument("job", required=False, type=JobNameParam())
@click.option("-f", "--follow", is_flag=True, help="Keep printing new events.")
@click.option("--node", metavar="NAME", help="Print the events of this node instead.")
@limit_option(50, "With --node: at most this many of the latest; 0 is all.")
@json_option
@pass_session
def events(
    session: CliSession, job: str | None, follow: bool, node: str | None, limit: int, as_json: bool
) -> None:
    """Print the events of a job; without JOB, all new events as they happen."""
    if node is not None and (job is not None or follow):
        raise click.UsageError(
            speak(
                "--node cannot be combined with JOB or --follow.",
                "--node 不能与 JOB 或 --follow 同时使用。",
            )
        )
    found = _events(session, job, follow or job is None) if node is None else _on_node(session, node, limit)
    for event in found:
        if as_json:
            print_json(event.raw, indent=None)
        else:
            _print(event.told, with_job=job is None)


def _on_node(session: CliSession, node: str, limit: int) -> Iterator[Answer[models.Event]]:
    """Oldest first, as everything that is printed line by line."""
    latest_first = session.pages(models.Event, f"nodes/{segment(node)}/events", limit or None)
    return reversed(latest_first)


def _events(session: CliSession, job: str | None, follow: bool) -> Iterator[Answer[models.Event]]:
    from danlu.sdk.resources import logs

    job_id = one_job(session, job).told.id if job else None
    last = None
    if job_id:
        for raw in session.http.pages(f"jobs/{job_id}/events"):
            event = Answer(models.Event, raw)
            last = event.told.seq
            yield event
    if not follow:
        return
    # The stream resumes after the last event seen, so that none falls between the list and the stream.
    for raw in logs.stream_json(session.http, "events", last):
        event = Answer(models.Event, raw)
        if job_id in (None, event.told.job_id):
            yield event


def _print(event: models.Event, with_job: bool) -> None:
    actor = speak("  ({actor})", "（{actor}）", actor=event.actor) if event.actor else ""
    job = f"  {event.job_id}" if with_job and event.job_id else ""
    show.echo(f"{show.local(event.time)}{job}  {show.words(event.text) or event.kind}{actor}")
