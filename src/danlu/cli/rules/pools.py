"""`danlu pool`: which nodes serve which classes of jobs."""

from __future__ import annotations

from collections import Counter
from typing import Any, Mapping

import click

from danlu.cli.group import Group
from danlu.cli.machines.upkeep import move
from danlu.cli.session import Session, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.crud import CLASSES, Words, address, print_list, remove, said, send, something, words
from danlu.cli.shared.options import json_option

PATH = "pools"
OF_CLASSES = f"The classes of jobs it serves: {', '.join(CLASSES)}; none means all."


@click.group(cls=Group)
def pool() -> None:
    """Pools of nodes, each for some classes of jobs."""


@pool.command("ls")
@json_option
@pass_session
def pool_ls(session: Session, as_json: bool) -> None:
    """List pools."""
    nodes = [] if as_json else session.api("GET", "nodes")["items"]
    counted = Counter(node.get("pool") for node in nodes)

    def row(one: Mapping[str, Any]) -> list[str | show.Cell]:
        serves = words(one.get("classes"), "all")
        return [one["name"], serves, str(counted[one["name"]]), one.get("description") or ""]

    empty = "There are no pools. Make one with: danlu pool add NAME"
    print_list(
        session, PATH, as_json, empty, ("NAME", "SERVES", "NODES", "DESCRIPTION"), row, right=("NODES",)
    )


@pool.command("add")
@click.argument("name")
@click.option("--classes", type=Words(), metavar="CLASS,…", help=OF_CLASSES)
@click.option("--description", metavar="TEXT", help="What it is for.")
@json_option
@pass_session
def pool_add(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Make a pool; 'danlu pool move' brings nodes into it."""
    send(session, "POST", PATH, {"name": name, **said(options)}, f"Added pool {name}.", as_json)


@pool.command("set")
@click.argument("name")
@click.option("--classes", type=Words(), metavar="CLASS,…", help=OF_CLASSES)
@click.option("--description", metavar="TEXT", help="What it is for.")
@json_option
@pass_session
def pool_set(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Change a pool."""
    changes = something(said(options), "--classes or --description")
    send(session, "PATCH", address(PATH, name), changes, f"Changed pool {name}.", as_json)


@pool.command("rm")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def pool_rm(session: Session, name: str, yes: bool) -> None:
    """Remove a pool that no node is in."""
    remove(session, "pool", PATH, name, yes)


pool.add_command(move)
