"""Who holds the GPUs, and until when: above the waiting jobs, and in the reasons of one."""

from __future__ import annotations

from itertools import groupby
from typing import Sequence

from danlu.cli.session import Answer, CliSession, Listing
from danlu.cli.shared import show
from danlu.cli.shared.show import Cells
from danlu.cli.words import speak
from danlu.sdk import models

COLUMNS = ("OWNER", "NAME", "KIND", "GPUS", "NODES|count", "RUNS|time", "ENDS|when")
RIGHT = ("GPUS", "NODES|count")
SHOWN = 5
"""How many of a model's holders are listed."""


def fetch(session: CliSession, model: str | None) -> Listing[models.Holder]:
    return session.listing(models.Holder, "queue/holders", {"lane": model, "limit": 500})


def table(held: Listing[models.Holder]) -> bool:
    """Those of all models, whether somebody waits for them or not; whether there were any."""
    told = list(held.told)
    by_model(told, [Answer(models.HeldModel, one).told for one in held.raw["models"]])
    return bool(told)


def by_model(told: Sequence[models.Holder], held: Sequence[models.HeldModel]) -> None:
    """A table for each model; those of `told` come model by model."""
    known = {one.gpu_model: one for one in held}
    for number, (model, rows) in enumerate(groupby(told, lambda one: one.gpu_model)):
        if number:
            show.echo()
        found = list(rows)
        amount = known.get(model, models.HeldModel(model, jobs=len(found)))
        show.echo(
            speak(
                "{model}: {held} of {total} GPUs held",
                "{model}：占用 {held} / {total} 卡",
                model=model,
                held=show.number(amount.held),
                total=show.number(amount.total),
            ),
            bold=True,
        )
        show.table(COLUMNS, [_row(one) for one in found[:SHOWN]], RIGHT)
        if amount.jobs > SHOWN:
            show.echo(
                speak(
                    "… and {shown} more; 'danlu queue --json' lists all.",
                    "……另有 {shown} 个；danlu queue --json 列出全部。",
                    shown=amount.jobs - SHOWN,
                )
            )


def _row(one: models.Holder) -> Cells:
    return [
        show.Cell(one.owner, "cyan" if one.mine else None),
        one.name or "–",
        show.word(one.kind),
        show.number(one.gpus),
        str(one.nodes),
        show.ago(one.began_at),
        _ends(one),
    ]


def _ends(one: models.Holder) -> str:
    """`expected in 20m 00s, at most in 2h 00m`."""
    if one.state == "stopping":
        return speak("ending now", "正在结束")
    expected, latest = show.until(one.expected_end), show.until(one.latest_end)
    parts = [
        _expected(expected, one.expected_end is not None),
        speak("at most in {latest}", "最晚 {latest}后", latest=latest) if latest else "",
    ]
    return speak(", ", "，").join(filter(None, parts)) or speak("no end given", "未说明何时结束")


def _expected(left: str, given: bool) -> str:
    if left:
        return speak("expected in {left}", "预计 {left}后", left=left)
    return speak("past its expected time", "已超过预计运行时间") if given else ""
