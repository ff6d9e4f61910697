"""`danlu dataset`: all its commands."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, Tuple

import click

from danlu.cli.datasets.look import (
    dataset_acts,
    dataset_diff,
    dataset_files,
    dataset_get,
    dataset_lineage,
    dataset_versions,
)
from danlu.cli.datasets.make import (
    dataset_gc,
    dataset_snapshot,
    dataset_tag,
    dataset_untag,
    dataset_verify,
)
from danlu.cli.datasets.recipes import dataset_import, dataset_recipes, dataset_resume
from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import Crud, address, print_list, said, send, told
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words
from danlu.sdk import models

PATH = "datasets"
COLUMNS = ("NAME", "OWNER", "LATEST", "FILES", "SIZE|bytes", "ACCESS", "SHARED WITH", "DESCRIPTION")
TRASH_COLUMNS = ("NAME", "OWNER", "ID", "TRASHED", "GONE IN")
Key = Tuple[str, str]
Shares = Mapping[Key, str]
EMPTY = Words(
    "There are no datasets. Create one: danlu dataset create NAME",
    "没有数据集。可以这样创建：danlu dataset create NAME",
)
EMPTY_TRASH = Words("The trash is empty.", "回收站是空的。")


@click.group(cls=HelpfulGroup)
def dataset() -> None:
    """Datasets: versions of data that never change, your own, those shared with you and public ones.

    Refer to your own dataset by its name, to another person's as OWNER:NAME, and to a version as NAME@v3, NAME@TAG, or
    NAME for the newest.
    """


@dataset.command("ls")
@click.option("--owner", metavar="NAME", help="Only this person's; 'me' is yourself.")
@click.option("--trash", is_flag=True, help="List what is in the trash.")
@json_option
@pass_session
def dataset_ls(session: CliSession, owner: str | None, trash: bool, as_json: bool) -> None:
    """List your datasets, those shared with you and public ones."""
    asked = {"owner": owner, "trashed": "true" if trash else None}
    found = session.pages(models.DatasetRow, PATH, None, asked)
    if trash:
        print_list(found, as_json, spoken(EMPTY_TRASH), TRASH_COLUMNS, _trashed)
    else:
        print_list(found, as_json, spoken(EMPTY), COLUMNS, _row, ["FILES", "SIZE|bytes"])


def _about(created: bool) -> Sequence[Any]:
    """The options that creating and editing have in common; what is not said stays as it is."""
    default = False if created else None
    return (
        click.option("--description", metavar="TEXT", help="What it is."),
        click.option(
            "--licence", metavar="TEXT", help="Under which its data may be used, such as CC-BY-4.0."
        ),
        click.option(
            "--card", type=click.File("r", encoding="utf-8"), help="A Markdown file that tells about it."
        ),
        click.option("--public/--private", default=default, help="Whether everybody may read it."),
        click.option(
            "--sensitive/--not-sensitive",
            default=default,
            help="Whether others need a permission to use its files.",
        ),
    )


_crud = Crud(dataset, "dataset", PATH, lambda: models.Dataset)
_crud.show(
    "Show a dataset: its newest version, whom it is shared with, and its card.", lambda one: _facts(one)
)
_crud.create(
    "Create a dataset, still without a version.", _about(created=True), lambda options: _read(options)
)
_crud.edit(
    "Rename or describe a dataset, or change who may read it.",
    [
        click.option("--name", "new_name", metavar="NAME", help="The new name."),
        *_about(created=False),
    ],
    lambda options: _read(options),
)

for command in (
    dataset_recipes,
    dataset_import,
    dataset_resume,
    dataset_snapshot,
    dataset_versions,
    dataset_files,
    dataset_get,
    dataset_diff,
    dataset_tag,
    dataset_untag,
    dataset_verify,
    dataset_lineage,
    dataset_acts,
    dataset_gc,
):
    dataset.add_command(command)


_user = click.option("--user", "users", metavar="NAME", multiple=True, help="A person; may be repeated.")
_project = click.option(
    "--project", "projects", metavar="NAME", multiple=True, help="The members of a project; may be repeated."
)


@dataset.command("share")
@click.argument("name")
@_user
@_project
@click.option("--write", is_flag=True, help="They may make versions too; otherwise they read.")
@json_option
@pass_session
def dataset_share(
    session: CliSession, name: str, users: Sequence[str], projects: Sequence[str], write: bool, as_json: bool
) -> None:
    """Share a dataset with people and projects, besides those it is shared with."""
    added = dict.fromkeys(_keys(users, projects), "rw" if write else "ro")
    _change_shares(session, name, lambda known: {**known, **added}, as_json)


@dataset.command("unshare")
@click.argument("name")
@_user
@_project
@click.option("--all", "everybody", is_flag=True, help="Share it with nobody.")
@json_option
@pass_session
def dataset_unshare(
    session: CliSession,
    name: str,
    users: Sequence[str],
    projects: Sequence[str],
    everybody: bool,
    as_json: bool,
) -> None:
    """Stop sharing a dataset with people and projects; jobs that run go on."""
    gone = set() if everybody else set(_keys(users, projects))

    def change(known: Shares) -> Shares:
        for _, whom in sorted(gone - set(known)):
            text = speak(
                "dataset {name} is not shared with {whom}.",
                "数据集 {name} 没有共享给 {whom}。",
                name=name,
                whom=whom,
            )
            raise click.UsageError(text)
        return {} if everybody else {key: mode for key, mode in known.items() if key not in gone}

    _change_shares(session, name, change, as_json)


@dataset.command("rm")
@click.argument("name", metavar="NAME[@VERSION]")
@click.option("--forever", is_flag=True, help="Delete one in the trash for good.")
@yes_option
@pass_session
def dataset_rm(session: CliSession, name: str, forever: bool, yes: bool) -> None:
    """Move a dataset to the trash, where it stays for a while; with @VERSION, remove that version for good."""
    if "@" in name:
        question = speak("Remove version {name} for good?", "彻底删除版本 {name}？", name=name)
        surely(question, yes)
        session.client.datasets.delete_version(name)
        note(speak("Removed version {name}.", "已删除版本 {name}。", name=name))
        return
    if not forever:
        session.client.datasets.delete(name)
        note(
            speak(
                "Moved dataset {name} to the trash. Take it out again: danlu dataset restore {name}",
                "已将数据集 {name} 移入回收站。恢复：danlu dataset restore {name}",
                name=name,
            )
        )
        return
    question = speak(
        "Delete dataset {name} and all its versions for good?",
        "彻底删除数据集 {name} 及其全部版本？",
        name=name,
    )
    surely(question, yes)
    session.client.datasets.delete(name, forever=True)
    note(speak("Deleted dataset {name} for good.", "已彻底删除数据集 {name}。", name=name))


@dataset.command("restore")
@click.argument("name")
@json_option
@pass_session
def dataset_restore(session: CliSession, name: str, as_json: bool) -> None:
    """Take a dataset out of the trash, by name or id."""
    sentence = speak("Restored dataset {name} from the trash.", "已从回收站恢复数据集 {name}。", name=name)
    send(session, "POST", f"{address(PATH, name)}/restore", {}, sentence, as_json)


# ── sharing ──────────────────────────────────────────────────────────────────────────────────────────


def _keys(users: Sequence[str], projects: Sequence[str]) -> list[Key]:
    if not users and not projects:
        raise click.UsageError(
            speak(
                "say with whom: --user NAME or --project NAME.", "请指定对象：--user NAME 或 --project NAME。"
            )
        )
    return [*(("user", one) for one in users), *(("project", one) for one in projects)]


def _change_shares(session: CliSession, name: str, change: Callable[[Shares], Shares], as_json: bool) -> None:
    known = {(one.to, one.name): one.mode for one in session.client.datasets.get(name).shares}
    shares = [{"to": to, "name": whom, "mode": mode} for (to, whom), mode in change(known).items()]
    path = f"{address(PATH, name)}/shares"
    send(session, "PUT", path, {"shares": shares}, told("Changed", "dataset", name), as_json)


# ── what is sent and shown ───────────────────────────────────────────────────────────────────────────


def _read(options: Mapping[str, object]) -> dict[str, object]:
    """Options as the API has them; the card is what is in the file."""
    sent = {"name" if key == "new_name" else key: value for key, value in said(options).items()}
    card: Any = sent.get("card")
    return {**sent, "card": card.read()} if card is not None else sent


def _row(one: models.DatasetRow) -> Cells:
    files = f"{one.files:,}" if one.latest else "-"
    size = show.size(one.bytes) if one.latest else "-"
    shared = _shared(one) or "-"
    return [one.name, one.owner, one.latest or "-", files, size, one.mode or "-", shared, one.description]


def _trashed(one: models.DatasetRow) -> Cells:
    return [one.name, one.owner, one.id, show.local(one.trashed_at), show.until(one.gone_at) or "-"]


def _shared(one: models.DatasetRow) -> str:
    everybody = [speak("everybody (ro)", "所有人 (ro)")] if one.public else []
    return ", ".join([*everybody, *(f"{share.to}:{share.name} ({share.mode})" for share in one.shares)])


def _facts(one: models.Dataset) -> Facts:
    return [
        ("id", one.id),
        ("name", one.name),
        ("owner", one.owner),
        ("latest", one.latest or speak("no version yet", "尚无版本")),
        ("files", f"{one.files:,}" if one.latest else ""),
        ("size|bytes", show.size(one.bytes) if one.latest else ""),
        ("licence", one.licence),
        ("access", one.mode or speak("none: it is sensitive", "无：内容敏感") if not one.trashed_at else ""),
        ("shared with", _shared(one)),
        ("sensitive", speak("yes", "是") if one.sensitive else ""),
        ("description", one.description),
        ("created", show.local(one.created_at)),
        ("trashed", show.local(one.trashed_at)),
        ("gone in", show.until(one.gone_at)),
        ("card", one.card.strip()),
    ]
