"""`danlu queue`, `pin`, `unpin` and `order`: the order of the queue, and how to change it."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Mapping, Sequence

import click

from danlu.cli.queue import holders
from danlu.cli.queue.everybodys import everybodys
from danlu.cli.session import Answer, CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import for_all, known_job
from danlu.cli.shared.options import (
    JOB_STATES,
    JobNameParam,
    WordParam,
    job_argument,
    json_option,
    limit_option,
)
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import CLASSES
from danlu.cli.terms import term
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, listed, say
from danlu.sdk import models
from danlu.sdk.http.paths import segment

COLUMNS = ("#", "OWNER", "NAME", "SIZE", "TASKS", "PRIORITY", "PROJECT", "WAITS", "WHY")
RIGHT = ("#", "TASKS")

_SIDES = {"before": Words("before", "之前"), "after": Words("after", "之后")}


@click.command()
@click.option("--lane", metavar="MODEL", help="Only this GPU model; cpu is without GPUs.")
@click.option("--class", "job_class", type=WordParam(CLASSES), help="Only this class.")
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--mine", is_flag=True, help="Only your own, each at its true position.")
@click.option("-A", "--all", "all_jobs", is_flag=True, help="Everybody's jobs in every state, newest first.")
@click.option(
    "-s",
    "--state",
    "states",
    multiple=True,
    type=WordParam(JOB_STATES),
    help="With --all, only these states.",
)
@limit_option(200)
@json_option
@pass_session
def queue(
    session: CliSession,
    lane: str | None,
    job_class: str | None,
    project: str | None,
    mine: bool,
    all_jobs: bool,
    states: tuple[str, ...],
    limit: int,
    as_json: bool,
) -> None:
    """Show who holds the GPUs and until when, then the waiting jobs, lane by lane, in the order they will be served.

    With --all, everybody's jobs in every state; of others' only owner, kind, size and times."""
    _check_together(all_jobs, states, {"--lane": lane, "--class": job_class})
    if all_jobs:
        filters = {"state": states, "project": project, "owner": "me" if mine else None}
        everybodys(session, filters, limit or None, as_json=as_json)
        return
    asked = {"lane": lane, "class": job_class, "project": project, "owner": "me" if mine else None}
    query = {key: value for key, value in asked.items() if value}
    items, last, more = _fetch(session, query, limit or None)
    lanes = [Answer(models.Lane, one) for one in last["lanes"]]
    held = None if mine else holders.fetch(session, lane)
    if as_json:
        shown = {key: last[key] for key in ("lanes", "classes")}
        told = {"items": [one.raw for one in items], **shown}
        print_json({**told, **({"holders": held.raw["items"], "models": held.raw["models"]} if held else {})})
        return
    if held and holders.table(held) and items:
        click.echo()
    if not items:
        whose = (
            Words("None of your jobs is waiting", "你在此没有队列中的任务")
            if mine
            else Words("No jobs are waiting", "此处没有队列中的任务")
        )
        note(
            speak(
                "{whose} there; 'danlu queue' shows the whole queue.",
                "{whose}；danlu queue 显示整个队列。",
                whose=whose,
            )
            if query and lanes
            else speak(
                "The queue is empty. 'danlu ls -A --active' shows running jobs; submit one with: danlu submit FILE",
                "队列为空。danlu ls -A --active 显示运行中的任务；提交任务：danlu submit FILE",
            )
        )
        return
    counts = {(one.told.gpu_model, one.told.job_class): one.told for one in lanes}
    for number, (key, rows) in enumerate(groupby((one.told for one in items), _lane)):
        if number:
            click.echo()
        show.echo(_heading(key, counts.get(key)), bold=True)
        table(list(rows))
    if more:
        note(
            speak(
                "The first {items} are shown; --limit 0 shows all.",
                "已显示前 {items} 个；--limit 0 显示全部。",
                items=len(items),
            )
        )
    if len(lanes) > 1:
        for one in (Answer(models.ClassBacklog, each).told for each in last["classes"]):
            note(
                speak(
                    "{job_class}, all lanes: {waiting} waiting, {work}.",
                    "{job_class}队列合计：{waiting} 个队列中，{work}。",
                    job_class=term(one.job_class),
                    waiting=one.waiting,
                    work=_work(one),
                )
            )


def _check_together(all_jobs: bool, states: tuple[str, ...], lanes: Mapping[str, str | None]) -> None:
    given = next((option for option, value in lanes.items() if value), None)
    if all_jobs and given:
        raise click.UsageError(
            speak(
                "{option} is of the queue, and --all lists jobs in every state; give one of them.",
                "{option} 用于队列，--all 列出各状态的任务，二者只能用一个。",
                option=given,
            )
        )
    if states and not all_jobs:
        raise click.UsageError(
            speak(
                "--state needs --all: the queue is of waiting jobs.",
                "--state 需与 --all 同用：队列中都是等待的任务。",
            )
        )


@click.command()
@job_argument(several=True)
@pass_session
def pin(session: CliSession, jobs: tuple[str, ...]) -> None:
    """Pin jobs to the front of their lanes (administrators); the latest pin is first."""

    def tell(job: str) -> None:
        found = known_job(session, job, lambda: session.client.pin(job))
        note(
            speak(
                "Pinned {name}: it is first in its lanes.",
                "已置顶 {name}：现在排在队列首位。",
                name=found.title,
            )
        )

    for_all(jobs, tell)


@click.command()
@job_argument(several=True)
@pass_session
def unpin(session: CliSession, jobs: tuple[str, ...]) -> None:
    """Return pinned jobs to their normal place (administrators)."""

    def tell(job: str) -> None:
        found = known_job(session, job, lambda: session.client.unpin(job))
        note(speak("Unpinned {name}.", "已取消置顶 {name}。", name=found.title))

    for_all(jobs, tell)


@click.command()
@job_argument()
@click.option("--before", metavar="OTHER", type=JobNameParam(), help="Move it before this job.")
@click.option("--after", metavar="OTHER", type=JobNameParam(), help="Move it after this job.")
@json_option
@pass_session
def order(session: CliSession, job: str, before: str | None, after: str | None, as_json: bool) -> None:
    """Move one of your queued jobs right before or after another of yours; other people's jobs are not affected."""
    if (before is None) == (after is None):
        raise click.UsageError(
            speak("Give --before OTHER or --after OTHER.", "请给出 --before OTHER 或 --after OTHER。")
        )
    side, other = ("before", before) if after is None else ("after", after)
    path, body = f"jobs/{segment(job)}/order", {side: other}
    found = known_job(session, job, lambda: session.listing(models.JobRow, path, method="POST", body=body))
    if as_json:
        print_json(found.raw)
        return
    moved = [row.title for row in found.told]
    if moved:
        note(
            speak(
                "{job} is now right {side} {other}. These jobs changed places: {moved}.",
                "{job} 现在紧接在 {other} {side}。以下任务的顺序有变化：{moved}。",
                job=job,
                side=_SIDES[side],
                other=other,
                moved=listed(moved),
            )
        )
    else:
        note(
            speak(
                "{job} is already right {side} {other}.",
                "{job} 已经紧接在 {other} {side}。",
                job=job,
                side=_SIDES[side],
                other=other,
            )
        )


def table(items: Sequence[models.QueueItem]) -> None:
    """Places in one lane, one a line."""
    show.table(COLUMNS, [_row(one) for one in items], RIGHT)


def lane_name(lane: Mapping[str, str]) -> str:
    """`A100, distributed`; jobs without GPUs have their own lane."""
    none, whichever = speak("no GPU", "无 GPU"), speak("any GPU", "任意 GPU")
    model = none if lane["gpu_model"] == "cpu" else lane["gpu_model"] or whichever
    return speak("{model}, {within}", "{model} {within}", model=model, within=term(lane["class"]))


def _fetch(
    session: CliSession, query: Mapping[str, object], limit: int | None
) -> tuple[list[Answer[models.QueueItem]], Mapping[str, Any], bool]:
    """Places as they came, page after page; the last page, with lanes and classes; and whether there are more
    places."""
    items: list[Answer[models.QueueItem]] = []
    cursor: str | None = None
    while True:
        size = 500 if limit is None else min(500, limit - len(items))
        page = session.listing(models.QueueItem, "queue", {**query, "limit": size, "cursor": cursor})
        items += page.items
        cursor = page.next_cursor
        if not cursor or not page.items or (limit is not None and len(items) >= limit):
            return items, page.raw, bool(cursor)


def _lane(item: models.QueueItem) -> tuple[str, str]:
    return (item.lane["gpu_model"], item.lane["class"])


def _heading(key: tuple[str, str], count: models.Lane | None) -> str:
    name = lane_name({"gpu_model": key[0], "class": key[1]})
    if count is None:
        return name
    return speak(
        "{name}: {waiting} waiting, {work}",
        "{name}队列：{waiting} 个队列中，{work}",
        name=name,
        waiting=count.waiting,
        work=_work(count),
    )


def _work(one: models.Lane | models.ClassBacklog) -> str:
    """`2h 10m of work (17.3 GPU-hours)`; a lower bound if a job tells no time."""
    without = one.without_estimate
    if without == one.waiting:
        return speak("work unknown: no job tells how long it takes", "工作量未知：没有任务填写预计运行时间")
    hours = show.number(round(one.gpu_hours, 1))
    return speak(
        "{least}{work} of work{gpus}{told}",
        "工作量{least} {work}{gpus}{told}",
        least=Words("at least ", "至少") if without else "",
        work=show.span(one.work_seconds),
        gpus=say(" ({hours} GPU-hours)", "（{hours} 卡时）", hours=hours) if one.gpu_hours else "",
        told=say("; {without} without an estimate", "；{without} 个没有填写预计运行时间", without=without)
        if without
        else "",
    )


def _size(one: models.QueueItem) -> str:
    if not one.gpus:
        return f"{show.number(one.cpus)} {spoken(show.cores(one.cpus))}"
    model = one.gpu_model or spoken(show.cards(one.gpus))
    return f"{show.number(one.gpus)} {model}"


def _row(one: models.QueueItem) -> Cells:
    pinned = speak(" (pinned)", "（置顶）") if one.pinned_at else ""
    return [
        str(one.position),
        show.Cell(one.owner, "cyan" if one.mine else None),
        one.name or "–",
        _size(one),
        show.tasks(one.nodes),
        f"{one.priority}{pinned}",
        one.project,
        show.ago(one.queued_at or one.created_at),
        show.reason(one.reason),
    ]
