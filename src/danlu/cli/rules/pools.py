"""`danlu pool`: which nodes serve which classes of jobs."""

from __future__ import annotations

from collections import Counter

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.machines.upkeep import move
from danlu.cli.session import CliSession, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.crud import Crud, print_list, renamed
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import CLASSES, WordsParam
from danlu.cli.words import described, spoken
from danlu.domain.words import Words
from danlu.sdk import models

COLUMNS = ("NAME", "SERVES", "NODES|count", "DESCRIPTION")
EMPTY = Words(
    "There are no pools. Create one with: danlu pool create NAME",
    "没有资源池。可以这样创建：danlu pool create NAME",
)
OPTIONS = (
    click.option(
        "--classes",
        type=WordsParam(),
        metavar="CLASS,…",
        help=f"Job classes it serves: {', '.join(CLASSES)}; empty means all.",
    ),
    click.option("--description", metavar="TEXT", help="What it is for."),
)


@click.group(cls=HelpfulGroup)
def pool() -> None:
    """Pools of nodes, each for some classes of jobs."""


@pool.command("ls")
@json_option
@pass_session
def pool_ls(session: CliSession, as_json: bool) -> None:
    """List pools."""
    items = session.pages(models.Pool, "pools")
    nodes = [] if as_json else session.client.machines.nodes.list()
    counted = Counter(node.pool for node in nodes)

    def row(one: models.Pool) -> Cells:
        return [
            one.name,
            show.word_list(one.classes or ["all"]),
            str(counted[one.name]),
            described("pool", one.name, one.description),
        ]

    print_list(items, as_json, spoken(EMPTY), COLUMNS, row, right=("NODES|count",))


pools = Crud(pool, "pool", "pools", lambda: models.Pool)
pools.show(
    "Show a pool.",
    lambda one: [
        ("name", one.name),
        ("description", described("pool", one.name, one.description)),
        ("serves", show.word_list(one.classes or ["all"])),
    ],
)
pools.create("Create a pool; 'danlu pool move' moves nodes into it.", OPTIONS)
pools.edit("Change a pool.", OPTIONS)
pools.rm(
    "Remove a pool without nodes.", Words("Its classes and settings are lost.", "其类别与设置都会丢失。")
)
renamed(pool, add="create", set="edit")
pool.add_command(move)
