"""`danlu files ls`, `cat`, `head`, `trash` and `restore`."""

from __future__ import annotations

import sys
from typing import Sequence

import click

from danlu.cli.files.places import PLACE, VolumePath
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.entries import MOST_LISTED, entry_rows
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.words import speak
from danlu.domain.words import one_line
from danlu.sdk import models
from danlu.sdk.http.errors import NotFound
from danlu.sdk.http.paths import segment

_OF_ROWS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".pq")
_MOST_OF_TEXT = 256 << 10


@click.command("ls")
@click.argument("place", metavar="PLACE", type=PLACE)
@click.option("--sort", type=WordParam(["name", "size", "modified"]), default="name", help="What to sort by.")
@click.option("--descending", is_flag=True, help="The largest, the latest or the last first.")
@json_option
@pass_session
def files_ls(session: CliSession, place: VolumePath, sort: str, descending: bool, as_json: bool) -> None:
    """List a folder of a volume, such as data:/train or lin:imagenet:/."""
    entries = place.files(session).ls(place.path, sort, descending)
    if as_json:
        print_json(
            [
                {
                    "name": one.name,
                    "key": one.key,
                    "kind": one.kind,
                    "size": one.size,
                    "modified": one.modified,
                }
                for one in entries
            ]
        )
        return
    found = [one for one, _ in zip(entries, range(MOST_LISTED))]
    if not found:
        note(speak("Nothing is there.", "目录为空。"))
        return
    show.table(["SIZE|bytes", "MODIFIED", "NAME"], entry_rows(found), right=["SIZE|bytes"])
    if len(found) == MOST_LISTED:
        note(
            speak(
                "These are the first {shown}; --json lists all.",
                "仅列出前 {shown} 项；--json 可列出全部。",
                shown=MOST_LISTED,
            )
        )


@click.command("cat")
@click.argument("places", metavar="PLACE...", type=PLACE, nargs=-1, required=True)
@pass_session
def files_cat(session: CliSession, places: Sequence[VolumePath]) -> None:
    """Print files of a volume."""
    for place in places:
        for piece in place.files(session).pieces(place.path):
            sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


@click.command("head")
@click.argument("place", metavar="PLACE", type=PLACE)
@click.option("-n", "--rows", type=click.IntRange(1, 200), default=10, help="How many rows or lines.")
@json_option
@pass_session
def files_head(session: CliSession, place: VolumePath, rows: int, as_json: bool) -> None:
    """Show the first rows of a CSV, TSV, JSON Lines or Parquet file, and of others the first lines."""
    files = place.files(session)
    if not place.path.lower().endswith(_OF_ROWS):
        text = files.read(place.path, limit=_MOST_OF_TEXT).decode("utf-8", "replace")
        lines = text.splitlines()[:rows]
        if as_json:
            print_json({"lines": lines})
            return
        for line in lines:
            show.echo(line)
        return
    found = files.preview(place.path, rows)
    if as_json:
        print_json(
            {
                "columns": [
                    {"name": one.name, "type": one.type, "shown": one.shown} for one in found.columns
                ],
                "rows": found.rows,
                "total": found.total,
            }
        )
        return
    show.table([one_line(one.name) for one in found.columns], [list(map(_cell, row)) for row in found.rows])
    hidden = [one.name for one in found.columns if not one.shown]
    if hidden:
        note(
            speak(
                "Not shown, as they are nested, unusual or too large: {names}",
                "以下列因嵌套、编码特殊或过大而未显示：{names}",
                names=", ".join(hidden),
            )
        )
    if found.total is not None:
        note(speak("{count} rows in all.", "共 {count} 行。", count=found.total))


@click.command("link")
@click.argument("place", metavar="PLACE", type=PLACE)
@json_option
@pass_session
def files_link(session: CliSession, place: VolumePath, as_json: bool) -> None:
    """Print a link to a file or folder, for those who may read the volume."""
    url = place.files(session).link(place.path)
    if as_json:
        print_json({"url": url})
        return
    show.echo(url)


@click.command("trash")
@click.argument("place", metavar="VOLUME", type=PLACE)
@click.option("--empty", is_flag=True, help="Delete everything in it for good.")
@yes_option
@json_option
@pass_session
def files_trash(session: CliSession, place: VolumePath, empty: bool, yes: bool, as_json: bool) -> None:
    """List what was deleted from a volume, the latest first; or delete it for good."""
    files = place.files(session)
    if empty:
        surely(
            speak(
                "Delete everything in the trash of {volume} for good?",
                "彻底删除 {volume} 回收站中的全部内容？",
                volume=place.volume,
            ),
            yes,
        )
        files.empty_trash()
        show.echo(speak("The trash is empty.", "回收站已清空。"))
        return
    if as_json:
        print_json(list(session.http.pages(f"volumes/{segment(place.volume)}/trash")))
        return
    found = [one for one, _ in zip(files.trash(), range(MOST_LISTED))]
    if not found:
        note(speak("The trash is empty.", "回收站为空。"))
        return
    rows = [
        [
            one.id,
            show.local(one.deleted_at),
            one.deleted_by,
            show.size(one.size) if one.size is not None else "",
            show.until(one.gone_at) or "-",
            _shown(one),
        ]
        for one in found
    ]
    show.table(["ID", "DELETED", "BY", "SIZE|bytes", "GONE IN", "PATH"], rows, right=["SIZE|bytes"])
    use = files.trash_use()
    size = show.size(use.size)
    if use.whole:
        note(speak("The trash takes {size}.", "回收站占用 {size}。", size=size))
    else:
        note(
            speak(
                "The trash takes {size} at least: not all of it is counted yet.",
                "回收站至少占用 {size}，尚未全部统计。",
                size=size,
            )
        )


@click.command("restore")
@click.argument("place", metavar="VOLUME", type=PLACE)
@click.argument("entries", metavar="ENTRY...", nargs=-1, required=True)
@json_option
@pass_session
def files_restore(session: CliSession, place: VolumePath, entries: Sequence[str], as_json: bool) -> None:
    """Put deleted files back where they were; ENTRY is an id of 'danlu files trash', or the path it had."""
    files = place.files(session)
    done = []
    for entry in entries:
        wanted = entry.strip("/")
        found = next((one for one in files.trash() if wanted in (one.id, one.path)), None)
        if found is None:
            raise NotFound(
                speak(
                    "'{entry}' is not in the trash of {volume}",
                    "{volume} 的回收站中没有“{entry}”",
                    entry=entry,
                    volume=place.volume,
                )
            )
        done.append(files.restore(found.id))
        if not as_json:
            show.echo(f"{place.volume}:/{done[-1]}")
    if as_json:
        print_json({"items": [{"path": one} for one in done]})


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _shown(one: models.TrashEntry) -> str:
    return one.path + ("/" if one.kind == "folder" else "")
