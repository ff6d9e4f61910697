"""`danlu priority`: priority classes."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar

import click

from danlu.cli.group import Group
from danlu.cli.session import Session, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.crud import Words, address, print_list, remove, said, send, something, words
from danlu.cli.shared.options import json_option

F = TypeVar("F", bound=Callable[..., Any])
PATH = "priorities"
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


class Budget(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """GPU-hours, or `none`."""

    name = "hours"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == NO_BUDGET:
            return value
        try:
            return float(value)
        except ValueError:
            return self.fail(f"'{value}' is neither a number of hours nor '{NO_BUDGET}'.", param, ctx)


@click.group(cls=Group)
def priority() -> None:
    """Priority classes: what goes first, and what may make room for what."""


@priority.command("ls")
@json_option
@pass_session
def priority_ls(session: Session, as_json: bool) -> None:
    """List priority classes."""
    empty = "There are no priority classes. Make one with: danlu priority add NAME --value 250"
    print_list(session, PATH, as_json, empty, COLUMNS, _row, right=("VALUE",))


def _options(command: F) -> F:
    for option in reversed(
        (
            click.option(
                "--may-preempt/--may-not-preempt", default=None, help="Whether others make room for it."
            ),
            click.option(
                "--preemptible/--not-preemptible",
                "may_be_preempted",
                default=None,
                help="Whether it gives way.",
            ),
            click.option(
                "--groups",
                type=Words(),
                metavar="GROUP,…",
                help="Who may use it: groups or roles; none means all.",
            ),
            click.option(
                "--projects",
                type=Words(),
                metavar="NAME,…",
                help="Where it may be used; none means everywhere.",
            ),
            click.option(
                "--needs-reason/--no-reason",
                "needs_reason",
                default=None,
                help="Whether its jobs say why they are urgent.",
            ),
            click.option(
                "--budget",
                type=Budget(),
                metavar="HOURS",
                help="GPU-hours that each person may spend on it in a month; 'none' takes it away.",
            ),
            click.option("--description", metavar="TEXT", help="What it is for."),
        )
    ):
        command = option(command)
    return command


@priority.command("add")
@click.argument("name")
@click.option("--value", type=int, required=True, help="The higher, the sooner; normal is 200.")
@_options
@json_option
@pass_session
def priority_add(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Make a priority class."""
    send(session, "POST", PATH, {"name": name, **_said(options)}, f"Added priority class {name}.", as_json)


@priority.command("set")
@click.argument("name")
@click.option("--value", type=int, help="The higher, the sooner.")
@_options
@json_option
@pass_session
def priority_set(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Change a priority class; an empty --groups or --projects opens it to all."""
    known = "--value, --may-preempt, --preemptible, --groups, --projects, --needs-reason, --budget or --description"
    changes = something(_said(options), known)
    send(session, "PATCH", address(PATH, name), changes, f"Changed priority class {name}.", as_json)


@priority.command("rm")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def priority_rm(session: Session, name: str, yes: bool) -> None:
    """Remove a priority class that no active job has."""
    remove(session, "priority class", PATH, name, yes)


def _row(one: Mapping[str, Any]) -> list[str | show.Cell]:
    return [
        one["name"],
        str(one.get("value", "")),
        "yes" if one.get("may_preempt") else "no",
        "yes" if one.get("may_be_preempted") else "no",
        words(one.get("groups"), "all"),
        words(one.get("projects"), "all"),
        "needed" if one.get("needs_reason") else "-",
        "-" if one.get("budget") is None else f"{show.number(one['budget'])}h",
        one.get("description") or "",
    ]


def _said(options: Mapping[str, Any]) -> dict[str, Any]:
    given = said(options)
    return {key: None if key == "budget" and value == NO_BUDGET else value for key, value in given.items()}
