"""`danlu score`: people's recent usage, and the rows it is computed from."""

from __future__ import annotations

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.crud import print_list
from danlu.cli.shared.options import json_option, limit_option
from danlu.cli.shared.show import Cells
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words
from danlu.sdk import models
from danlu.sdk.http.paths import segment

UNUSED = Words(
    "There is no usage yet, so there is no score. Between otherwise equal jobs, the lowest score goes first.",
    "尚无用量，因此没有积分。其他条件相同时，积分最低的任务先运行。",
)


@click.command()
@click.argument("user", required=False)
@click.option("--ledger", is_flag=True, help="Show the usage behind the score, row by row.")
@click.option("--model", metavar="MODEL", help="Only this GPU model; cpu is without GPUs.")
@limit_option(50, "List at most this many rows of the ledger; 0 is all.")
@json_option
@pass_session
def score(
    session: CliSession, user: str | None, ledger: bool, model: str | None, limit: int, as_json: bool
) -> None:
    """Show your own score by GPU model (administrators: everybody's), or that of USER."""
    if ledger:
        _ledger(session, user or session.myself(), model, limit or None, as_json)
        return
    if user is None:
        people = session.pages(models.Score, "scores")
    else:
        people = [session.ask(models.Score, "GET", f"scores/{segment(user)}")]
    if as_json:
        print_json({"items": [one.raw for one in people]})
        return
    told = [one.told for one in people]
    rows = [
        [one.user, each["model"], f"{each['score']:.2f}", show.number(each["held"])]
        for one in told
        for each in one.scores
        if model in (None, each["model"])
    ]
    if not rows:
        note(spoken(UNUSED))
        return
    show.table(["USER", "MODEL", "SCORE", "HELD"], rows, right=("SCORE", "HELD"))
    note(
        speak(
            "The lowest score goes first. "
            "After {score_time} without usage, 37 % of a score is left. '--ledger' shows the usage behind it.",
            "积分最低者优先。停止使用 {score_time}后，积分剩余 37%。--ledger 显示积分的来源。",
            score_time=show.length(told[0].score_time),
        )
    )


def _ledger(session: CliSession, user: str, model: str | None, limit: int | None, as_json: bool) -> None:
    filters = {"model": model} if model else {}
    items = session.pages(models.LedgerRow, f"scores/{segment(user)}/ledger", limit, filters)
    columns = ["JOB", "ATTEMPT", "TASK", "MODEL", "AMOUNT", "BEGAN", "ENDED", "ADDS"]
    print_list(items, as_json, spoken(UNUSED), columns, _row, right=("ATTEMPT", "AMOUNT", "ADDS"))


def _row(one: models.LedgerRow) -> Cells:
    return [
        one.job_name,
        str(one.attempt),
        one.task,
        one.model,
        show.number(one.amount),
        show.local(one.began),
        show.local(one.ended) or speak("still held", "占用中"),
        f"{one.adds:.3f}",
    ]
