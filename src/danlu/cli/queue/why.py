"""`danlu why`: why a job waits or failed, and what to do about it."""

from __future__ import annotations

import click

from danlu.cli.queue import holders
from danlu.cli.queue.queue import lane_name, table
from danlu.cli.session import Answer, CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.terms import term
from danlu.cli.words import speak, spoken
from danlu.domain.words import NOTHING, Words, say
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
        said = speak("{name} is {state}. ", "{name} {state}。", name=told.title, state=term(told.state))
        show.echo(f"{said}{_unhindered(told)}".rstrip())
        return
    show.echo(
        speak(
            "{name} is {state}: {cause}",
            "{name} {state}：{cause}",
            name=told.title,
            state=term(told.state),
            cause=show.reason(cause),
        )
    )
    for part in (cause.meaning, cause.advice, wait.ask):
        sentence = show.words(part)
        if sentence:
            show.echo(sentence[:1].upper() + sentence[1:])
    _stand(wait)


def _unhindered(job: models.Job) -> str:
    """A sentence on a job that nothing blocks."""
    meanings = {
        "created": say(
            "It was never started. Start it with: danlu start {name}",
            "从未启动。启动：danlu start {name}",
            name=job.title,
        ),
        "queued": Words("Nothing blocks it: it starts in a moment.", "没有阻碍，即将启动。"),
        "running": Words("Nothing blocks it.", "一切正常。"),
        "completed": Words("It ended well.", "已正常结束。"),
    }
    return spoken(meanings.get(job.state, NOTHING))


def _stand(wait: models.Why) -> None:
    """Where it stands, who holds what it waits for, who is ahead of it, and what would start it now."""
    for place in wait.places:
        of = say(" of {all}", "，共 {all} 个", all=place["waiting"]) if place.get("waiting") else ""
        show.echo(
            speak(
                "It is number {position}{of} in the lane {lane}.",
                "在 {lane}队列中排第 {position} 位{of}。",
                position=place["position"],
                of=of,
                lane=lane_name(place["lane"]),
            )
        )
    if wait.holders:
        show.echo()
        holders.by_model(wait.holders, wait.models)
    for place in wait.places:
        rows = [one for one in wait.ahead if one.lane == place["lane"]][:AHEAD_SHOWN]
        if rows:
            show.echo()
            show.echo(
                speak(
                    "Ahead of it for {lane}:",
                    "{lane}队列中排在前面的任务：",
                    lane=lane_name(place["lane"]),
                ),
                bold=True,
            )
            table(rows)
            if place["position"] - 1 > len(rows):
                show.echo(
                    speak(
                        "… and {rows} more; 'danlu queue' shows all.",
                        "……另有 {rows} 个；danlu queue 显示全部。",
                        rows=place["position"] - 1 - len(rows),
                    )
                )
    if wait.helps:
        show.echo()
        show.echo(speak("What would start it now:", "以下修改可使其立即启动："), bold=True)
    for one in wait.helps:
        show.echo(f"  {show.words(one.text)}")
        if one.command:
            show.echo(f"    {one.command}")
