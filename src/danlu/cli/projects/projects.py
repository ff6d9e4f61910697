"""`danlu project`: projects, which are also the queues."""

from __future__ import annotations

from typing import Mapping

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.projects.members import COMMANDS
from danlu.cli.session import CliSession
from danlu.cli.shared import show
from danlu.cli.shared.crud import Crud, GivenOptions, renamed, said
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.shared.values import AmountsParam, PairsParam, WordsParam, amounts, pairs, words
from danlu.cli.words import described, speak
from danlu.domain.words import Words
from danlu.sdk import models

COLUMNS = ("NAME", "WEIGHT", "GUARANTEE", "CAP", "STATE", "MEMBERS", "YOU", "DESCRIPTION")
OPTIONS = (
    click.option("--description", metavar="TEXT", help="What it is for."),
    click.option("--weight", type=float, help="Its share of what is left after guarantees."),
    click.option("--guarantee", type=AmountsParam(), metavar="A100=8,…", help="Resources it can always get."),
    click.option("--cap", type=AmountsParam(), metavar="gpus=32,…", help="Resources it can never exceed."),
    click.option(
        "--closed/--open", default=None, help="Whether the project is paused: its jobs do not start."
    ),
    click.option(
        "--everybody/--members-only", "open", default=None, help="Whether everyone may queue jobs in it."
    ),
    click.option("--default-flavor", metavar="NAME", help="The default flavor of its jobs; '' for none."),
    click.option("--default-image", metavar="NAME", help="The default image of its jobs; '' for none."),
    click.option(
        "--reclaimable/--no-reclaimable",
        default=None,
        help="Whether it may reclaim what it lent to other projects.",
    ),
    click.option(
        "--selector",
        "node_selector",
        type=PairsParam(),
        metavar="KEY=VALUE,…",
        help="Labels that its nodes must have.",
    ),
    click.option("--cluster", metavar="NAME", help="The cluster that its jobs run on; '' for any."),
    click.option(
        "--priorities", type=WordsParam(), metavar="NAME,…", help="The priority classes its jobs may use."
    ),
)


@click.group(cls=HelpfulGroup)
def project() -> None:
    """Projects: the queues of jobs, each with a share of the machines."""


def _row(one: models.Project) -> Cells:
    return [
        one.name,
        _weight(one) or "-",
        amounts(one.guarantee),
        amounts(one.cap),
        _state(one),
        _members(one),
        show.word(one.my_role or "-", "member"),
        described("project", one.name, one.description),
    ]


def _about(one: models.Project) -> Facts:
    return [
        ("name", one.name),
        ("description", described("project", one.name, one.description)),
        ("weight", _weight(one) or speak("none: it uses the share of public", "无：使用 public 的份额")),
        ("guarantee", amounts(one.guarantee)),
        ("cap", amounts(one.cap)),
        ("state", _state(one)),
        ("reclaimable", show.yes(one.reclaimable)),
        ("nodes|which", pairs(one.node_selector)),
        ("priorities", words(one.priorities, show.word("all"))),
        ("default flavor", one.default_flavor),
        ("default image", one.default_image),
        ("members", _members(one)),
        ("you", show.word(one.my_role or "", "member")),
        ("created by", one.creator),
    ]


def _body(options: GivenOptions) -> dict[str, object]:
    given = said(options)
    cluster = given.pop("cluster", None)
    if cluster is not None:
        selector = given.get("node_selector")
        given["node_selector"] = _in_cluster(selector if isinstance(selector, Mapping) else {}, str(cluster))
    return given


def _changes(session: CliSession, name: str, options: GivenOptions) -> dict[str, object]:
    given = dict(options)
    no_weight = given.pop("no_weight")
    if given["cluster"] is not None and given["node_selector"] is None:
        given["node_selector"] = session.client.projects.get(name).node_selector
    return {**_body(given), **({"weight": None} if no_weight else {})}


def _in_cluster(selector: Mapping[str, str], cluster: str) -> dict[str, str]:
    """A cluster's nodes all have its name as a label; other labels stay."""
    others = {key: value for key, value in selector.items() if key != "cluster"}
    return {**others, "cluster": cluster} if cluster else others


def _weight(one: models.Project) -> str:
    return "" if one.weight is None else show.number(one.weight)


def _members(one: models.Project) -> str:
    return show.word("everybody") if one.open else str(one.members)


def _state(one: models.Project) -> str:
    return show.word("closed" if one.closed else "open")


projects = Crud(project, "project", "projects", lambda: models.Project)
projects.ls(
    "List projects.",
    COLUMNS,
    _row,
    Words(
        "There are no projects. Create one with: danlu project create NAME",
        "没有项目组。可以这样创建：danlu project create NAME",
    ),
    right=("WEIGHT",),
)
projects.show("Show a project.", _about)
projects.create(
    "Create a project; you become its creator. Only administrators set more than description and defaults.",
    OPTIONS,
    _body,
)
projects.edit(
    "Change a project; an empty --guarantee, --cap, --selector, --cluster or --priorities removes it.",
    (*OPTIONS, click.option("--no-weight", is_flag=True, help="Use the share of public.")),
    changes=_changes,
)
projects.rm(
    "Remove a project without active jobs.",
    Words("Its members, share and bounds are lost.", "其成员、份额与上限设置都会丢失。"),
)
renamed(project, add="create", set="edit")
for command in COMMANDS:
    project.add_command(command)
