"""`danlu group`: groups of people. `add-members` and `remove-members` change its members, the other verbs the group."""

from __future__ import annotations

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, pass_session
from danlu.cli.shared.crud import Crud, address, renamed
from danlu.cli.shared.options import json_option
from danlu.cli.shared.rosters import ADDED, NOT_IN_IT, REMOVED, change_members, roster, roster_options
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import WordsParam, words
from danlu.domain.words import Words
from danlu.sdk import models

PATH = "groups"
COLUMNS = ("NAME", "MEMBERS", "PERMISSIONS", "DESCRIPTION")
OPTIONS = (
    click.option(
        "--permissions",
        type=WordsParam(),
        metavar="WORD,…",
        help="Permissions of its members on everybody's things, such as queue:pin; '' for none.",
    ),
    click.option("--description", metavar="TEXT", help="What it is for."),
)


@click.group(cls=HelpfulGroup)
def group() -> None:
    """Groups of people who have more permissions, may use a priority class, or share a quota."""


def _row(one: models.Group) -> Cells:
    return [one.name, str(one.members), words(one.permissions), one.description]


groups = Crud(group, "group", PATH, lambda: models.Group)
groups.ls(
    "List groups.",
    COLUMNS,
    _row,
    Words(
        "There are no groups. Create one with: danlu group create NAME",
        "没有用户组。可以这样创建：danlu group create NAME",
    ),
    right=("MEMBERS",),
)
groups.show(
    "Show a group and its members.",
    lambda one: [
        ("name", one.name),
        ("description", one.description),
        ("permissions", words(one.permissions)),
        ("members", f"{one.members}: {words(one.member_names, '-')}"),
    ],
)
groups.create("Create a group; you cannot give it permissions that you do not have.", OPTIONS)
groups.edit("Change a group's permissions or description.", OPTIONS)
groups.rm(
    "Remove a group; its members lose its permissions.",
    Words("Its members lose its permissions.", "其成员将失去它赋予的权限。"),
)


@group.command("add-members")
@click.argument("name", metavar="GROUP")
@roster_options
@json_option
@pass_session
def group_add(
    session: CliSession, name: str, names: tuple[str, ...], path: str | None, preview: bool, as_json: bool
) -> None:
    """Add people to a group: by name, or from a file or pasted text (also CSV with a column `name` or `user`)."""
    body = {**roster(names, path), "preview": preview}
    change_members(
        session, address(PATH, name), body, ADDED.fill(name=name), Words("Already in it", "已在其中"), as_json
    )


@group.command("remove-members")
@click.argument("name", metavar="GROUP")
@roster_options
@json_option
@pass_session
def group_remove(
    session: CliSession, name: str, names: tuple[str, ...], path: str | None, preview: bool, as_json: bool
) -> None:
    """Remove people from a group: by name, or from a file or pasted text."""
    body = {**roster(names, path), "remove": True, "preview": preview}
    change_members(session, address(PATH, name), body, REMOVED.fill(name=name), NOT_IN_IT, as_json)


renamed(group, add="add-members", remove="remove-members")
