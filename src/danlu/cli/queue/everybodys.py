"""`danlu queue --all`: everybody's jobs in every state."""

from __future__ import annotations

from typing import Mapping

from danlu.cli.session import Answer, CliSession, note, print_json
from danlu.cli.shared import show
from danlu.cli.shared.show import Cells
from danlu.cli.words import speak
from danlu.sdk import models

COLUMNS = ("OWNER", "NAME", "KIND", "STATE", "SIZE", "TASKS", "PROJECT", "AGE", "RAN", "WHY")
_PAGE = 500


def everybodys(session: CliSession, query: Mapping[str, object], limit: int | None, *, as_json: bool) -> None:
    """Newest first; of others' jobs only owner, kind, size and times."""
    items: list[Answer[models.AnybodysJob]] = []
    cursor = total = None
    while limit is None or len(items) < limit:
        size = _PAGE if limit is None else min(_PAGE, limit - len(items))
        page = session.listing(models.AnybodysJob, "queue/jobs", {**query, "limit": size, "cursor": cursor})
        items += page.items
        cursor, total = page.next_cursor, page.total
        if not cursor or not page.items:
            break
    if as_json:
        print_json({"items": [one.raw for one in items], "total": total})
    elif not items:
        note(speak("No jobs match.", "没有符合条件的任务。"))
    else:
        show.table(COLUMNS, [_row(one.told) for one in items], right=("TASKS",))
        if cursor:
            note(
                speak(
                    "{items} of {total} shown; --limit 0 shows all.",
                    "已显示 {items} / {total} 个；--limit 0 显示全部。",
                    items=len(items),
                    total=total or "?",
                )
            )


def _row(one: models.AnybodysJob) -> Cells:
    model = one.gpu_model or ("GPUs" if one.gpus != 1 else "GPU")
    return [
        show.Cell(one.owner, "cyan" if one.mine else None),
        one.name or "–",
        one.kind,
        show.state(one.state),
        f"{show.number(one.gpus)} {model}" if one.gpus else f"{show.number(one.cpus)} CPUs",
        show.tasks(one.nodes),
        one.project,
        show.ago(one.created_at),
        show.took(one.started_at, one.ended_at),
        show.reason(one.reason),
    ]
