"""`danlu why`: what holds a job up, and what to do about it."""

from __future__ import annotations

from typing import Any, Mapping

import click

from danlu.cli.queue.queue import lane_name, table
from danlu.cli.session import Session, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.sdk.http.errors import NotFound, WrongState
from danlu.sdk.http.paths import segment

AHEAD_SHOWN = 10


@click.command()
@job_argument()
@json_option
@pass_session
def why(session: Session, job: str, as_json: bool) -> None:
    """Say why a job waits, failed or stopped, and what to do."""
    found = one_job(session, job)
    wait: Mapping[str, Any] = {}
    if found["state"] == "queued":
        try:
            wait = session.api("GET", f"jobs/{segment(found['id'])}/why")
        except WrongState:  # it started meanwhile
            found = one_job(session, found["id"])
        except NotFound:  # a server that cannot say more than the job itself
            pass
    cause = wait.get("reason") or found.get("waiting") or found.get("reason")
    if as_json:
        print_json(wait or {"reason": cause})
        return
    state = found["state"]
    if cause is None:
        meanings = {
            "created": f"It was never started. Start it with: danlu start {found['name']}",
            "queued": "Nothing holds it up: it starts in a moment.",
            "running": "Nothing holds it up.",
            "completed": "Every task ended with exit code 0.",
        }
        click.echo(f"{found['name']} is {state}. {meanings.get(state, '')}".rstrip())
        return
    click.echo(f"{found['name']} is {state}: {show.reason(cause)}")
    for part in ("meaning", "advice"):
        sentence = show.words(cause.get(part))
        if sentence:
            click.echo(sentence)
    _stand(wait)


def _stand(wait: Mapping[str, Any]) -> None:
    """Where it stands, who is ahead of it, and what would start it now."""
    for place in wait.get("places") or ():
        click.echo(f"It is number {place['position']} in the lane of {lane_name(place['lane'])}.")
    ahead = list(wait.get("ahead") or ())
    for place in wait.get("places") or ():
        rows = [one for one in ahead if one["lane"] == place["lane"]][:AHEAD_SHOWN]
        if rows:
            click.echo()
            show.echo(f"Ahead of it for {lane_name(place['lane'])}:", bold=True)
            table(rows)
            if place["position"] - 1 > len(rows):
                click.echo(f"… and {place['position'] - 1 - len(rows)} more; 'danlu queue' shows all.")
    helps = wait.get("helps") or ()
    if helps:
        click.echo()
        show.echo("What would start it now:", bold=True)
    for one in helps:
        click.echo(f"  {show.words(one.get('text'))}")
