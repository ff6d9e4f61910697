"""Versions of datasets: made, tagged, compared, verified and removed."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.file_names import escaped_path
from danlu.domain.permissions import Caller
from danlu.domain.words import Words
from danlu.server.datasets import models
from danlu.server.datasets.addresses import DATASET, ONE, VERSION, VERSIONS
from danlu.server.datasets.rendering import act_shown, version_shown
from danlu.server.desk import Desk
from danlu.server.files.reading import missing, read_path
from danlu.server.http.access import AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Body, Query, decimal
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("datasets")

_READ, _WRITE = AccessRule(P.DATASET_READ, DATASET), AccessRule(P.DATASET_WRITE, DATASET)
_ACTS = f"{ONE}/acts"


@routes.add("GET", VERSIONS, _READ, models.DatasetVersionList, refusals=(422,))
def list_versions(
    desk: AtDesk,
    who: Who,
    dataset: str,
    query: Annotated[models.VersionsQuery, Depends(Query(models.VersionsQuery))],
) -> Response:
    """The versions of a dataset, the newest first."""
    before = decimal(query.cursor)
    if query.cursor is not None and before is None:
        raise Invalid((FieldError(("query", "cursor"), "bad_cursor", _BAD_CURSOR, query.cursor),))
    one, found = desk.services.datasets.versions.list(who, dataset, before, query.limit + 1)
    page = found[: query.limit]
    cursor = str(page[-1].number) if len(found) > query.limit else None
    return answer({"items": [version_shown(one, version) for version in page], "next_cursor": cursor})


@routes.add("GET", VERSION, _READ, models.DatasetVersion)
def get_dataset_version(desk: AtDesk, who: Who, dataset: str, version: str) -> Response:
    """A version: `v3`, `3`, a tag, or `latest`."""
    return answer(version_shown(*desk.services.datasets.versions.get(who, dataset, version)))


@routes.add("DELETE", VERSION, _WRITE, status=204, refusals=(409,))
def delete_version(desk: AtDesk, who: Who, dataset: str, version: str) -> Response:
    """Remove a version for good, unless a job uses it; its number is not given again."""
    desk.services.datasets.versions.remove(who, dataset, version)
    return Response(status_code=204)


@routes.add("GET", f"{VERSION}/diff", _READ, models.DatasetDiffPage, refusals=(409, 422))
async def diff_versions(
    desk: AtDesk,
    who: Who,
    dataset: str,
    version: str,
    query: Annotated[models.DiffQuery, Depends(Query(models.DiffQuery))],
) -> Response:
    """What is in a version and not, or not the same, in an older one: files added, removed and changed, by path."""
    return await desk.threads.for_stream(_diff, desk, who, dataset, version, query)


@routes.add("PUT", f"{ONE}/tags/{{tag}}", _WRITE, models.DatasetVersion, refusals=(409, 413, 422))
def tag_version(
    desk: AtDesk,
    who: Who,
    dataset: str,
    tag: str,
    body: Annotated[models.TagSet, Depends(Body(models.TagSet))],
) -> Response:
    """Give a tag to a version; the version that had it loses it."""
    room = desk.services.datasets
    found = room.versions.tag(who, dataset, tag, body.version)
    return answer(version_shown(room.datasets.get(who, dataset), found))


@routes.add("DELETE", f"{ONE}/tags/{{tag}}", _WRITE, status=204, refusals=(409,))
def untag_version(desk: AtDesk, who: Who, dataset: str, tag: str) -> Response:
    """Take a tag away from its version."""
    desk.services.datasets.versions.untag(who, dataset, tag)
    return Response(status_code=204)


@routes.add("POST", f"{ONE}/snapshots", _WRITE, models.DatasetAct, status=202, refusals=(409, 413, 422))
def snapshot_dataset(
    desk: AtDesk,
    who: Who,
    dataset: str,
    body: Annotated[models.SnapshotCreate, Depends(Body(models.SnapshotCreate))],
) -> Response:
    """Make the next version of what a folder of a volume holds; the act that is answered tells how far it is."""
    path = read_path(body.path, ("path",))
    room = desk.services.datasets.acts
    act = room.snapshot(who, dataset, body.volume, path, tuple(body.tags), body.note, body.reread)
    return answer(act_shown(act), 202)


@routes.add("POST", f"{VERSION}/verify", _READ, models.DatasetAct, status=202, refusals=(409,))
def verify_version(desk: AtDesk, who: Who, dataset: str, version: str) -> Response:
    """Read all files of a version again, and compare them with what they should be."""
    return answer(act_shown(desk.services.datasets.acts.verify(who, dataset, version)), 202)


@routes.add("GET", _ACTS, _READ, models.DatasetActList)
def list_dataset_acts(desk: AtDesk, who: Who, dataset: str) -> Response:
    """The latest imports, snapshots and verifications of a dataset, the newest first, with how far they are."""
    return answer({"items": [act_shown(act) for act in desk.services.datasets.acts.list(who, dataset)]})


@routes.add("GET", f"{_ACTS}/{{act}}", _READ, models.DatasetAct)
def get_dataset_act(desk: AtDesk, who: Who, dataset: str, act: str) -> Response:
    """An import, a snapshot or a verification, and how far it is."""
    return answer(act_shown(desk.services.datasets.acts.get(who, dataset, act)))


@routes.add("DELETE", f"{_ACTS}/{{act}}", _WRITE, models.DatasetAct, refusals=(409,))
def cancel_dataset_act(desk: AtDesk, who: Who, dataset: str, act: str) -> Response:
    """Cancel an import, a snapshot or a verification that waits or runs; what is over stays as it is."""
    return answer(act_shown(desk.services.recipes.imports.cancel(who, dataset, act)))


def _diff(desk: Desk, who: Caller, dataset: str, version: str, query: models.DiffQuery) -> Response:
    room = desk.services.datasets.versions
    after = read_path(query.cursor or "", ("query", "cursor"))
    try:
        first, second, found = room.differences(who, dataset, query.old, version, after, query.limit + 1)
    except OSError as error:
        raise missing(b"", error) from None
    page = found[: query.limit]
    cursor = escaped_path(page[-1].path) if len(found) > query.limit else None
    return answer(
        {
            "old": first.name if first else None,
            "new": second.name,
            "items": [models.DatasetChange.render(one) for one in page],
            "next_cursor": cursor,
        }
    )


_BAD_CURSOR = Words(
    "this cursor does not belong to this list; start again without a cursor",
    "该游标不属于此列表，请去掉游标重新开始",
)
