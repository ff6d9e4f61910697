"""Links to files of volumes, for people who may read them."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Request
from starlette.responses import Response

from danlu.domain.errors import Conflict
from danlu.domain.file_names import escaped_path
from danlu.domain.volumes.volume import RESERVED_NAMES
from danlu.domain.words import Words
from danlu.ports.files import EntryKind
from danlu.server.files.models import PathQuery
from danlu.server.files.reading import missing, read_path
from danlu.server.http.access import AccessRule, P
from danlu.server.http.addresses import own_address
from danlu.server.http.answering import answer
from danlu.server.http.reading import Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.volumes import file_models as models
from danlu.server.volumes.addresses import ONE, VOLUME

routes = Routes("volumes")


@routes.add("GET", f"{ONE}/link", AccessRule(P.VOLUME_READ, VOLUME), models.FileLink, refusals=(409, 422))
def link_volume_file(
    request: Request,
    desk: AtDesk,
    who: Who,
    volume: str,
    query: Annotated[PathQuery, Depends(Query(PathQuery))],
) -> Response:
    """A link to a file or folder, for those who may read the volume."""
    if volume in RESERVED_NAMES:
        raise Conflict(_OWN.fill(name=volume))
    path = read_path(query.path)
    services = desk.services
    opened = services.volume_files.open(who, volume)
    try:
        kind = services.ports.files.look_at(opened.at.place(path)).kind
    except OSError as error:
        raise missing(path, error) from None
    one = services.volumes.get(who, volume)
    home = own_address(request, services.process.settings.public_url).rstrip("/")
    asked = urlencode(_asked(path, kind))
    url = f"{home}/volumes/{one.id}" + (f"?{asked}" if asked else "")
    return answer({"url": url, "volume": one.title, "kind": kind.value})


def _asked(path: bytes, kind: EntryKind) -> dict[str, str]:
    """As the console spells its own addresses."""
    folder, _, name = path.rpartition(b"/")
    parts = {"path": path} if kind is EntryKind.FOLDER else {"path": folder, "file": name}
    return {key: escaped_path(part) for key, part in parts.items() if part}


_OWN = Words(
    "{name} is your own directory, which nobody else sees: put the file into a volume, and share that",
    "{name} 是你自己的目录，他人无法查看：请将文件放入存储卷并共享该存储卷",
)
