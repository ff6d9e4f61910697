"""`danlu dataset versions`, `files`, `get`, `diff`, `lineage` and `acts`."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.entries import MOST_LISTED, entry_rows
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.sdk.models import DatasetAct, DatasetChange, DatasetVersion

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


@click.command("versions")
@click.argument("name")
@json_option
@pass_session
def dataset_versions(session: CliSession, name: str, as_json: bool) -> None:
    """List the versions of a dataset, the newest first."""
    found = list(session.client.datasets.versions(name))
    if as_json:
        print_json({"items": [asdict(one) for one in found]})
    elif not found:
        note(
            speak(
                "There is no version yet. Make one: danlu dataset snapshot {name} VOLUME:/path",
                "还没有版本。可以这样生成：danlu dataset snapshot {name} VOLUME:/path",
                name=name,
            )
        )
    else:
        columns = ["VERSION", "TAGS", "FILES", "SIZE|bytes", "NEW", "FROM", "BY", "CREATED", "NOTE"]
        show.table(columns, [_version(one) for one in found], right=["FILES", "SIZE|bytes", "NEW"])


@click.command("files")
@click.argument("ref", metavar="NAME[@VERSION]")
@click.argument("path", default="")
@click.option("--all", "everything", is_flag=True, help="All files below, with their SHA-256.")
@json_option
@pass_session
def dataset_files(session: CliSession, ref: str, path: str, everything: bool, as_json: bool) -> None:
    """List a folder of a version, or with --all everything in it."""
    room = session.client.datasets
    if everything:
        files = room.files(ref, path)
        if as_json:
            print_json([one._asdict() for one in files])
            return
        for one in files:
            show.echo(f"{one.digest or '-':64}  {one.size:>12}  {one.path}")
        return
    entries = room.ls(ref, path)
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    found = list(islice(entries, MOST_LISTED))
    if not found:
        note(speak("Nothing is there.", "目录为空。"))
    else:
        show.table(["SIZE|bytes", "MODIFIED", "NAME"], entry_rows(found), right=["SIZE|bytes"])


@click.command("get")
@click.argument("ref", metavar="NAME[@VERSION]")
@click.argument("path", default="")
@click.option("-o", "--output", metavar="DEST", default="", help="Where to put it. Default: here.")
@click.option("--overwrite", is_flag=True, help="Overwrite files that exist already.")
@pass_session
def dataset_get(session: CliSession, ref: str, path: str, output: str, overwrite: bool) -> None:
    """Download a version, or a file or folder of it."""
    show.echo(session.client.datasets.download(ref, path, output, overwrite))


@click.command("diff")
@click.argument("ref", metavar="NAME[@VERSION]")
@click.argument("old", metavar="[OLDER]", default="")
@json_option
@pass_session
def dataset_diff(session: CliSession, ref: str, old: str, as_json: bool) -> None:
    """Tell what is in a version and not, or not the same, in an older one; by default in the one before it."""
    found = session.client.datasets.diff(ref, old.rpartition("@")[2] or None)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    counts = dict.fromkeys(_SIGNS, 0)
    for one in found:
        counts[one.kind] = counts.get(one.kind, 0) + 1
        show.echo(f"{_SIGNS.get(one.kind, '?')} {one.name}{_sizes(one)}")
    note(
        speak(
            "{added} added, {removed} removed, {changed} changed.",
            "新增 {added} 个，删除 {removed} 个，修改 {changed} 个。",
            added=f"{counts['added']:,}",
            removed=f"{counts['removed']:,}",
            changed=f"{counts['changed']:,}",
        )
    )


@click.command("lineage")
@click.argument("ref", metavar="NAME[@VERSION]")
@json_option
@pass_session
def dataset_lineage(session: CliSession, ref: str, as_json: bool) -> None:
    """Show where versions come from, and which jobs read them."""
    found = session.client.datasets.lineage(ref)
    if as_json:
        print_json(asdict(found))
        return
    names = {one.id: f"{show.word(one.kind, 'lineage')} {one.name or one.owner}" for one in found.nodes}
    rows = [
        [names[one.source], f"─ {show.word(one.kind, 'lineage')} →", names[one.target]] for one in found.edges
    ]
    if rows:
        show.table(["FROM", "", "TO"], rows)
    else:
        note(speak("Nothing is known of it yet.", "暂无血缘记录。"))


@click.command("acts")
@click.argument("name")
@json_option
@pass_session
def dataset_acts(session: CliSession, name: str, as_json: bool) -> None:
    """List snapshots and verifications of a dataset, the newest first, with how far they are."""
    found = session.client.datasets.acts(name)
    if as_json:
        print_json({"items": [asdict(one) for one in found]})
    elif not found:
        note(speak("Nothing was done with it yet.", "尚无操作。"))
    else:
        columns = ["ID", "KIND", "STATE", "VERSION", "FILES", "SIZE|bytes", "BY", "CREATED", "TOOK", "ABOUT"]
        show.table(columns, [_act(one) for one in found], right=["FILES", "SIZE|bytes"])


def _version(one: DatasetVersion) -> list[show.Cell | str]:
    source = one.job or one.place
    return [
        one.version,
        ", ".join(one.tags) or "-",
        f"{one.files:,}",
        show.size(one.bytes),
        show.size(one.stored),
        source or "-",
        one.made_by,
        show.local(one.created_at),
        one.note,
    ]


def _act(one: DatasetAct) -> list[show.Cell | str]:
    about = show.words(one.error) if one.error else one.place
    return [
        one.id,
        one.kind,
        show.state(one.state),
        one.version or "-",
        f"{one.files:,}",
        show.size(one.bytes),
        one.by,
        show.local(one.created_at),
        show.took(one.began_at, one.ended_at) if one.began_at else "-",
        about,
    ]


def _sizes(one: DatasetChange) -> str:
    if one.kind == "changed":
        return f"  {show.size(one.old_size)} → {show.size(one.new_size)}"
    return f"  {show.size(one.new_size if one.kind == 'added' else one.old_size)}"
