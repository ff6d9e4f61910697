"""`danlu limit`: limits on GPUs in use at once and on run time."""

from __future__ import annotations

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.shared import show
from danlu.cli.shared.crud import Crud, GivenOptions, renamed, said
from danlu.cli.shared.options import WordParam
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import CLASSES
from danlu.domain.words import Words
from danlu.sdk import models

COLUMNS = ("NAME", "USER", "PROJECT", "CLASS", "GPUS", "MAX TIME")
_WHOM = {"each": "*", "all": None}
"""Words for what the API writes as `*` and null."""
_SHOWN = {"*": "each", None: "all"}
_WHOSE = "a {0}'s name, 'each' {0} for itself, or 'all' together"
OPTIONS = (
    click.option("--user", metavar="USER", help=f"Whose jobs: {_WHOSE.format('user')}."),
    click.option("--project", metavar="NAME", help=f"Which jobs: {_WHOSE.format('project')}."),
    click.option("--class", "job_class", type=WordParam((*CLASSES, "all")), help="Only this class of jobs."),
    click.option("--gpus", type=float, help="GPUs in use at once."),
    click.option("--max-time", metavar="TIME", help="How long a job may run, such as 12h."),
)


@click.group(cls=HelpfulGroup)
def limit() -> None:
    """Limits on GPUs in use at once and on run time, per user, project and class of jobs."""


def _row(one: models.Limit) -> Cells:
    return [
        one.name,
        show.word(_SHOWN.get(one.user, one.user or "")),
        show.word(_SHOWN.get(one.project, one.project or "")),
        show.word(one.job_class or "all"),
        "-" if one.gpus is None else show.number(one.gpus),
        show.length(one.max_time) or "-",
    ]


def _body(options: GivenOptions) -> dict[str, object]:
    given = said(options)
    body: dict[str, object] = {key: given[key] for key in ("gpus", "max_time") if key in given}
    for option, key in (("user", "user"), ("project", "project"), ("job_class", "class")):
        if option in given:
            word = str(given[option])
            body[key] = _WHOM.get(word, word)
    return body


def _changes(options: GivenOptions) -> dict[str, object]:
    none = [key for key in ("gpus", "max_time") if options[f"no_{key}"]]
    return {**_body(options), **dict.fromkeys(none)}


limits = Crud(limit, "limit", "limits", lambda: models.Limit)
limits.ls(
    "List limits.",
    COLUMNS,
    _row,
    Words(
        "There are no limits. Create one with: danlu limit create NAME --user each --gpus 8",
        "没有限额。可以这样创建：danlu limit create NAME --user each --gpus 8",
    ),
    right=("GPUS",),
)
limits.show("Show a limit.", lambda one: [*zip(map(str.lower, COLUMNS), _row(one))])
limits.create("Create a limit; for each user by default.", OPTIONS, _body)
limits.edit(
    "Change a limit.",
    (
        *OPTIONS,
        click.option("--no-gpus", is_flag=True, help="Remove the limit on GPUs."),
        click.option("--no-max-time", is_flag=True, help="Remove the limit on run time."),
    ),
    _changes,
)
limits.rm(
    "Remove a limit.", Words("Jobs that it held back may start at once.", "受它限制的任务可能会立即启动。")
)
renamed(limit, add="create", set="edit")
