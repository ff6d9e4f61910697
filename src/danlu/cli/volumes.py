"""`danlu volume`: places for data that stay after a job."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, Tuple

import click

from danlu.cli import attached
from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import Crud, address, print_list, said, send, told
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words
from danlu.sdk import models

PATH = "volumes"
KINDS = ("filesystem", "block")
ALL_KINDS = (*KINDS, "bucket")
COLUMNS = ("NAME", "OWNER", "KIND", "CAPACITY", "USED", "ACCESS", "MOUNTED BY", "SHARED WITH", "DESCRIPTION")
TRASH_COLUMNS = ("NAME", "OWNER", "KIND", "CAPACITY", "ID", "TRASHED", "GONE IN")
Key = Tuple[str, str]
"""`user` or `project`, and a name."""
Shares = Mapping[Key, str]
EMPTY = Words(
    "There are no volumes. Create one: danlu volume create NAME --capacity 100GiB",
    "没有存储卷。可以这样创建：danlu volume create NAME --capacity 100GiB",
)
EMPTY_TRASH = Words("The trash is empty.", "回收站是空的。")


@click.group(cls=HelpfulGroup)
def volume() -> None:
    """Volumes: places for data, your own, those shared with you and public ones.

    Refer to your own volume by its name, and to another person's as OWNER:NAME.
    """


@volume.command("ls")
@click.option("--owner", metavar="NAME", help="Only this person's; 'me' is yourself.")
@click.option("--kind", type=WordParam(ALL_KINDS), help="Only volumes of this kind.")
@click.option("--trash", is_flag=True, help="List what is in the trash.")
@json_option
@pass_session
def volume_ls(session: CliSession, owner: str | None, kind: str | None, trash: bool, as_json: bool) -> None:
    """List your volumes, those shared with you and public ones."""
    asked = {"owner": owner, "kind": kind, "trashed": "true" if trash else None}
    found = session.pages(models.VolumeRow, PATH, None, asked)
    if trash:
        print_list(found, as_json, spoken(EMPTY_TRASH), TRASH_COLUMNS, _trashed, ["CAPACITY"])
    else:
        print_list(found, as_json, spoken(EMPTY), COLUMNS, _row, ["CAPACITY", "USED"])


def _about(created: bool) -> Sequence[Any]:
    """The options that creating and editing have in common; what is not said stays as it is."""
    default = False if created else None
    return (
        click.option("--description", metavar="TEXT", help="What it is for."),
        click.option("--public/--private", default=default, help="Whether everybody may read it."),
        click.option(
            "--sensitive/--not-sensitive",
            default=default,
            help="Whether others need a permission to use its files.",
        ),
    )


_crud = Crud(volume, "volume", PATH, lambda: models.Volume)
_crud.show(
    "Show a volume: its size, whom it is shared with, and the jobs that mount it.", lambda one: _facts(one)
)
_crud.create(
    "Create a volume.",
    [
        click.option("--capacity", metavar="SIZE", required=True, help="How much it holds, such as 100GiB."),
        click.option(
            "--kind",
            type=WordParam(KINDS),
            default="filesystem",
            show_default=True,
            help="filesystem: any number of jobs write; block: one job writes, or many read.",
        ),
        click.option(
            "--cluster", metavar="NAME", help="The cluster that it is to be in; default: this machine."
        ),
        click.option(
            "--claim",
            metavar="NAME",
            help="Attach this PersistentVolumeClaim of the cluster; administrators only.",
        ),
        *_about(created=True),
    ],
)
_crud.edit(
    "Rename or describe a volume, or change who may read it.",
    [
        click.option("--name", "new_name", metavar="NAME", help="The new name."),
        *_about(created=False),
    ],
    lambda options: _renamed(said(options)),
)


@volume.command("grow")
@click.argument("name")
@click.argument("capacity", metavar="SIZE")
@json_option
@pass_session
def volume_grow(session: CliSession, name: str, capacity: str, as_json: bool) -> None:
    """Grow a volume to a larger capacity, such as 200GiB; jobs that mount it go on."""
    sentence = speak(
        "Volume {name} holds {size} now.", "存储卷 {name} 的容量现为 {size}。", name=name, size=capacity
    )
    send(session, "PATCH", address(PATH, name), {"capacity": capacity}, sentence, as_json)


_user = click.option("--user", "users", metavar="NAME", multiple=True, help="A person; may be repeated.")
_project = click.option(
    "--project", "projects", metavar="NAME", multiple=True, help="The members of a project; may be repeated."
)


@volume.command("share")
@click.argument("name")
@_user
@_project
@click.option("--write", is_flag=True, help="They may write too; otherwise they read.")
@json_option
@pass_session
def volume_share(
    session: CliSession, name: str, users: Sequence[str], projects: Sequence[str], write: bool, as_json: bool
) -> None:
    """Share a volume with people and projects, besides those it is shared with."""
    mode = "rw" if write else "ro"
    added = dict.fromkeys(_keys(users, projects), mode)
    _change_shares(session, name, lambda known: {**known, **added}, as_json)


@volume.command("unshare")
@click.argument("name")
@_user
@_project
@click.option("--all", "everybody", is_flag=True, help="Share it with nobody.")
@json_option
@pass_session
def volume_unshare(
    session: CliSession,
    name: str,
    users: Sequence[str],
    projects: Sequence[str],
    everybody: bool,
    as_json: bool,
) -> None:
    """Stop sharing a volume with people and projects; jobs that run go on."""
    gone = set() if everybody else set(_keys(users, projects))

    def change(known: Shares) -> Shares:
        _must_be_shared(name, gone - set(known))
        return {} if everybody else {key: mode for key, mode in known.items() if key not in gone}

    _change_shares(session, name, change, as_json)


@volume.command("rm")
@click.argument("name")
@click.option("--forever", is_flag=True, help="Delete one in the trash for good.")
@yes_option
@pass_session
def volume_rm(session: CliSession, name: str, forever: bool, yes: bool) -> None:
    """Move a volume to the trash, where it stays for a while; with --forever, delete it for good."""
    if not forever:
        session.client.volumes.delete(name)
        note(
            speak(
                "Moved volume {name} to the trash. Take it out again: danlu volume restore {name}",
                "已将存储卷 {name} 移入回收站。恢复：danlu volume restore {name}",
                name=name,
            )
        )
        return
    question = speak(
        "Delete volume {name} and all its files for good?", "彻底删除存储卷 {name} 及其全部文件？", name=name
    )
    surely(question, yes)
    session.client.volumes.delete(name, forever=True)
    note(speak("Deleted volume {name} for good.", "已彻底删除存储卷 {name}。", name=name))


@volume.command("restore")
@click.argument("name")
@json_option
@pass_session
def volume_restore(session: CliSession, name: str, as_json: bool) -> None:
    """Take a volume out of the trash, by name or id."""
    sentence = speak("Restored volume {name} from the trash.", "已从回收站恢复存储卷 {name}。", name=name)
    send(session, "POST", f"{address(PATH, name)}/restore", {}, sentence, as_json)


for _command in (attached.attach, attached.check, attached.login):
    volume.add_command(_command)


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
    known = {(one.to, one.name): one.mode for one in session.client.volumes.get(name).shares}
    shares = [{"to": to, "name": whom, "mode": mode} for (to, whom), mode in change(known).items()]
    send(
        session,
        "PUT",
        f"{address(PATH, name)}/shares",
        {"shares": shares},
        told("Changed", "volume", name),
        as_json,
    )


def _must_be_shared(name: str, strangers: set[Key]) -> None:
    for _, whom in sorted(strangers):
        raise click.UsageError(
            speak(
                "volume {name} is not shared with {whom}.",
                "存储卷 {name} 没有共享给 {whom}。",
                name=name,
                whom=whom,
            )
        )


def _renamed(options: dict[str, object]) -> dict[str, object]:
    return {"name" if key == "new_name" else key: value for key, value in options.items()}


# ── what is shown ────────────────────────────────────────────────────────────────────────────────────


def _row(one: models.VolumeRow) -> Cells:
    return [
        one.name,
        one.owner,
        one.kind,
        "-" if one.source else show.size(one.capacity),
        _used(one),
        one.mode or "-",
        _mounted(one),
        _shared(one) or "-",
        one.description,
    ]


def _trashed(one: models.VolumeRow) -> Cells:
    gone = show.until(one.gone_at) or "-"
    return [one.name, one.owner, one.kind, show.size(one.capacity), one.id, show.local(one.trashed_at), gone]


def _used(one: models.VolumeRow) -> str:
    if one.used is None:
        return "-"
    return f"{'' if one.complete else '≥ '}{show.size(one.used)}"


def _mounted(one: models.VolumeRow) -> str:
    """The first jobs by name, and how many others there are."""
    if not one.mounts:
        return "-"
    named, others = one.mounted_by[:2], one.mounts - len(one.mounted_by[:2])
    if not named:
        return speak("jobs: {count}", "{count} 个任务", count=one.mounts)
    more = [speak("{count} more", "另有 {count} 个", count=others)] if others else []
    return ", ".join([*named, *more])


def _shared(one: models.VolumeRow) -> str:
    everybody = [speak("everybody (ro)", "所有人 (ro)")] if one.public else []
    others = [f"{share.to}:{share.name} ({share.mode})" for share in one.shares]
    return ", ".join([*everybody, *others])


def _status(one: models.VolumeRow) -> str:
    """Of the claim that Danlu makes for it, and what there is to be said of it."""
    if one.made is None:
        return ""
    states = {
        "pending": speak("pending", "创建中"),
        "bound": speak("bound", "可用"),
        "lost": speak("lost", "已丢失"),
    }
    state = states.get(one.made.state, one.made.state)
    return f"{state}: {show.words(one.made.text)}" if one.made.note else state


def _fate(one: models.VolumeRow) -> str:
    if one.made is None or not one.made.kept:
        return ""
    return speak("its data stays in the cluster (Retain)", "数据会保留在集群中（Retain）")


def _uncounted(one: models.VolumeRow) -> str:
    if one.claim:
        return speak("not measured", "未测量")
    return speak("not counted yet", "尚未统计")


def _facts(one: models.Volume) -> Facts:
    uses = [f"{use.owner}:{use.job}" if use.job else use.owner for use in one.uses]
    return [
        ("id", one.id),
        ("name", one.name),
        ("owner", one.owner),
        ("kind", one.kind),
        ("cluster", one.cluster if one.claim else ""),
        ("claim", one.claim),
        *_where(one),
        ("storage class", one.storage_class),
        ("status", _status(one)),
        ("when deleted", _fate(one)),
        *_sizes(one),
        ("access", one.mode or speak("none: it is sensitive", "无：内容敏感") if not one.trashed_at else ""),
        ("shared with", _shared(one)),
        ("sensitive", speak("yes", "是") if one.sensitive else ""),
        ("mounted by", ", ".join(uses)),
        ("description", one.description),
        ("created", show.local(one.created_at)),
        ("trashed", show.local(one.trashed_at)),
        ("gone in", show.until(one.gone_at)),
    ]


def _sizes(one: models.Volume) -> Facts:
    """None of an attached volume, whose data is outside."""
    if one.source is not None:
        return []
    age = show.ago(one.used_at)
    counted = speak("{used}, counted {age} ago", "{used}（{age}前统计）", used=_used(one), age=age)
    return [("capacity", _capacity(one)), ("used", counted if age else _uncounted(one))]


def _capacity(one: models.Volume) -> str:
    """With what happens there."""
    size = show.size(one.capacity)
    if one.enforcement == "storage":
        return speak("{size}, for the cluster's storage to hold to", "{size}（由集群存储限制）", size=size)
    if one.enforcement == "ending_jobs":
        return speak(
            "{size}, measured; jobs that go on writing beyond {most} are ended",
            "{size}（按统计；超过 {most} 后仍在写入的任务会被终止）",
            size=size,
            most=show.size(one.most),
        )
    return speak("{size}, only measured", "{size}（仅统计）", size=size)


def _where(one: models.Volume) -> Facts:
    """Of an attached volume."""
    if one.source is None:
        return []
    return [
        ("address", one.source.address),
        ("endpoint", one.source.endpoint),
        ("login", speak("kept sealed", "已加密保存") if one.has_login else speak("none", "无")),
        ("private", speak("yes", "是") if one.source.private else ""),
    ]
