"""`danlu sim`: what the scheduler would decide for a cluster that is described in a file."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Iterable

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import note, print_json
from danlu.cli.shared import show
from danlu.cli.shared.files import FileRefused, a_folder, no_file, parse, print_mistake, unreadable
from danlu.cli.system.parts import SCHEDULER, importing
from danlu.cli.words import speak, spoken
from danlu.domain.words import NOTHING, Words
from danlu.sdk.code import jobfile

if TYPE_CHECKING:
    from danlu.domain.errors import FieldError
    from danlu.simulator.plan import PrintedEviction, PrintedPlan, PrintedStart, PrintedTask

_BEGINS = Words(
    "begin with nodes, for example 'nodes: [{name: n1, gpus: 8, gpu: A100}]'",
    "请以 nodes 开头，例如 'nodes: [{name: n1, gpus: 8, gpu: A100}]'",
)
STATE = jobfile.FileKind(Words("state file", "状态文件"), _BEGINS, _BEGINS)
MAX_ROUNDS = 1000
MAX_BYTES = 512 * 1024 * 1024


@click.group(cls=HelpfulGroup)
def sim() -> None:
    """Try the scheduler on a state file; needs no server."""


@sim.command()
@click.argument("state", metavar="STATE")
@click.option(
    "--rounds",
    type=click.IntRange(1, MAX_ROUNDS),
    default=1,
    metavar="N",
    help="Apply the plan and decide again, N plans in total; one is usually enough.",
)
@click.option("--table", "as_table", is_flag=True, help="Print tables instead of JSON.")
def decide(state: str, rounds: int, as_table: bool) -> None:
    """Print the plan for STATE: which jobs start where, which are evicted, and why the others wait.

    STATE is a JSON or YAML file ('-' is standard input) with nodes, rules, running and pending jobs;
    'danlu schema state' prints its schema.
    """
    raw, name = _read(state)
    with importing(SCHEDULER):
        from danlu.domain.errors import Invalid
        from danlu.simulator.decide import as_json, plans

    data = _parsed(raw, name)
    try:
        found = plans(data, rounds)
    except Invalid as error:
        raise _refuse(raw, name, error.errors) from None
    if not as_table:
        print_json(as_json(found))
        return
    for number, one in enumerate(found, 1):
        if len(found) > 1:
            show.echo(speak("Round {number}", "第 {number} 轮", number=number), bold=True)
        _print_tables(one)


# ── the file ─────────────────────────────────────────────────────────────────────────────────────────


def _read(path: str) -> tuple[bytes, str]:
    if path == "-":
        return sys.stdin.buffer.read(MAX_BYTES), "<stdin>"
    if os.path.isdir(path):
        raise a_folder(path, STATE)
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES), path
    except FileNotFoundError:
        raise no_file(path) from None
    except OSError as why:
        raise unreadable(path, why) from None


def _parsed(raw: bytes, name: str) -> object:
    """JSON directly, since state files can be large; everything else like job files, with line and column."""
    try:
        found: object = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_once)
        return found
    except (ValueError, RecursionError):
        return _placed(raw, name).data


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found


def _placed(raw: bytes, name: str) -> jobfile.LocatedJobFile:
    """The file with the line and column of everything in it; refuses what is not a state file."""
    if len(raw) > jobfile.MAX_BYTES:
        message = speak(
            "it is not valid JSON, and too large for YAML: more than {most} MiB",
            "不是有效的 JSON，而作为 YAML 又过大：超过 {most} MiB",
            most=jobfile.MAX_BYTES >> 20,
        )
        hint = speak(
            "large state files are read as JSON only; check it with 'python -m json.tool'",
            "较大的状态文件只按 JSON 读取；可用 python -m json.tool 检查",
        )
        print_mistake(name, "", 0, 0, message, hint)
        raise FileRefused
    return parse(raw, name, STATE)


_AT_KEY = frozenset({"unknown_key", "contradiction", "missing"})


def _refuse(raw: bytes, name: str, errors: Iterable[FieldError]) -> FileRefused:
    """Print every error, with line and column unless the file is too large to look for them."""
    file = _placed(raw, name) if len(raw) <= jobfile.MAX_BYTES else jobfile.LocatedJobFile(name, "")
    placed = []
    for error in errors:
        line, column = file.place_of(error.loc, at_key=error.code in _AT_KEY) if file.text else (0, 0)
        where = ".".join(str(part) for part in error.loc)
        message, hint = spoken(error.text), spoken(error.hint or NOTHING)
        placed.append((line, column, f"{where}: {message}" if where else message, hint))
    placed.sort(key=lambda one: one[:2])
    for mistake in placed:
        print_mistake(name, file.text, *mistake)
    if len(placed) > 1:
        note(speak("{count} errors; no plan was made.", "共 {count} 处错误，未生成计划。", count=len(placed)))
    return FileRefused()


# ── for people ───────────────────────────────────────────────────────────────────────────────────────


def _print_tables(plan: PrintedPlan) -> None:
    rows = [
        *(row for one in plan["starts"] for row in _rows("start", one, _once_left(one))),
        *(row for one in plan["growths"] for row in _rows("grow", one, _once_left(one))),
        *(row for one in plan["evictions"] for row in _rows("evict", one, show.words(one["reason"]["text"]))),
    ]
    if rows:
        show.table(("PLAN", "JOB", "TASK", "NODE:GPUS", "WHY"), rows)
    waiting: list[show.Cells] = [
        [one["job"], one["lane"], str(one["position"]), show.words(one["reason"]["text"])]
        for one in plan["waiting"]
    ]
    if waiting:
        click.echo("" if rows else speak("Nothing changes.\n", "没有变化。\n"), nl=bool(rows))
        show.table(("WAITING", "LANE", "#", "WHY"), waiting, right=("#",))
    elif not rows:
        click.echo(speak("Nothing changes, and no jobs are waiting.", "没有变化，也没有等待的任务。"))


def _rows(change: str, entry: PrintedStart | PrintedEviction, why: str) -> list[show.Cells]:
    """A row for each task; only the first has the reason."""
    return [
        [change, entry["job"], task["task"], _place(task), "" if number else why]
        for number, task in enumerate(entry["tasks"])
    ]


def _once_left(start: PrintedStart) -> str:
    return f"waits for {', '.join(start['after'])} to leave" if start["after"] else ""


def _place(task: PrintedTask) -> str:
    cards = [
        str(gpu["index"]) if gpu["share"] == 1 else f"{gpu['index']}×{gpu['share']}" for gpu in task["gpus"]
    ]
    return f"{task['node']}:{','.join(cards)}" if cards else str(task["node"])
