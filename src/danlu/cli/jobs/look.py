"""`danlu show`: one job and everything about it."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import click

from danlu.cli.jobs.inputs import input_table
from danlu.cli.jobs.outputs import tell_outputs
from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show as look
from danlu.cli.shared.jobs import one_job
from danlu.cli.shared.moments import span
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.words import speak
from danlu.domain.words import listed, say
from danlu.sdk import models
from danlu.sdk.http.paths import segment


@click.command()
@job_argument()
@json_option
@pass_session
def show(session: CliSession, job: str, as_json: bool) -> None:
    """Show everything about a job."""
    found = one_job(session, job)
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    look.pairs(_about(told))
    _explain(told)
    if told.inputs:
        look.echo()
        input_table(told.inputs)
    if told.tasks:
        look.echo()
        look.table(
            ["TASK", "STATE", "NODE", "GPU IDS", "EXIT", "RAN", "ISOLATION", "WHY"],
            [_task(one) for one in told.tasks],
        )
    again = next((one.name for one in told.tasks if one.tries), None)
    if again is not None:
        look.echo(look.earlier_tries(told.title, again))
    if len(told.attempts) > 1:
        look.echo()
        _tell_attempts(told.attempts)
    if told.spec.get("outputs"):
        look.echo()
        tell_outputs(told, session.listing(models.JobOutput, f"jobs/{segment(told.id)}/outputs").told)


def _about(job: models.Job) -> Facts:
    gpus = look.number(job.gpus)
    model = f" {job.gpu_model}" if job.gpu_model else ""
    command = job.spec.get("command")
    source = job.cloned_from
    return [
        ("id", job.id),
        ("name", job.title),
        ("run", str(job.run)),
        ("state", look.state(job.state)),
        ("kind", _kind(job)),
        ("owner", job.owner),
        ("project", job.project),
        ("description", job.description),
        ("command", command if isinstance(command, str) else quoted(command or [])),
        ("framework", _framework(job)),
        ("image", job.image),
        ("mounts", ", ".join(_mount(one) for one in job.spec.get("mounts") or ())),
        (
            "size",
            speak(
                "{gpus}{model} {cards}, {cpus} {cores}, {memory}",
                "{gpus} {cards}{model}、{cpus} {cores}、{memory} 内存",
                gpus=gpus,
                cards=look.cards(job.gpus),
                cores=look.cores(job.cpus),
                model=model,
                cpus=look.number(job.cpus),
                memory=look.size(job.memory),
            ),
        ),
        ("tasks", look.tasks(job.nodes)),
        ("priority", job.priority),
        ("pinned", look.local(job.pinned_at)),
        (
            "reserved",
            speak(
                "capacity is being freed on {nodes}",
                "正在 {nodes} 上腾出资源",
                nodes=listed(job.nominated),
            )
            if job.nominated
            else "",
        ),
        ("created", look.local(job.created_at)),
        ("cloned from", _beside(source["name"], source["id"]) if source else ""),
        ("queued at", look.local(job.queued_at)),
        ("started", look.local(job.started_at)),
        ("ended", look.local(job.ended_at)),
        ("ran", look.took(job.started_at, job.ended_at)),
        ("expected time", _against(job, "expected_time")),
        ("maximum time", _against(job, "max_time")),
        ("restarts", str(job.restarts or "")),
        ("checkpoint", _checkpoint(job.saved)),
        (
            "lost",
            speak("{time} of GPU time", "{time}的 GPU 时间", time=look.span(job.lost)) if job.lost else "",
        ),
        ("can", look.word_list(job.actions)),
    ]


def _mount(one: Mapping[str, Any]) -> str:
    """What is where: of a dataset, the version that every attempt gets."""
    what = next((str(one[key]) for key in ("volume", "dataset", "bucket") if one.get(key)), "")
    mode = f" ({one['mode']})" if one.get("mode") else ""
    return f"{what or speak('local disk', '本地盘')} → {one.get('path', '')}{mode}"


def _against(job: models.Job, key: str) -> str:
    """A time that the job's file sets, and how far along the job is; the latest attempt alone counts."""
    length = span(str(job.spec.get(key) or ""))
    if length is None:
        return ""
    whole, attempt = length.total_seconds(), job.attempts[-1] if job.attempts else None
    ran = look.seconds(attempt.started_at, attempt.ended_at) if attempt else None
    if ran is None:
        return look.span(whole)
    left = whole - ran
    if left < 0:
        far = say("exceeded by {over}", "已超出 {over}", over=look.span(-left))
    elif job.active:
        far = say(
            "{part} % passed, {left} left",
            "已过 {part}%，剩余 {left}",
            part=int(100 * ran / whole),
            left=look.span(left),
        )
    else:
        far = say("used {part} %", "用了 {part}%", part=int(100 * ran / whole))
    return speak("{whole} ({far})", "{whole}（{far}）", whole=look.span(whole), far=far)


def _kind(job: models.Job) -> str:
    """A kind that is its own class is told once."""
    kind, job_class = look.word(job.kind), look.word(job.job_class)
    return kind if job.kind == job.job_class else _beside(kind, job_class)


def _beside(first: str, second: str) -> str:
    return speak("{first} ({second})", "{first}（{second}）", first=first, second=second)


def _framework(job: models.Job) -> str:
    if job.framework in ("", "none"):
        return ""
    return _beside(job.framework, job.strategy) if job.strategy else job.framework


def quoted(command: list[str]) -> str:
    import shlex

    return " ".join(shlex.quote(word) for word in command)


def _explain(job: models.Job) -> None:
    cause = job.waiting or job.reason
    if cause is None:
        return
    look.echo()
    look.echo(look.reason(cause), bold=True)
    for part in (cause.meaning, cause.advice):
        sentence = look.words(part)
        if sentence:
            look.echo(sentence)


def _task(task: models.Task) -> Cells:
    parts = [look.reason(task.reason) or task.step, look.started_again(task.tries)]
    return [
        task.name,
        look.state(task.state),
        task.node or "",
        ",".join(str(one) for one in task.gpus),
        "" if task.exit_code is None else str(task.exit_code),
        look.took(task.started_at, task.ended_at),
        "+".join(map(look.word, task.isolation.split("+"))),
        speak("; ", "；").join(part for part in parts if part),
    ]


def _tell_attempts(attempts: Sequence[models.Attempt]) -> None:
    """A table of attempts, without FROM, SAVED and LOST where they are empty in every row."""
    columns = ["ATTEMPT", "STATE", "STARTED", "RAN", "FROM", "SAVED", "LOST", "WHY"]
    rows = [_attempt(one) for one in attempts]
    told = [
        at
        for at, name in enumerate(columns)
        if name not in ("FROM", "SAVED", "LOST") or any(row[at] for row in rows)
    ]
    look.table([columns[at] for at in told], [[row[at] for at in told] for row in rows])


def _attempt(attempt: models.Attempt) -> Cells:
    return [
        str(attempt.number),
        look.state(attempt.state),
        look.local(attempt.started_at),
        look.took(attempt.started_at, attempt.ended_at),
        _step(attempt.resumed),
        _step(attempt.saved),
        look.span(attempt.lost) if attempt.lost else "",
        look.words(attempt.story) or look.reason(attempt.reason),
    ]


def _step(saved: models.Saved | None) -> str:
    if saved is None:
        return ""
    if saved.step is None:
        return speak("a checkpoint", "检查点")
    return speak("step {step}", "第 {step} 步", step=f"{saved.step:,}")


def _checkpoint(saved: models.Saved | None) -> str:
    if saved is None:
        return ""
    how_far = say("step {step}, ", "第 {step} 步，", step=f"{saved.step:,}") if saved.step is not None else ""
    return speak(
        "{far}{ago} ago, {path}", "{far}{ago}前，{path}", far=how_far, ago=look.ago(saved.at), path=saved.path
    )
