"""The trash of a volume: what was deleted from it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.errors import NotFound
from danlu.domain.file_names import escaped_path
from danlu.domain.words import Words
from danlu.ports.volumes.changing import TrashEntry
from danlu.server.desk import Desk
from danlu.server.http.access import AccessRule, P
from danlu.server.http.answering import Json, answer, instant
from danlu.server.http.reading import Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.volumes import file_models as models
from danlu.server.volumes.addresses import ONE, VOLUME
from danlu.server.volumes.refusals import refusal

routes = Routes("volumes")

_TRASH = f"{ONE}/trash"
_WRITE = AccessRule(P.VOLUME_WRITE, VOLUME)


@routes.add("GET", _TRASH, AccessRule(P.VOLUME_READ, VOLUME), models.TrashList, refusals=(409, 422))
def list_volume_trash(
    desk: AtDesk,
    who: Who,
    volume: str,
    query: Annotated[models.TrashQuery, Depends(Query(models.TrashQuery))],
) -> Response:
    """What was deleted from a volume, the latest first."""
    opened = desk.services.volume_files.open(who, volume)
    changes, use = desk.services.ports.changes, None
    try:
        found = changes.trash(opened.at, query.limit + 1, query.cursor)
        use = changes.trash_use(opened.at) if query.cursor is None else None
    except FileNotFoundError:  # nothing was ever written to this directory
        found = ()
    page = found[: query.limit]
    return answer(
        {
            "items": [trash_entry(desk, one) for one in page],
            "next_cursor": page[-1].id if len(found) > len(page) else None,
            "use": models.TrashUse.render(use) if use is not None else None,
        }
    )


@routes.add("POST", f"{_TRASH}/{{entry}}/restore", _WRITE, models.Restored, refusals=(409, 422))
def restore_volume_file(desk: AtDesk, who: Who, volume: str, entry: str) -> Response:
    """Put something back to where it was; if something else is there by now, it stays in the trash."""
    opened = desk.services.volume_files.open(who, volume, write=True)
    changes = desk.services.ports.changes
    try:
        return answer({"path": escaped_path(changes.restore(opened.at, entry, opened.open.hand))})
    except FileExistsError as error:
        raise refusal(error.filename or entry.encode(), error) from None
    except FileNotFoundError:
        raise NotFound(_NO_ENTRY) from None
    except OSError as error:
        raise refusal(entry.encode(), error) from None


@routes.add("DELETE", _TRASH, _WRITE, status=204, refusals=(409,))
def empty_volume_trash(desk: AtDesk, who: Who, volume: str) -> Response:
    """Delete everything in a volume's trash for good."""
    opened = desk.services.volume_files.open(who, volume, write=True)
    desk.services.ports.changes.drop(opened.at)
    return Response(status_code=204)


@routes.add("DELETE", f"{_TRASH}/{{entry}}", _WRITE, status=204, refusals=(409,))
def delete_trashed_file(desk: AtDesk, who: Who, volume: str, entry: str) -> Response:
    """Delete one thing in a volume's trash for good."""
    opened = desk.services.volume_files.open(who, volume, write=True)
    if not desk.services.ports.changes.drop(opened.at, entry):
        raise NotFound(_NO_ENTRY)
    return Response(status_code=204)


def trash_entry(desk: Desk, one: TrashEntry) -> Json:
    """With when it is gone for good."""
    gone = desk.services.volume_files.gone_at(one.at)
    return models.TrashEntry.render(one, gone_at=None if gone is None else instant(gone))


_NO_ENTRY = Words("there is no such thing in the trash (any more)", "回收站中没有该内容（或已被移除）")
