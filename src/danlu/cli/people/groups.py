"""`danlu group`: people who may do more."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar

import click

from danlu.cli.group import Group
from danlu.cli.session import Session, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.crud import Words, address, print_list, remove, said, send, something, words
from danlu.cli.shared.options import json_option
from danlu.cli.shared.rosters import roster, roster_options, tell_roster

F = TypeVar("F", bound=Callable[..., Any])
PATH = "groups"
COLUMNS = ("NAME", "MEMBERS", "PERMISSIONS", "DESCRIPTION")


@click.group(cls=Group)
def group() -> None:
    """Groups: people who may do more, use a priority class, or share a quota."""


@group.command("ls")
@json_option
@pass_session
def group_ls(session: Session, as_json: bool) -> None:
    """List groups."""
    empty = "There are no groups. Make one with: danlu group create NAME"
    print_list(session, PATH, as_json, empty, COLUMNS, _row, right=("MEMBERS",))


@group.command("show")
@click.argument("name")
@json_option
@pass_session
def group_show(session: Session, name: str, as_json: bool) -> None:
    """Show a group and its members."""
    found = session.api("GET", address(PATH, name))
    if as_json:
        print_json(found)
        return
    show.pairs(
        [
            ("name", found["name"]),
            ("description", found.get("description") or ""),
            ("permissions", words(found.get("permissions"))),
            ("members", f"{found.get('members', 0)}: {words(found.get('member_names'), '-')}"),
        ]
    )


def _options(command: F) -> F:
    for option in (
        click.option("--description", metavar="TEXT", help="What it is for."),
        click.option(
            "--permissions",
            type=Words(),
            metavar="WORD,…",
            help="What its members may do with everybody's things, such as queue:pin; '' is nothing.",
        ),
    ):
        command = option(command)
    return command


@group.command("create")
@click.argument("name")
@_options
@json_option
@pass_session
def group_create(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Make a group; nobody gives it more than they may do themselves."""
    send(session, "POST", PATH, {"name": name, **said(options)}, f"Made group {name}.", as_json)


@group.command("edit")
@click.argument("name")
@_options
@json_option
@pass_session
def group_edit(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Change what a group may do or is for."""
    changes = something(said(options), "--permissions or --description")
    send(session, "PATCH", address(PATH, name), changes, f"Changed group {name}.", as_json)


@group.command("rm")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def group_rm(session: Session, name: str, yes: bool) -> None:
    """Remove a group; its members lose it."""
    remove(session, "group", PATH, name, yes)


@group.command("add")
@click.argument("name", metavar="GROUP")
@roster_options
@json_option
@pass_session
def group_add(
    session: Session, name: str, names: tuple[str, ...], path: str | None, preview: bool, as_json: bool
) -> None:
    """Put people into a group: by name, or from a file or pasted text (a CSV with a column `name` or `user` too)."""
    body = {**roster(names, path), "preview": preview}
    found = session.api("POST", f"{address(PATH, name)}/members", body=body)
    tell_roster(found, f"added to {name}", "In it already", preview, as_json)


@group.command("remove")
@click.argument("name", metavar="GROUP")
@roster_options
@json_option
@pass_session
def group_remove(
    session: Session, name: str, names: tuple[str, ...], path: str | None, preview: bool, as_json: bool
) -> None:
    """Take people out of a group: by name, or from a file or pasted text."""
    body = {**roster(names, path), "remove": True, "preview": preview}
    found = session.api("POST", f"{address(PATH, name)}/members", body=body)
    tell_roster(found, f"removed from {name}", "Not in it anyway", preview, as_json)


def _row(one: Mapping[str, Any]) -> list[str | show.Cell]:
    return [
        one["name"],
        str(one.get("members", 0)),
        words(one.get("permissions")),
        one.get("description") or "",
    ]
