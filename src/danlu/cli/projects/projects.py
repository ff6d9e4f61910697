"""`danlu project`: projects, which are also the queues."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar

import click

from danlu.cli.group import Group
from danlu.cli.projects.members import COMMANDS
from danlu.cli.session import Session, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.crud import (
    Amounts,
    Pairs,
    Words,
    address,
    amounts,
    pairs,
    print_list,
    remove,
    said,
    send,
    something,
    words,
)
from danlu.cli.shared.options import json_option

F = TypeVar("F", bound=Callable[..., Any])
PATH = "projects"
COLUMNS = ("NAME", "WEIGHT", "GUARANTEE", "CAP", "STATE", "MEMBERS", "YOU", "DESCRIPTION")


@click.group(cls=Group)
def project() -> None:
    """Projects: what jobs queue in, and whose share of the machines they draw on."""


@project.command("ls")
@json_option
@pass_session
def project_ls(session: Session, as_json: bool) -> None:
    """List projects."""
    empty = "There are no projects. Make one with: danlu project add NAME"
    print_list(session, PATH, as_json, empty, COLUMNS, _row, right=("WEIGHT",))


@project.command("show")
@click.argument("name")
@json_option
@pass_session
def project_show(session: Session, name: str, as_json: bool) -> None:
    """Show a project."""
    found = session.api("GET", address(PATH, name))
    if as_json:
        print_json(found)
        return
    show.pairs(
        [
            ("name", found["name"]),
            ("description", found.get("description") or ""),
            ("weight", _weight(found) or "none: it draws on public's share"),
            ("guarantee", amounts(found.get("guarantee"))),
            ("cap", amounts(found.get("cap"))),
            ("state", _state(found)),
            ("reclaimable", "yes" if found.get("reclaimable") else "no"),
            ("nodes", pairs(found.get("node_selector"))),
            ("priorities", words(found.get("priorities"), "all")),
            ("default flavor", found.get("default_flavor") or ""),
            ("default image", found.get("default_image") or ""),
            ("members", _members(found)),
            ("you", found.get("my_role") or ""),
            ("created by", found.get("creator") or ""),
        ]
    )


def _options(command: F) -> F:
    for option in reversed(
        (
            click.option("--description", metavar="TEXT", help="What it is for."),
            click.option("--weight", type=float, help="Its part of what is left beyond guarantees."),
            click.option("--guarantee", type=Amounts(), metavar="A100=8,…", help="What it can always have."),
            click.option("--cap", type=Amounts(), metavar="gpus=32,…", help="What it never exceeds."),
            click.option("--closed/--open", default=None, help="Whether its jobs are kept from starting."),
            click.option(
                "--everybody/--members-only", "open", default=None, help="Whether everybody may queue in it."
            ),
            click.option(
                "--default-flavor", metavar="NAME", help="The size of jobs that name none; empty for none."
            ),
            click.option(
                "--default-image", metavar="NAME", help="The image of jobs that name none; empty for none."
            ),
            click.option(
                "--reclaimable/--no-reclaimable", default=None, help="Whether lent room is taken back."
            ),
            click.option(
                "--selector",
                "node_selector",
                type=Pairs(),
                metavar="KEY=VALUE,…",
                help="Labels of its nodes.",
            ),
            click.option("--cluster", metavar="NAME", help="The one cluster its jobs run in; empty for any."),
            click.option(
                "--priorities", type=Words(), metavar="NAME,…", help="The classes its jobs may have."
            ),
        )
    ):
        command = option(command)
    return command


@project.command("add")
@click.argument("name")
@_options
@json_option
@pass_session
def project_add(session: Session, /, name: str, cluster: str | None, as_json: bool, **options: Any) -> None:
    """Make a project, whose creator you are; all but its description and defaults is for administrators."""
    if cluster is not None:
        options["node_selector"] = _in_cluster(options["node_selector"], cluster)
    send(session, "POST", PATH, {"name": name, **said(options)}, f"Added project {name}.", as_json)


@project.command("set")
@click.argument("name")
@_options
@click.option("--no-weight", is_flag=True, help="Let it draw on public's share.")
@json_option
@pass_session
def project_set(
    session: Session, /, name: str, cluster: str | None, no_weight: bool, as_json: bool, **options: Any
) -> None:
    """Change a project; an empty --guarantee, --cap, --selector, --cluster or --priorities takes it away."""
    known = "--weight, --guarantee, --cap, --closed, --open, --everybody, --members-only, --reclaimable, "
    known += "--selector, --cluster, --priorities, --default-flavor, --default-image or --description"
    if cluster is not None:
        given = options["node_selector"]
        there = session.api("GET", address(PATH, name)).get("node_selector") if given is None else given
        options["node_selector"] = _in_cluster(there, cluster)
    changes = something(said(options, ["weight"] if no_weight else []), known)
    send(session, "PATCH", address(PATH, name), changes, f"Changed project {name}.", as_json)


@project.command("rm")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def project_rm(session: Session, name: str, yes: bool) -> None:
    """Remove a project that no active job is in."""
    remove(session, "project", PATH, name, yes)


for command in COMMANDS:
    project.add_command(command)


def _row(one: Mapping[str, Any]) -> list[str | show.Cell]:
    return [
        one["name"],
        _weight(one) or "-",
        amounts(one.get("guarantee")),
        amounts(one.get("cap")),
        _state(one),
        _members(one),
        one.get("my_role") or "-",
        one.get("description") or "",
    ]


def _in_cluster(selector: Mapping[str, str] | None, cluster: str) -> dict[str, str]:
    """A cluster's nodes all have its name as a label; other labels stay."""
    others = {key: value for key, value in (selector or {}).items() if key != "cluster"}
    return {**others, "cluster": cluster} if cluster else others


def _weight(one: Mapping[str, Any]) -> str:
    return "" if one.get("weight") is None else show.number(one["weight"])


def _members(one: Mapping[str, Any]) -> str:
    return "everybody" if one.get("open") else str(one.get("members", 0))


def _state(one: Mapping[str, Any]) -> str:
    return "closed" if one.get("closed") else "open"
