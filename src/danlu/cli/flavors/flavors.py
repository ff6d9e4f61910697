"""`danlu flavor`: named sizes of tasks."""

from __future__ import annotations

import click

from danlu.cli.flavors import offers
from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.crud import (
    Command,
    Crud,
    GivenOptions,
    address,
    option_names,
    renamed,
    said,
    say_now,
    send,
    something,
)
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.shared.values import CLASSES, WordsParam
from danlu.cli.words import speak
from danlu.domain.words import Words
from danlu.sdk import models

PATH = "flavors"
SIZES = ("cpus", "memory", "gpus", "gpu", "shm", "rdma")
COLUMNS = ("NAME", "GPUS", "CPUS", "MEMORY", "FOR|classes", "DESCRIPTION")
OPTIONS = (
    click.option("--cpus", type=float, help="CPUs of a task."),
    click.option("--memory", metavar="SIZE", help="Memory of a task, such as 64GiB."),
    click.option("--gpus", type=float, help="GPUs of a task; 0.5 is a share of one."),
    click.option("--gpu", metavar="MODEL", help="The GPU model, such as A100."),
    click.option("--shm", metavar="SIZE", help="Shared memory of a task; counts as memory."),
    click.option("--rdma/--no-rdma", default=None, help="Whether a task gets the node's RDMA devices."),
    click.option(
        "--class",
        "--classes",
        "classes",
        type=WordsParam(),
        metavar="CLASS,…",
        help=f"Job classes that may use it: {', '.join(CLASSES)}; empty means all.",
    ),
    click.option("--description", metavar="TEXT", help="What it is for."),
)


@click.group(cls=HelpfulGroup)
def flavor() -> None:
    """Flavors: named task sizes that job files can use instead of resources."""


def _row(one: models.Flavor) -> Cells:
    return [*offers.size_cells(one), show.word_list(one.classes or ["all"]), one.description]


def _about(one: models.Flavor) -> Facts:
    shm = one.resources.get("shm")
    facts: Facts = [*zip(map(str.lower, COLUMNS), _row(one)), ("shared memory", str(shm) if shm else "")]
    return [*facts, ("RDMA", show.yes(True) if one.resources.get("rdma") else "")]


def _body(options: GivenOptions, known: GivenOptions | None = None) -> dict[str, object]:
    """What to send: sizes are sent together, merged into the existing ones."""
    given = said(options)
    sizes = {key: given.pop(key) for key in SIZES if key in given}
    return {**given, "resources": {**(known or {}), **sizes}} if sizes else given


def _options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@flavor.command("edit")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@_options
@json_option
@pass_session
def flavor_edit(session: CliSession, /, names: tuple[str, ...], as_json: bool, **options: object) -> None:
    """Change a flavor, or several in the same way; existing jobs keep their size."""
    something(said(options), *option_names(flavor_edit))
    if not any(options[key] is not None for key in SIZES):
        offers.edit_all(session, names, said(options), as_json)
        return
    if len(names) > 1:
        raise click.UsageError(
            speak(
                "several flavors can only share --classes and --description; change sizes one flavor at a time.",
                "多个套餐只能一起修改 --classes 和 --description；规格请逐个修改。",
            )
        )
    _edit_one(session, names[0], as_json, options)


@flavor.command("set", hidden=True)
@click.argument("name")
@_options
@json_option
@pass_session
def flavor_set(session: CliSession, /, name: str, as_json: bool, **options: object) -> None:
    """Change a flavor; existing jobs keep their size."""
    say_now("edit")
    something(said(options), *option_names(flavor_edit))
    _edit_one(session, name, as_json, options)


def _edit_one(session: CliSession, name: str, as_json: bool, options: GivenOptions) -> None:
    sized = any(options[key] is not None for key in SIZES)
    known = session.client.flavors.get(name).resources if sized else {}
    send(
        session,
        "PATCH",
        address(PATH, name),
        _body(options, known),
        speak("Changed flavor {name}.", "已修改套餐 {name}。", name=name),
        as_json,
    )


flavors = Crud(flavor, "flavor", PATH, lambda: models.Flavor)
flavors.ls(
    "List flavors.",
    COLUMNS,
    _row,
    Words(
        "There are no flavors. Create one with: "
        "danlu flavor create a100-1 --gpus 1 --gpu A100 --cpus 8 --memory 64GiB",
        "没有套餐。可以这样创建：danlu flavor create a100-1 --gpus 1 --gpu A100 --cpus 8 --memory 64GiB",
    ),
    right=("CPUS",),
)
flavors.show("Show a flavor.", _about)
flavors.create("Create a flavor.", OPTIONS, lambda options: {"resources": {}, **_body(options)})
renamed(flavor, add="create")
for command in (offers.flavor_offers, offers.flavor_generate, offers.flavor_recommend, offers.flavor_rm):
    flavor.add_command(command)
