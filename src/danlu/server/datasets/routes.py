"""Datasets: one's own, those shared with one, and public ones."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.datasets.reference import number_of
from danlu.server.datasets import addresses, models
from danlu.server.datasets.addresses import DATASET, TRASHED
from danlu.server.datasets.rendering import whole
from danlu.server.http.access import COMMON, ONESELF, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who, in_thread
from danlu.server.volumes.models import VolumeShares

routes = Routes("datasets")

_ALL, _ONE = addresses.ALL, addresses.ONE
_WRITE = AccessRule(P.DATASET_WRITE, DATASET)


@routes.add("GET", _ALL, AccessRule(P.DATASET_READ, ONESELF), models.DatasetList, refusals=(422,))
def list_datasets(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.DatasetListQuery, Depends(Query(models.DatasetListQuery))],
) -> Response:
    """One's own datasets, those shared with one and public ones, by name."""
    owner = who.name if query.owner == "me" else query.owner
    room = desk.services.datasets.datasets
    found = room.all(who, owner, query.trashed)
    page, cursor = page_of(found, lambda one: f"{one.name} {one.owner} {one.id}", query)
    items = [models.DatasetRow.render(room.standing(who, one)) for one in page]
    return answer({"items": items, "next_cursor": cursor})


@routes.add(
    "POST", _ALL, AccessRule(P.DATASET_WRITE, ONESELF), models.Dataset, status=201, refusals=(409, 413, 422)
)
def create_dataset(
    desk: AtDesk, who: Who, body: Annotated[models.DatasetCreate, Depends(Body(models.DatasetCreate))]
) -> Response:
    """Create a dataset, still without a version."""
    made = desk.services.datasets.datasets.create(who, **body.values())
    return answer(whole(desk, who, made), 201, {"Location": f"{_ALL}/{made.id}"})


@routes.add("GET", _ONE, AccessRule(P.DATASET_READ, DATASET), models.Dataset)
def get_dataset(desk: AtDesk, who: Who, dataset: str) -> Response:
    """A dataset with its card; by id, by the name of one of one's own, or as OWNER:NAME."""
    return answer(whole(desk, who, desk.services.datasets.datasets.get(who, dataset)))


@routes.add("PATCH", _ONE, _WRITE, models.Dataset, refusals=(409, 413, 422))
def edit_dataset(
    desk: AtDesk,
    who: Who,
    dataset: str,
    body: Annotated[models.DatasetEdit, Depends(Body(models.DatasetEdit))],
) -> Response:
    """Rename or describe a dataset, or change who may read it."""
    return answer(whole(desk, who, desk.services.datasets.datasets.edit(who, dataset, body.values())))


@routes.add("DELETE", _ONE, _WRITE, status=204, refusals=(409, 422))
def delete_dataset(
    desk: AtDesk,
    who: Who,
    dataset: str,
    query: Annotated[models.DatasetQuery, Depends(Query(models.DatasetQuery))],
) -> Response:
    """Move a dataset to the trash, unless a job uses it; with `forever`, delete one in the trash for good."""
    room = desk.services.datasets.datasets
    if query.forever:
        room.delete(who, dataset)
    else:
        room.trash(who, dataset)
    return Response(status_code=204)


@routes.add("POST", f"{_ONE}/restore", AccessRule(P.DATASET_WRITE, TRASHED), models.Dataset, refusals=(409,))
def restore_dataset(desk: AtDesk, who: Who, dataset: str) -> Response:
    """Take a dataset out of the trash."""
    return answer(whole(desk, who, desk.services.datasets.datasets.restore(who, dataset)))


@routes.add("PUT", f"{_ONE}/shares", _WRITE, models.Dataset, refusals=(409, 413, 422))
def share_dataset(
    desk: AtDesk, who: Who, dataset: str, body: Annotated[VolumeShares, Depends(Body(VolumeShares))]
) -> Response:
    """Share a dataset with exactly these people and projects: `ro` to read versions, `rw` to make them too."""
    return answer(whole(desk, who, desk.services.datasets.datasets.share(who, dataset, body.plain())))


@routes.add(
    "GET", f"{_ONE}/lineage", AccessRule(P.DATASET_READ, DATASET), models.DatasetLineage, refusals=(422,)
)
def get_dataset_lineage(
    desk: AtDesk,
    who: Who,
    dataset: str,
    query: Annotated[models.LineageQuery, Depends(Query(models.LineageQuery))],
) -> Response:
    """Where the versions of a dataset come from, and which jobs read them, as a graph."""
    room = desk.services.datasets
    number = None
    if query.version is not None:
        number = number_of(query.version) or room.versions.get(who, dataset, query.version)[1].number
    graph = room.lineages.of(who, dataset, number)
    return answer(
        {
            "nodes": [models.LineageNode.render(one) for one in graph.nodes.values()],
            "edges": [models.LineageEdge.render(one) for one in graph.edges],
        }
    )


@routes.add("GET", addresses.STORE, AccessRule(P.SYSTEM_READ, COMMON), models.DatasetStoreFigure)
def get_dataset_store(desk: AtDesk) -> Response:
    """How much the store of all versions has."""
    objects, size = desk.services.datasets.acts.figure()
    return answer({"objects": objects, "bytes": size})


@routes.add(
    "POST",
    f"{addresses.STORE}/collect",
    AccessRule(P.DATASET_WRITE, COMMON),
    models.DatasetCollected,
    refusals=(409,),
)
async def collect_datasets(desk: AtDesk, who: Who) -> Response:
    """Remove from the store what no version needs; it happens by itself every hour too."""
    return answer(models.DatasetCollected.render(await in_thread(desk.services.datasets.acts.collect, who)))
