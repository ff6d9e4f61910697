"""`danlu files mkdir`, `mv`, `cp` and `rm`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import click

from danlu.cli.files.places import PLACE, VolumePath
from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import FAILED
from danlu.cli.shared.failures import complain
from danlu.cli.shared.options import json_option, whole_folders
from danlu.cli.words import speak

if TYPE_CHECKING:
    from danlu.sdk.models import FileFailure

_PLACES = click.argument("places", metavar="PLACE...", type=PLACE, nargs=-1, required=True)


@click.command("mkdir")
@_PLACES
@pass_session
def files_mkdir(session: CliSession, places: Sequence[VolumePath]) -> None:
    """Make folders in a volume, with those on the way that are missing."""
    for place in places:
        place.files(session).mkdir(place.path)
        show.echo(str(place))


@click.command("mv")
@_PLACES
@click.argument("to", metavar="TO", type=PLACE)
@json_option
@pass_session
def files_mv(session: CliSession, places: Sequence[VolumePath], to: VolumePath, as_json: bool) -> None:
    """Move or rename files within a volume; several go into the folder TO. Nothing is overwritten."""
    volume = _one_volume(places)
    if to.volume != volume:
        raise click.UsageError(
            speak(
                "files are moved within a volume only; copy them to {to}, then delete them",
                "只能在同一存储卷内移动；请先复制到 {to}，再删除",
                to=to.volume,
            )
        )
    done = to.files(session).move([one.path for one in places], to.path)
    _tell([{"path": one.path, "to": one.to} for one in done.items], done.failed, volume, as_json)


@click.command("cp")
@whole_folders
@_PLACES
@click.argument("to", metavar="TO", type=PLACE)
@json_option
@pass_session
def files_cp(session: CliSession, places: Sequence[VolumePath], to: VolumePath, as_json: bool) -> None:
    """Copy files and folders on the server, within a volume or into another. Nothing is overwritten."""
    volume = _one_volume(places)
    files = session.client.volumes.files(volume)
    done = files.copy([one.path for one in places], to.path, to.volume if to.volume != volume else None)
    _tell([{"path": one.path, "to": one.to} for one in done.items], done.failed, to.volume, as_json)


@click.command("rm")
@whole_folders
@_PLACES
@json_option
@pass_session
def files_rm(session: CliSession, places: Sequence[VolumePath], as_json: bool) -> None:
    """Move files and folders into the volume's trash; 'danlu files restore' takes them back.

    A bucket has no trash: what is deleted there is gone.
    """
    volume = _one_volume(places)
    done = session.client.volumes.files(volume).delete([one.path for one in places])
    _tell([{"path": one.path, "id": one.id} for one in done.items], done.failed, volume, as_json)


def _one_volume(places: Sequence[VolumePath]) -> str:
    volumes = sorted({one.volume for one in places})
    if len(volumes) > 1:
        raise click.UsageError(
            speak(
                "name files of one volume at a time: these are of {volumes}",
                "一次只能指定同一存储卷的文件：这些文件分属 {volumes}",
                volumes=", ".join(volumes),
            )
        )
    return volumes[0]


def _tell(items: Sequence[dict[str, Any]], failed: Sequence[FileFailure], volume: str, as_json: bool) -> None:
    """What was done, what was not and why; exit code 1 if anything was not."""
    if as_json:
        told = [{"path": one.path, "code": one.code, "text": one.text} for one in failed]
        print_json({"items": list(items), "failed": told})
    else:
        for one in items:
            show.echo(f"{volume}:/{one.get('to', one['path'])}")
        for each in failed:
            complain(f"{each.path}: {show.words(each.text)}")
    if failed:
        raise click.exceptions.Exit(FAILED)
