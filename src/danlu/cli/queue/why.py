"""`danlu why`: why a job waits or failed, and what to do about it."""

from __future__ import annotations

import click

from danlu.cli.queue import holders
from danlu.cli.queue.queue import lane_name, table
from danlu.cli.session import Answer, CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.sdk import models
from danlu.sdk.http.errors import NotFound, WrongState
from danlu.sdk.http.paths import segment

AHEAD_SHOWN = 10


@click.command()
@job_argument()
@json_option
@pass_session
def why(session: CliSession, job: str, as_json: bool) -> None:
    """Explain why a job waits, failed or stopped, and what to do."""
    found = one_job(session, job)
    answer: Answer[models.Why] = Answer(models.Why, {})
    try:
        answer = session.ask(models.Why, "GET", f"jobs/{segment(found.told.id)}/why")
        if answer.told.state not in ("", found.told.state):  # it has moved on meanwhile
            found = one_job(session, found.told.id)
    except WrongState:  # an older server, on a job that does not wait any more
        found = one_job(session, found.told.id) if found.told.state == "queued" else found
    except NotFound:  # one that cannot say more than the job itself
        pass
    if as_json:
        print_json(answer.raw or {"reason": found.raw.get("waiting") or found.raw.get("reason")})
        return
    told, wait = found.told, answer.told
    cause = wait.reason or told.waiting or told.reason
    if cause is None:
        show.echo(f"{told.name} is {told.state}. {_unhindered(told)}".rstrip())
        return
    show.echo(f"{told.name} is {told.state}: {show.reason(cause)}")
    for part in (cause.meaning, cause.advice):
        sentence = show.words(part)
        if sentence:
            show.echo(sentence)
    _stand(wait)


def _unhindered(job: models.Job) -> str:
    """A sentence on a job that nothing blocks."""
    meanings = {
        "created": f"It was never started. Start it with: danlu start {job.name}",
        "queued": "Nothing blocks it: it starts in a moment.",
        "running": "Nothing blocks it.",
        "completed": "Every task ended with exit code 0.",
    }
    return meanings.get(job.state, "")


def _stand(wait: models.Why) -> None:
    """Where it stands, who holds what it waits for, who is ahead of it, and what would start it now."""
    for place in wait.places:
        of = f" of {place['waiting']}" if place.get("waiting") else ""
        show.echo(f"It is number {place['position']}{of} in the lane {lane_name(place['lane'])}.")
    if wait.holders:
        show.echo()
        holders.by_model(wait.holders, wait.models)
    for place in wait.places:
        rows = [one for one in wait.ahead if one.lane == place["lane"]][:AHEAD_SHOWN]
        if rows:
            show.echo()
            show.echo(f"Ahead of it for {lane_name(place['lane'])}:", bold=True)
            table(rows)
            if place["position"] - 1 > len(rows):
                show.echo(f"… and {place['position'] - 1 - len(rows)} more; 'danlu queue' shows all.")
    if wait.helps:
        show.echo()
        show.echo("What would start it now:", bold=True)
    for one in wait.helps:
        show.echo(f"  {show.words(one.text)}")
        if one.command:
            show.echo(f"    {one.command}")
