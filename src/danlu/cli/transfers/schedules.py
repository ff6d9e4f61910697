"""`danlu transfer schedule`: transfers that are created again and again."""

from __future__ import annotations

from typing import Any

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import address, print_list, said, something, told
from danlu.cli.shared.crud import send as send_change
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.transfers.wishes import body_of, with_wish
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, one_line
from danlu.sdk import models

PATH = "transfers/schedules"
COLUMNS = ("ID", "CRON", "ZONE", "NEXT IN", "SOURCE", "TARGET", "LAST|transfer")
EMPTY = Words(
    "There are no schedules. Create one: danlu transfer schedule create SOURCE PLACE --cron '30 2 * * *'",
    "没有定时传输。可以这样创建：danlu transfer schedule create SOURCE PLACE --cron '30 2 * * *'",
)


@click.group(cls=HelpfulGroup)
def schedule() -> None:
    """Schedules: transfers that are created again at the times of a cron expression.

    What was missed while the server was away is caught up with once; there are never two at a time."""


@schedule.command("create")
@click.argument("source")
@click.argument("target", metavar="PLACE")
@click.option(
    "--cron", metavar="CRON", required=True, help="When: '30 2 * * *', or @hourly, @daily, @weekly."
)
@click.option("--zone", metavar="ZONE", default="UTC", show_default=True, help="The time zone of --cron.")
@with_wish
@json_option
@pass_session
def schedule_create(
    session: CliSession, /, source: str, target: str, cron: str, zone: str, as_json: bool, **wish: Any
) -> None:
    """Create a schedule that transfers SOURCE to a place in a volume again and again."""
    body = {"source": source, "target": target, "cron": cron, "zone": zone, **body_of(wish)}
    made = session.ask(models.TransferSchedule, "POST", PATH, body=body)
    if as_json:
        print_json(made.raw)
    else:
        note(told("Created", "schedule", made.told.id))


@schedule.command("ls")
@click.option("--owner", metavar="NAME", help="Only this person's; 'me' is yourself.")
@json_option
@pass_session
def schedule_ls(session: CliSession, owner: str | None, as_json: bool) -> None:
    """List schedules, and when they are due."""
    found = session.pages(models.TransferSchedule, PATH, None, {"owner": owner})
    print_list(found, as_json, spoken(EMPTY), COLUMNS, _row)


@schedule.command("show")
@click.argument("schedule_id", metavar="ID")
@json_option
@pass_session
def schedule_show(session: CliSession, schedule_id: str, as_json: bool) -> None:
    """Show a schedule, and when it is due."""
    found = session.ask(models.TransferSchedule, "GET", address(PATH, schedule_id))
    if as_json:
        print_json(found.raw)
    else:
        show.pairs(_facts(found.told))


@schedule.command("edit")
@click.argument("schedule_id", metavar="ID")
@click.option("--cron", metavar="CRON", help="When: '30 2 * * *', or @hourly, @daily, @weekly.")
@click.option("--zone", metavar="ZONE", help="The time zone of --cron.")
@click.option("--pause/--go-on", "paused", default=None, help="Whether nothing is due for now.")
@json_option
@pass_session
def schedule_edit(session: CliSession, /, schedule_id: str, as_json: bool, **options: Any) -> None:
    """Change when a schedule is due, or pause it."""
    changes = something(said(options), "--cron", "--zone", "--pause", "--go-on")
    send_change(
        session,
        "PATCH",
        address(PATH, schedule_id),
        changes,
        told("Changed", "schedule", schedule_id),
        as_json,
    )


@schedule.command("rm")
@click.argument("schedule_id", metavar="ID")
@yes_option
@pass_session
def schedule_rm(session: CliSession, schedule_id: str, yes: bool) -> None:
    """Delete a schedule; a transfer that it has created goes on."""
    surely(speak("Delete schedule {id}?", "删除定时传输 {id}？", id=schedule_id), yes)
    session.client.transfers.schedules.delete(schedule_id)
    note(told("Removed", "schedule", schedule_id))


def _row(one: models.TransferSchedule) -> Cells:
    due = speak("paused", "已暂停") if one.paused else show.until(one.due_at)
    return [
        one.id,
        one.cron,
        one.zone,
        due,
        one_line(one.source),
        one_line(one.target),
        show.local(one.last_at) or "-",
    ]


def _facts(one: models.TransferSchedule) -> Facts:
    skipped = speak("the last time was left out, as one was on its way", "上次因仍在传输而跳过")
    return [
        ("id", one.id),
        ("owner", one.owner),
        ("source", one_line(one.source)),
        ("target", one_line(one.target)),
        ("cron", f"{one.cron} ({one.zone})"),
        ("next in", speak("paused", "已暂停") if one.paused else show.until(one.due_at)),
        ("last", show.local(one.last_at)),
        ("last transfer", one.last_transfer or ""),
        ("note", skipped if one.last_skipped else ""),
    ]
