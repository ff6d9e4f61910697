"""`danlu show`: one job and everything about it."""

from __future__ import annotations

from typing import Any, Mapping

import click

from danlu.cli.session import Session, pass_session, print_json
from danlu.cli.shared import show as look
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.options import job_argument, json_option


@click.command()
@job_argument()
@json_option
@pass_session
def show(session: Session, job: str, as_json: bool) -> None:
    """Show everything about a job."""
    found = one_job(session, job)
    if as_json:
        print_json(found)
        return
    look.pairs(_about(found))
    _explain(found)
    tasks = found.get("tasks") or []
    if tasks:
        click.echo()
        look.table(
            ["TASK", "STATE", "NODE", "GPUS", "EXIT", "RAN", "ISOLATION", "WHY"],
            [_task(one) for one in tasks],
        )
    again = next((one["name"] for one in tasks if one.get("tries")), None)
    if again is not None:
        click.echo(look.earlier_tries(found["name"], again))
    attempts = found.get("attempts") or []
    if len(attempts) > 1:
        click.echo()
        _tell_attempts(attempts)


def _about(job: Mapping[str, Any]) -> list[tuple[str, str | look.Cell]]:
    gpus = look.number(job.get("gpus"))
    model = f" {job['gpu_model']}" if job.get("gpu_model") else ""
    spec = job.get("spec") or {}
    command = spec.get("command")
    source = job.get("cloned_from")
    return [
        ("id", job["id"]),
        ("name", job["name"]),
        ("state", look.state(job["state"])),
        ("kind", f"{job.get('kind', '')} ({job.get('class', '')})"),
        ("owner", job.get("owner", "")),
        ("project", job.get("project", "")),
        ("description", job.get("description") or ""),
        ("command", command if isinstance(command, str) else quoted(command or [])),
        ("framework", _framework(job)),
        ("image", job.get("image") or ""),
        ("size", f"{gpus}{model} GPUs, {look.number(job.get('cpus'))} CPUs, {look.size(job.get('memory'))}"),
        ("tasks", look.tasks(job.get("nodes"))),
        ("priority", job.get("priority") or ""),
        ("pinned", look.local(job.get("pinned_at"))),
        ("room", f"is being made on {', '.join(job['nominated'])}" if job.get("nominated") else ""),
        ("created", look.local(job.get("created_at"))),
        ("cloned from", f"{source['name']} ({source['id']})" if source else ""),
        ("queued", look.local(job.get("queued_at"))),
        ("started", look.local(job.get("started_at"))),
        ("ended", look.local(job.get("ended_at"))),
        ("ran", look.took(job.get("started_at"), job.get("ended_at"))),
        ("restarts", str(job.get("restarts") or "")),
        ("checkpoint", _checkpoint(job.get("saved"))),
        ("lost", f"{look.span(job['lost'])} of GPU time" if job.get("lost") else ""),
        ("can", ", ".join(job.get("actions") or [])),
    ]


def _framework(job: Mapping[str, Any]) -> str:
    if job.get("framework") in (None, "", "none"):
        return ""
    return f"{job['framework']} ({job['strategy']})" if job.get("strategy") else str(job["framework"])


def quoted(command: list[str]) -> str:
    import shlex

    return " ".join(shlex.quote(word) for word in command)


def _explain(job: Mapping[str, Any]) -> None:
    cause = job.get("waiting") or job.get("reason")
    if not cause:
        return
    click.echo()
    look.echo(look.reason(cause), bold=True)
    for part in ("meaning", "advice"):
        sentence = look.words(cause.get(part))
        if sentence:
            click.echo(sentence)


def _task(task: Mapping[str, Any]) -> list[str | look.Cell]:
    code = task.get("exit_code")
    parts = [look.reason(task.get("reason")) or task.get("step"), look.started_again(task.get("tries") or 0)]
    return [
        task["name"],
        look.state(task.get("state", "")),
        task.get("node") or "",
        ",".join(str(one) for one in task.get("gpus") or []),
        "" if code is None else str(code),
        look.took(task.get("started_at"), task.get("ended_at")),
        task.get("isolation") or "",
        "; ".join(part for part in parts if part),
    ]


def _tell_attempts(attempts: list[Mapping[str, Any]]) -> None:
    """What they went on from and what they lost is told where there is anything to tell."""
    columns = ["ATTEMPT", "STATE", "STARTED", "RAN", "FROM", "SAVED", "LOST", "WHY"]
    rows = [_attempt(one) for one in attempts]
    told = [
        at
        for at, name in enumerate(columns)
        if name not in ("FROM", "SAVED", "LOST") or any(row[at] for row in rows)
    ]
    look.table([columns[at] for at in told], [[row[at] for at in told] for row in rows])


def _attempt(attempt: Mapping[str, Any]) -> list[str | look.Cell]:
    return [
        str(attempt["number"]),
        look.state(attempt.get("state") or ""),
        look.local(attempt.get("started_at")),
        look.took(attempt.get("started_at"), attempt.get("ended_at")),
        _step(attempt.get("resumed")),
        _step(attempt.get("saved")),
        look.span(attempt["lost"]) if attempt.get("lost") else "",
        look.words(attempt.get("story")) or look.reason(attempt.get("reason")),
    ]


def _step(saved: Mapping[str, Any] | None) -> str:
    if not saved:
        return ""
    return "a checkpoint" if saved.get("step") is None else f"step {saved['step']:,}"


def _checkpoint(saved: Mapping[str, Any] | None) -> str:
    if not saved:
        return ""
    how_far = f"step {saved['step']:,}, " if saved.get("step") is not None else ""
    return f"{how_far}{look.ago(saved.get('at'))} ago, {saved['path']}"
