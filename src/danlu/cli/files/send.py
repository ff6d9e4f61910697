"""`danlu files put` and `get`: up and down, four at a time, and on from where it broke off."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Sequence

import click

from danlu.cli.files.places import PLACE, VolumePath
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.entries import ManyProgress
from danlu.cli.shared.exit_codes import FAILED
from danlu.cli.shared.failures import complain, sentence
from danlu.cli.shared.options import json_option, whole_folders
from danlu.cli.words import speak
from danlu.domain.file_names import shown_name

if TYPE_CHECKING:
    from danlu.sdk.resources.volumes.many import FileOutcome

_OVERWRITE = click.option("--overwrite", is_flag=True, help="Overwrite files that exist already.")


@click.command("put")
@whole_folders
@click.argument("paths", metavar="LOCAL...", type=click.Path(exists=True), nargs=-1, required=True)
@click.argument("to", metavar="PLACE", type=PLACE)
@_OVERWRITE
@json_option
@pass_session
def files_put(
    session: CliSession, paths: Sequence[str], to: VolumePath, overwrite: bool, as_json: bool
) -> None:
    """Upload files and folders into a volume, four at a time.

    What broke off goes on when the command is run again; a file appears in the volume when it is whole."""
    progress = ManyProgress()
    done = to.files(session).put(list(paths), to.path, overwrite, progress)
    progress.end()
    _tell(session, done, f"{to.volume}:/", as_json)


@click.command("get")
@whole_folders
@click.argument("place", metavar="PLACE", type=PLACE)
@click.option("-o", "--output", metavar="DEST", default="", help="Where to put it. Default: here.")
@_OVERWRITE
@json_option
@pass_session
def files_get(session: CliSession, place: VolumePath, output: str, overwrite: bool, as_json: bool) -> None:
    """Download a file or folder of a volume, four files at a time.

    What broke off goes on when the command is run again; files that are here already are left alone."""
    from danlu.sdk.resources.downloads import safe_name

    name = safe_name(os.path.basename(place.path) or place.volume.rpartition(":")[2])
    target = os.path.join(output, name) if output.endswith("/") else output or name
    progress = ManyProgress()
    done = place.files(session).fetch(place.path, target, overwrite, progress)
    progress.end()
    _tell(session, done, "", as_json)


def _tell(session: CliSession, done: Sequence[FileOutcome], before: str, as_json: bool) -> None:
    """A single failure is told as every other; of several, each with its file, and the exit code is 1."""
    failed = [one for one in done if one.error is not None]
    if len(done) == 1 and failed and not as_json:
        assert failed[0].error is not None
        raise failed[0].error
    if as_json:
        print_json(
            {
                "items": [
                    {"source": _plain(one.source), "to": _plain(one.to), "skipped": one.skipped}
                    for one in done
                    if one.error is None
                ],
                "failed": [
                    {"source": _plain(one.source), "code": one.error.code, "detail": one.error.detail}
                    for one in failed
                    if one.error
                ],
            }
        )
    else:
        for one in done:
            if one.error is None and not one.skipped:
                show.echo(before + _plain(one.to))
        skipped = sum(one.skipped for one in done)
        if skipped:
            note(speak("{count} were here already.", "{count} 个文件已在此处。", count=skipped))
        for one in failed:
            if one.error:
                complain(f"{_plain(one.source)}: {sentence(one.error, session)}")
    if failed:
        raise click.exceptions.Exit(FAILED)


def _plain(path: str) -> str:
    return shown_name(os.fsencode(path))
