"""Places in volumes as they are written on a command line: VOLUME:/path, OWNER:VOLUME:/path."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from danlu.cli.words import speak
from danlu.sdk.copying.places import volume_place

if TYPE_CHECKING:
    from danlu.cli.session import CliSession
    from danlu.sdk.resources.volumes.files import VolumeFiles


class VolumePath(NamedTuple):
    volume: str
    path: str

    def files(self, session: CliSession) -> VolumeFiles:
        return session.client.volumes.files(self.volume)

    def __str__(self) -> str:
        return f"{self.volume}:/{self.path}"


class PlaceParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`data:/train`, `lin:imagenet:/train`, `personal:/`; a volume alone is its whole folder."""

    name = "place"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> VolumePath:
        if isinstance(value, VolumePath):
            return value
        found = volume_place(str(value))
        if found is None:
            self.fail(
                speak(
                    "'{value}' is no place in a volume; write VOLUME:/path or OWNER:VOLUME:/path",
                    "“{value}”不是存储卷中的位置；请写作 VOLUME:/path 或 OWNER:VOLUME:/path",
                    value=value,
                ),
                param,
                ctx,
            )
        return VolumePath(*found)


PLACE = PlaceParam()
