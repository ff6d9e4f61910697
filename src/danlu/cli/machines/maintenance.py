"""`danlu maintenance`: times during which nodes take no jobs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Callable, TypeVar

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.machines.upkeep import preview_option, print_leaving
from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import confirm, must_ask, yes_option
from danlu.cli.shared.crud import Crud, address, renamed, said, send, something, told
from danlu.cli.shared.moments import MomentParam, SpanParam, sent
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import WordsParam, words
from danlu.cli.words import speak
from danlu.domain.words import Words
from danlu.sdk import models

F = TypeVar("F", bound=Callable[..., object])
PATH = "maintenance"
COLUMNS = ("NAME", "STATE", "START", "END", "NODES", "POOL", "DESCRIPTION")


@click.group(cls=HelpfulGroup)
def maintenance() -> None:
    """Maintenance: times during which nodes take no jobs; the scheduler plans around them."""


def _options(command: F) -> F:
    for option in reversed(
        (
            click.option("--end", type=MomentParam(), help="When it ends."),
            click.option("--for", "length", type=SpanParam(), help="How long it takes, such as 4h."),
            click.option("--nodes", type=WordsParam(), metavar="NODE,…", help="The nodes to maintain."),
            click.option("--pool", metavar="POOL", help="Maintain all nodes of this pool."),
            click.option("--description", metavar="TEXT", help="What it is for."),
        )
    ):
        command = option(command)
    return command


@maintenance.command("create")
@click.argument("name")
@click.option(
    "--start", type=MomentParam(), required=True, help="When it begins: 22:00, 2026-01-31 22:00, now, +2h."
)
@_options
@preview_option
@yes_option
@json_option
@pass_session
def maintenance_create(
    session: CliSession,
    /,
    name: str,
    start: datetime,
    preview: bool,
    yes: bool,
    as_json: bool,
    end: datetime | None,
    length: timedelta | None,
    **options: object,
) -> None:
    """Plan maintenance of nodes, a pool, or both."""
    times = _times(start, end, length)
    if "end" not in times:
        raise click.UsageError(speak("give its end: --end or --for.", "请用 --end 或 --for 说明何时结束。"))
    body = {**times, **said(options)}
    question = speak(
        "Plan maintenance {name}? Jobs that still run there when it begins are evicted.",
        "安排维护 {name}？开始时仍在运行的任务会被驱逐。",
        name=name,
    )
    if preview or must_ask(question, yes):
        asked = {key: value for key, value in body.items() if key != "description"}
        found = session.ask(models.NodesDrained, "POST", f"{PATH}/preview", body=asked, harmless=True)
        if preview and as_json:
            print_json(found.raw)
            return
        print_leaving(found.told)
        if preview:
            return
        confirm(question)
    send(
        session,
        "POST",
        PATH,
        {"name": name, **body},
        speak("Planned maintenance {name}.", "已安排维护 {name}。", name=name),
        as_json,
    )


@maintenance.command("edit")
@click.argument("name")
@click.option("--start", type=MomentParam(), help="When it begins.")
@_options
@click.option("--no-pool", is_flag=True, help="Maintain no pool.")
@json_option
@pass_session
def maintenance_edit(
    session: CliSession,
    /,
    name: str,
    start: datetime | None,
    no_pool: bool,
    as_json: bool,
    end: datetime | None,
    length: timedelta | None,
    **options: object,
) -> None:
    """Change a maintenance, even one in progress."""
    if length is not None and start is None:
        begins = show.moment(session.client.machines.maintenance.get(name).start)
        end = None if begins is None else begins + length
    changes = {**_times(start, end, length), **said(options, ["pool"] if no_pool else [])}
    known = ("--start", "--end", "--for", "--nodes", "--pool", "--no-pool", "--description")
    sentence = told("Changed", "maintenance", name)
    send(session, "PATCH", address(PATH, name), something(changes, *known), sentence, as_json)


def _times(start: datetime | None, end: datetime | None, length: timedelta | None) -> dict[str, str]:
    if start is not None and length is not None:
        if end is not None:
            raise click.UsageError(
                speak(
                    "give --end or --for, not both.",
                    "请给出 --end 或 --for，不能同时给出。",
                )
            )
        end = start + length
    return {key: sent(time) for key, time in (("start", start), ("end", end)) if time is not None}


def _row(one: models.Maintenance) -> Cells:
    return [
        one.name,
        show.word(one.state),
        show.local(one.start)[:16],
        show.local(one.end)[:16],
        words(one.nodes, "-"),
        one.pool or "-",
        one.description,
    ]


windows = Crud(maintenance, "maintenance", PATH, lambda: models.Maintenance)
windows.ls(
    "List maintenance.",
    COLUMNS,
    _row,
    Words(
        "No maintenance is planned. Plan one with: "
        "danlu maintenance create NAME --start 22:00 --for 4h --nodes NODE,…",
        "没有安排维护。可以这样安排：danlu maintenance create NAME --start 22:00 --for 4h --nodes NODE,…",
    ),
)
windows.show("Show a maintenance.", lambda one: [*zip(map(str.lower, COLUMNS), _row(one))])
windows.rm(
    "Cancel or end a maintenance; its nodes take jobs again at once.",
    Words("Its nodes take jobs again at once.", "其节点会立即重新接收任务。"),
)
renamed(maintenance, add="create", set="edit")
