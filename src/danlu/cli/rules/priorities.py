"""`danlu priority`: priority classes."""

from __future__ import annotations

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.shared import show
from danlu.cli.shared.crud import Crud, GivenOptions, renamed, said
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import WordsParam, words
from danlu.cli.words import described, speak
from danlu.domain.words import Words
from danlu.sdk import models

COLUMNS = (
    "NAME",
    "VALUE",
    "PREEMPTS",
    "PREEMPTIBLE",
    "GROUPS",
    "PROJECTS",
    "REASON",
    "BUDGET",
    "DESCRIPTION",
)
NO_BUDGET = "none"


class BudgetParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """GPU-hours, or `none`."""

    name = "hours"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if value == NO_BUDGET:
            return value
        try:
            return float(str(value))
        except ValueError:
            return self.fail(
                speak(
                    "'{value}' is neither a number of hours nor '{none}'.",
                    "“{value}”既不是小时数，也不是“{none}”。",
                    value=value,
                    none=NO_BUDGET,
                ),
                param,
                ctx,
            )


OPTIONS = (
    click.option("--may-preempt/--may-not-preempt", default=None, help="Whether it preempts lower classes."),
    click.option(
        "--preemptible/--not-preemptible",
        "may_be_preempted",
        default=None,
        help="Whether it can be preempted.",
    ),
    click.option(
        "--groups",
        type=WordsParam(),
        metavar="GROUP,…",
        help="Groups or roles that may use it; empty means all.",
    ),
    click.option(
        "--projects", type=WordsParam(), metavar="NAME,…", help="Projects that may use it; empty means all."
    ),
    click.option(
        "--needs-reason/--no-reason",
        "needs_reason",
        default=None,
        help="Whether its jobs need a justification.",
    ),
    click.option(
        "--budget",
        type=BudgetParam(),
        metavar="HOURS",
        help="GPU-hours that each person may spend on it in a month; 'none' removes the budget.",
    ),
    click.option("--description", metavar="TEXT", help="What it is for."),
)


@click.group(cls=HelpfulGroup)
def priority() -> None:
    """Priority classes: which jobs start first, and which may preempt others."""


def _row(one: models.Priority) -> Cells:
    return [
        one.name,
        str(one.value),
        show.yes(one.may_preempt),
        show.yes(one.may_be_preempted),
        show.word_list(one.groups or ["all"]),
        words(one.projects, show.word("all")),
        show.word("needed") if one.needs_reason else "-",
        "-" if one.budget is None else speak("{hours}h", "{hours} 卡时", hours=show.number(one.budget)),
        described("priority", one.name, one.description),
    ]


def _body(options: GivenOptions) -> dict[str, object]:
    given = said(options)
    return {key: None if key == "budget" and value == NO_BUDGET else value for key, value in given.items()}


priorities = Crud(priority, "priority class", "priorities", lambda: models.Priority)
priorities.ls(
    "List priority classes.",
    COLUMNS,
    _row,
    Words(
        "There are no priority classes. Create one with: danlu priority create NAME --value 250",
        "没有优先级。可以这样创建：danlu priority create NAME --value 250",
    ),
    right=("VALUE",),
)
priorities.show("Show a priority class.", lambda one: [*zip(map(str.lower, COLUMNS), _row(one))])
priorities.create(
    "Create a priority class.",
    (
        click.option("--value", type=int, required=True, help="Higher values start sooner; normal is 200."),
        *OPTIONS,
    ),
    _body,
)
priorities.edit(
    "Change a priority class; an empty --groups or --projects opens it to all.",
    (click.option("--value", type=int, help="Higher values start sooner."), *OPTIONS),
    _body,
)
priorities.rm(
    "Remove a priority class that no active job uses.",
    Words("Job files that name it will be refused.", "写有它的任务文件将被拒绝。"),
)
renamed(priority, add="create", set="edit")
