"""Volumes: one's own, those shared with one, and public ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.volumes.volumes import VolumeStanding
from danlu.domain.findings import Level
from danlu.domain.permissions import Caller
from danlu.domain.volumes import volume as domain
from danlu.ports.volumes.records import VolumeUse
from danlu.server.desk import Desk
from danlu.server.http.access import ONESELF, AccessRule, P
from danlu.server.http.answering import Json, answer
from danlu.server.http.models import Finding
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.volumes import addresses, models
from danlu.server.volumes.addresses import TRASHED, VOLUME

routes = Routes("volumes")

_ALL, _ONE = addresses.ALL, addresses.ONE


@routes.add("GET", _ALL, AccessRule(P.VOLUME_READ, ONESELF), models.VolumeList, refusals=(422,))
def list_volumes(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.VolumeListQuery, Depends(Query(models.VolumeListQuery))],
) -> Response:
    """One's own volumes, those shared with one and public ones, by name."""
    owner = who.name if query.owner == "me" else query.owner
    room = desk.services.volumes
    found = room.all(who, owner, query.kind, query.trashed)
    page, cursor = page_of(found, lambda one: f"{one.name} {one.owner} {one.id}", query)
    items = [models.VolumeRow.render(one, mounted_by=_names(who, one)) for one in room.standings(who, page)]
    return answer({"items": items, "next_cursor": cursor, "total": len(found)})


@routes.add(
    "POST", _ALL, AccessRule(P.VOLUME_WRITE, ONESELF), models.Volume, status=201, refusals=(409, 413, 422)
)
def create_volume(
    desk: AtDesk, who: Who, body: Annotated[models.VolumeCreate, Depends(Body(models.VolumeCreate))]
) -> Response:
    """Create a volume within one's quota for its kind, or attach one to an address outside, which is looked at."""
    return _whole(desk, who, desk.services.volumes.create(who, **body.plain()), 201)


@routes.add("GET", _ONE, AccessRule(P.VOLUME_READ, VOLUME), models.Volume)
def get_volume(desk: AtDesk, who: Who, volume: str) -> Response:
    """A volume with the jobs that mount it; by id, by the name of one of one's own, or as OWNER:NAME."""
    return _whole(desk, who, desk.services.volumes.get(who, volume))


@routes.add("PATCH", _ONE, AccessRule(P.VOLUME_WRITE, VOLUME), models.Volume, refusals=(409, 413, 422))
def edit_volume(
    desk: AtDesk,
    who: Who,
    volume: str,
    body: Annotated[models.VolumeEdit, Depends(Body(models.VolumeEdit))],
) -> Response:
    """Rename, describe or grow a volume, or change who may read it."""
    return _whole(desk, who, desk.services.volumes.edit(who, volume, body.values()))


@routes.add("DELETE", _ONE, AccessRule(P.VOLUME_WRITE, VOLUME), status=204, refusals=(409, 422))
def delete_volume(
    desk: AtDesk,
    who: Who,
    volume: str,
    query: Annotated[models.VolumeQuery, Depends(Query(models.VolumeQuery))],
) -> Response:
    """Move a volume to the trash, unless a job mounts it; with `forever`, delete one in the trash for good."""
    room = desk.services.volumes
    if query.forever:
        room.delete(who, volume)
    else:
        room.trash(who, volume)
    return Response(status_code=204)


@routes.add("POST", f"{_ONE}/restore", AccessRule(P.VOLUME_WRITE, TRASHED), models.Volume, refusals=(409,))
def restore_volume(desk: AtDesk, who: Who, volume: str) -> Response:
    """Take a volume out of the trash."""
    return _whole(desk, who, desk.services.volumes.restore(who, volume))


@routes.add(
    "PUT", f"{_ONE}/shares", AccessRule(P.VOLUME_WRITE, VOLUME), models.Volume, refusals=(409, 413, 422)
)
def share_volume(
    desk: AtDesk,
    who: Who,
    volume: str,
    body: Annotated[models.VolumeShares, Depends(Body(models.VolumeShares))],
) -> Response:
    """Share a volume with exactly these people and projects."""
    return _whole(desk, who, desk.services.volumes.share(who, volume, body.plain()))


@routes.add(
    "POST", f"{_ONE}/check", AccessRule(P.VOLUME_WRITE, VOLUME), models.VolumeFindings, refusals=(409,)
)
def check_volume(desk: AtDesk, who: Who, volume: str) -> Response:
    """Look whether the place outside that a volume is attached to can be used now."""
    found = desk.services.volumes.check(who, volume)
    ready = all(one.level is Level.OK for one in found)
    return answer({"ready": ready, "findings": [Finding.render(one) for one in found]})


@routes.add(
    "PUT", f"{_ONE}/login", AccessRule(P.VOLUME_WRITE, VOLUME), models.Volume, refusals=(409, 413, 422)
)
def set_volume_login(
    desk: AtDesk,
    who: Who,
    volume: str,
    body: Annotated[models.VolumeLogin, Depends(Body(models.VolumeLogin))],
) -> Response:
    """Sign in with another login at the place outside, which is looked at first."""
    return _whole(desk, who, desk.services.volumes.set_login(who, volume, body.plain()))


@routes.add("DELETE", f"{_ONE}/login", AccessRule(P.VOLUME_WRITE, VOLUME), models.Volume, refusals=(409,))
def remove_volume_login(desk: AtDesk, who: Who, volume: str) -> Response:
    """Forget the login of a volume whose place outside needs none."""
    return _whole(desk, who, desk.services.volumes.set_login(who, volume, None))


def _whole(desk: Desk, who: Caller, one: domain.Volume, status: int = 200) -> Response:
    room = desk.services.volumes
    (standing,) = room.standings(who, [one])
    shown = models.Volume.render(standing, mounted_by=_names(who, standing), uses=list(_uses(desk, who, one)))
    return answer(shown, status, {"Location": f"{_ALL}/{one.id}"} if status == 201 else {})


def _uses(desk: Desk, who: Caller, one: domain.Volume) -> Iterator[Json]:
    for use in desk.services.volumes.uses(one):
        readable = _reads(who, use)
        yield models.VolumeMount.render(
            use, id=use.job_id if readable else None, job=use.name if readable else None
        )


def _names(who: Caller, one: VolumeStanding) -> list[str]:
    return [use.name for use in one.load.first if _reads(who, use)]


def _reads(who: Caller, use: VolumeUse) -> bool:
    return who.may(P.JOB_READ, use.owner) and who.reaches(use.job_id)
