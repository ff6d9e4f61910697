"""`danlu flavor`: named sizes of tasks."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar

import click

from danlu.cli.flavors import offers
from danlu.cli.group import Group
from danlu.cli.session import Session, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.crud import CLASSES, Words, address, print_list, said, send, something, words
from danlu.cli.shared.options import json_option

F = TypeVar("F", bound=Callable[..., Any])
PATH = "flavors"
SIZES = ("cpus", "memory", "gpus", "gpu", "shm")
COLUMNS = ("NAME", "GPUS", "CPUS", "MEMORY", "FOR", "DESCRIPTION")


@click.group(cls=Group)
def flavor() -> None:
    """Flavors: named sizes of tasks, which job files use instead of resources."""


@flavor.command("ls")
@json_option
@pass_session
def flavor_ls(session: Session, as_json: bool) -> None:
    """List flavors."""
    empty = "There are no flavors. Make one with: danlu flavor add a100-1 --gpus 1 --gpu A100 --cpus 8 --memory 64GiB"
    print_list(session, PATH, as_json, empty, COLUMNS, _row, right=("CPUS",))


def _options(command: F) -> F:
    for option in reversed(
        (
            click.option("--cpus", type=float, help="CPUs of a task."),
            click.option("--memory", metavar="SIZE", help="Memory of a task, such as 64GiB."),
            click.option("--gpus", type=float, help="GPUs of a task; 0.5 is a share of one."),
            click.option("--gpu", metavar="MODEL", help="The GPU model, such as A100."),
            click.option("--shm", metavar="SIZE", help="Shared memory of a task; counts as memory."),
            click.option(
                "--classes",
                type=Words(),
                metavar="CLASS,…",
                help=f"The classes of jobs that may use it: {', '.join(CLASSES)}; none means all.",
            ),
            click.option("--description", metavar="TEXT", help="What it is for."),
        )
    ):
        command = option(command)
    return command


@flavor.command("add")
@click.argument("name")
@_options
@json_option
@pass_session
def flavor_add(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Make a flavor."""
    body = {"name": name, "resources": {}, **_changes(options, {})}
    send(session, "POST", PATH, body, f"Added flavor {name}.", as_json)


@flavor.command("set")
@click.argument("name")
@_options
@json_option
@pass_session
def flavor_set(session: Session, /, name: str, as_json: bool, **options: Any) -> None:
    """Change a flavor; jobs that are there already keep their size."""
    sized = any(options[key] is not None for key in SIZES)
    known = session.api("GET", address(PATH, name))["resources"] if sized else {}
    options_known = "--cpus, --memory, --gpus, --gpu, --shm, --classes or --description"
    changes = something(_changes(options, known), options_known)
    send(session, "PATCH", address(PATH, name), changes, f"Changed flavor {name}.", as_json)


for command in (
    offers.flavor_offers,
    offers.flavor_generate,
    offers.flavor_recommend,
    offers.flavor_edit,
    offers.flavor_rm,
):
    flavor.add_command(command)


def _changes(options: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """What to send: sizes go together, on top of those there are."""
    given = said(options)
    sizes = {key: given.pop(key) for key in SIZES if key in given}
    return {**given, "resources": {**known, **sizes}} if sizes else given


def _row(one: Mapping[str, Any]) -> list[str | show.Cell]:
    return [*offers.size_cells(one), words(one.get("classes"), "all"), one.get("description") or ""]
