"""`danlu limit`: bounds on GPUs in use at once and on run time."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar

import click

from danlu.cli.group import Group
from danlu.cli.session import Session, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.crud import CLASSES, address, print_list, remove, said, send, something
from danlu.cli.shared.options import Word, json_option

F = TypeVar("F", bound=Callable[..., Any])
PATH = "limits"
COLUMNS = ("NAME", "USER", "PROJECT", "CLASS", "GPUS", "MAX TIME")
_WHOM = {"each": "*", "all": None}
"""Words for what the API writes as `*` and null."""
_SHOWN = {"*": "each", None: "all"}


@click.group(cls=Group)
def limit() -> None:
    """Limits on GPUs in use at once and on run time, per user, project and class of jobs."""


@limit.command("ls")
@json_option
@pass_session
def limit_ls(session: Session, as_json: bool) -> None:
    """List limits."""
    empty = "There are no limits. Make one with: danlu limit add NAME --user each --gpus 8"
    print_list(session, PATH, as_json, empty, COLUMNS, _row, right=("GPUS",))


def _options(command: F) -> F:
    whom = "a {0}'s name, 'each' {0} for itself, or 'all' together"
    for option in reversed(
        (
            click.option("--user", metavar="USER", help=f"Whose jobs: {whom.format('user')}."),
            click.option("--project", metavar="NAME", help=f"Which jobs: {whom.format('project')}."),
            click.option(
                "--class", "job_class", type=Word((*CLASSES, "all")), help="Only this class of jobs."
            ),
            click.option("--gpus", type=float, help="GPUs in use at once."),
            click.option("--max-time", metavar="TIME", help="How long a job may run, such as 12h."),
        )
    ):
        command = option(command)
    return command


@limit.command("add")
@click.argument("name")
@_options
@json_option
@pass_session
def limit_add(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Make a limit; for each user by default."""
    send(session, "POST", PATH, {"name": name, **_changes(options)}, f"Added limit {name}.", as_json)


@limit.command("set")
@click.argument("name")
@_options
@click.option("--no-gpus", is_flag=True, help="Bound no GPUs.")
@click.option("--no-max-time", is_flag=True, help="Bound no run time.")
@json_option
@pass_session
def limit_set(
    session: Session, /, name: str, no_gpus: bool, no_max_time: bool, as_json: bool, **options: Any
) -> None:
    """Change a limit."""
    none = [*(["gpus"] if no_gpus else []), *(["max_time"] if no_max_time else [])]
    known = "--user, --project, --class, --gpus, --no-gpus, --max-time or --no-max-time"
    changes = something({**_changes(options), **dict.fromkeys(none)}, known)
    send(session, "PATCH", address(PATH, name), changes, f"Changed limit {name}.", as_json)


@limit.command("rm")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def limit_rm(session: Session, name: str, yes: bool) -> None:
    """Remove a limit."""
    remove(session, "limit", PATH, name, yes)


def _changes(options: Mapping[str, Any]) -> dict[str, Any]:
    given = said(options)
    changes: dict[str, Any] = {key: given[key] for key in ("gpus", "max_time") if key in given}
    for option, key in (("user", "user"), ("project", "project"), ("job_class", "class")):
        if option in given:
            changes[key] = _WHOM.get(given[option], given[option])
    return changes


def _row(one: Mapping[str, Any]) -> list[str | show.Cell]:
    return [
        one["name"],
        _SHOWN.get(one.get("user"), one.get("user") or ""),
        _SHOWN.get(one.get("project"), one.get("project") or ""),
        one.get("class") or "all",
        "-" if one.get("gpus") is None else show.number(one["gpus"]),
        one.get("max_time") or "-",
    ]
