"""`danlu dataset snapshot`, `tag`, `untag`, `verify` and `gc`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Sequence

import click

from danlu.cli.files.places import PLACE, VolumePath
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import FAILED
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.sdk.models import DatasetAct
from danlu.sdk.resources.datasets.datasets import split


@click.command("snapshot")
@click.argument("name")
@click.argument("place", metavar="PLACE", type=PLACE)
@click.option(
    "--tag", "tags", metavar="TAG", multiple=True, help="Give the version this tag; may be repeated."
)
@click.option("--note", "remark", metavar="TEXT", default="", help="What is new in it.")
@click.option("--verify", is_flag=True, help="Read every file, also those that look unchanged.")
@click.option("--detach", is_flag=True, help="Do not wait until it is made.")
@json_option
@pass_session
def dataset_snapshot(
    session: CliSession,
    name: str,
    place: VolumePath,
    tags: Sequence[str],
    remark: str,
    verify: bool,
    detach: bool,
    as_json: bool,
) -> None:
    """Make the next version of what a folder of a volume holds, such as data:/train.

    What the store has already is not copied again, and files that have not changed since the last snapshot are not
    read. Stopping this command does not stop the snapshot."""
    room = session.client.datasets
    act = room.snapshot(name, str(place), tags, remark, reread=verify, wait=False)
    if not detach:
        act = _waited(session, name, act)
    if as_json:
        print_json(asdict(act))
    elif detach:
        note(
            speak(
                "The snapshot runs: danlu dataset acts {name}",
                "快照正在进行：danlu dataset acts {name}",
                name=name,
            )
        )
    else:
        note(
            speak(
                "Made {name}@{version}: {files} files, {size}, of which {stored} are new to the store.",
                "已生成 {name}@{version}：{files} 个文件，共 {size}，其中 {stored} 为新存入。",
                name=name,
                version=act.version,
                files=f"{act.files:,}",
                size=show.size(act.bytes),
                stored=show.size(act.stored),
            )
        )
        _tell_left_out(session, f"{name}@{act.version}")


@click.command("tag")
@click.argument("ref", metavar="NAME@VERSION")
@click.argument("tag")
@pass_session
def dataset_tag(session: CliSession, ref: str, tag: str) -> None:
    """Give a tag to a version; the version that had it loses it."""
    found = session.client.datasets.tag(ref, tag)
    note(
        speak(
            "{name}@{tag} is {version} now.",
            "{name}@{tag} 现指向 {version}。",
            name=split(ref)[0],
            tag=tag,
            version=found.version,
        )
    )


@click.command("untag")
@click.argument("ref", metavar="NAME@TAG")
@pass_session
def dataset_untag(session: CliSession, ref: str) -> None:
    """Take a tag away from its version."""
    name, tag = split(ref)
    session.client.datasets.untag(name, tag)
    note(speak("Removed tag {tag} of {name}.", "已移除 {name} 的标签 {tag}。", name=name, tag=tag))


@click.command("verify")
@click.argument("ref", metavar="NAME[@VERSION]")
@json_option
@pass_session
def dataset_verify(session: CliSession, ref: str, as_json: bool) -> None:
    """Read all files of a version again, and tell which are damaged; exit code 1 if any is."""
    name, _ = split(ref)
    act = _waited(session, name, session.client.datasets.verify(ref, wait=False))
    if as_json:
        print_json(asdict(act))
    elif not act.damaged:
        note(
            speak(
                "All {files} files of {name}@{version} are as they should be.",
                "{name}@{version} 的 {files} 个文件全部完好。",
                files=f"{act.files:,}",
                name=name,
                version=act.version,
            )
        )
    else:
        for path in act.found:
            show.echo(path)
        note(
            speak(
                "{damaged} files of {name}@{version} are damaged. Where their source still has them, this mends them: "
                "danlu dataset snapshot {name} PLACE --verify",
                "{name}@{version} 有 {damaged} 个文件损坏。若来源中仍有这些文件，可这样修复："
                "danlu dataset snapshot {name} PLACE --verify",
                damaged=f"{act.damaged:,}",
                name=name,
                version=act.version,
            )
        )
    if act.damaged:
        raise click.exceptions.Exit(FAILED)


@click.command("gc")
@json_option
@pass_session
def dataset_gc(session: CliSession, as_json: bool) -> None:
    """Remove from the store what no version needs any more; it happens every hour by itself. For administrators."""
    found = session.client.datasets.collect()
    if as_json:
        print_json(asdict(found))
    else:
        note(
            speak(
                "Removed {objects} contents, {size}.",
                "已清理 {objects} 份内容，共 {size}。",
                objects=f"{found.objects:,}",
                size=show.size(found.bytes),
            )
        )


def _waited(session: CliSession, name: str, act: DatasetAct) -> DatasetAct:
    shown = sys.stderr.isatty()

    def progress(now: DatasetAct) -> None:
        text = speak(
            "{files} files, {size}",
            "{files} 个文件，{size}",
            files=f"{now.files:,}",
            size=show.size(now.bytes),
        )
        click.echo(f"\r\033[K{text}", nl=False, err=True)

    try:
        return session.client.datasets.wait(name, act, progress if shown else None)
    finally:
        if shown:
            click.echo("\r\033[K", nl=False, err=True)


def _tell_left_out(session: CliSession, ref: str) -> None:
    """What is in the folder and not in the version."""
    found = session.client.datasets.version(ref).summary
    if found is None:
        return
    left = found.links_out + found.special + found.unreadable
    if left:
        note(
            speak(
                "Left out: {links} links that lead out of the folder, {special} pipes, sockets and devices, "
                "{unreadable} that could not be read; for example {some}.",
                "未包含：{links} 个指向目录之外的链接，{special} 个管道、套接字和设备，{unreadable} 个无法读取；"
                "例如 {some}。",
                links=found.links_out,
                special=found.special,
                unreadable=found.unreadable,
                some=", ".join(found.left_out[:3]) or "-",
            )
        )
    if found.unsettled:
        note(
            speak(
                "{count} files changed whenever they were read: they are as they were read last.",
                "{count} 个文件在读取时一直在变化，保存的是最后一次读到的内容。",
                count=found.unsettled,
            )
        )
