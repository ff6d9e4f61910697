"""The clusters that jobs may run on."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import Words
from danlu.ports.clusters import ClusterCredentials
from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.machines.clusters_models import (
    Cluster,
    ClusterAccess,
    ClusterCheck,
    ClusterCreate,
    ClusterEdit,
    ClusterList,
    ClusterRemoval,
    ClusterReport,
)
from danlu.server.machines.clusters_render import cluster as rendered
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("clusters")


@routes.add("GET", f"{API}/clusters", AccessRule(P.CLUSTER_READ, COMMON), ClusterList, refusals=(422,))
def list_clusters(desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]) -> Response:
    """List all clusters by name, with the resources of their nodes and how much is used."""
    found, more = page_of(desk.services.machines.clusters.all(who), lambda use: use.cluster.name, query)
    return answer({"items": [rendered(use, who) for use in found], "next_cursor": more})


@routes.add(
    "POST",
    f"{API}/clusters",
    AccessRule(P.CLUSTER_WRITE, COMMON),
    Cluster,
    status=201,
    refusals=(409, 413, 422),
)
def create_cluster(
    desk: AtDesk, who: Who, body: Annotated[ClusterCreate, Depends(Body(ClusterCreate))]
) -> Response:
    """Add a cluster after checking it; the kubeconfig is stored as a secret and never shown."""
    cluster = KubernetesCluster(**body.settings())
    made = desk.services.machines.clusters.add(who, cluster, _needed(body), force=body.force)
    return answer(rendered(made, who), 201, {"Location": f"{API}/clusters/{made.cluster.name}"})


@routes.add(
    "POST", f"{API}/clusters/check", AccessRule(P.CLUSTER_WRITE, COMMON), ClusterReport, refusals=(413, 422)
)
def check_new_cluster(
    desk: AtDesk, who: Who, body: Annotated[ClusterCheck, Depends(Body(ClusterCheck))]
) -> Response:
    """Check a cluster without adding it: what is there, what is missing, and how to fix it."""
    cluster = KubernetesCluster(**{**body.settings(), "name": body.name})
    return answer(ClusterReport.render(desk.services.machines.clusters.check(who, cluster, _needed(body))))


@routes.add("GET", f"{API}/clusters/{{name}}", AccessRule(P.CLUSTER_READ, COMMON), Cluster)
def get_cluster(desk: AtDesk, who: Who, name: str) -> Response:
    """One cluster."""
    return answer(rendered(desk.services.machines.clusters.one(who, name), who))


@routes.add(
    "PATCH",
    f"{API}/clusters/{{name}}",
    AccessRule(P.CLUSTER_WRITE, COMMON),
    Cluster,
    refusals=(409, 413, 422),
)
def edit_cluster(
    desk: AtDesk, who: Who, name: str, body: Annotated[ClusterEdit, Depends(Body(ClusterEdit))]
) -> Response:
    """Change a cluster's settings or credentials; fields that are left out stay as they are."""
    edited = desk.services.machines.clusters.edit(who, name, body.settings(), _access(body), force=body.force)
    return answer(rendered(edited, who))


@routes.add(
    "DELETE", f"{API}/clusters/{{name}}", AccessRule(P.CLUSTER_WRITE, COMMON), status=204, refusals=(409, 422)
)
def delete_cluster(
    desk: AtDesk, who: Who, name: str, query: Annotated[ClusterRemoval, Depends(Query(ClusterRemoval))]
) -> Response:
    """Remove a cluster; with force even if jobs run there, which are then lost."""
    desk.services.machines.clusters.remove(who, name, force=query.force)
    return Response(status_code=204)


@routes.add("POST", f"{API}/clusters/{{name}}/check", AccessRule(P.CLUSTER_WRITE, COMMON), ClusterReport)
def check_cluster(desk: AtDesk, who: Who, name: str) -> Response:
    """Check a cluster that was added."""
    return answer(ClusterReport.render(desk.services.machines.clusters.check_known(who, name)))


def _needed(body: ClusterAccess) -> ClusterCredentials:
    found = _access(body)
    if found is None:
        message = Words(
            "kubeconfig is required, or in_cluster where Danlu runs in that cluster",
            "请填写 kubeconfig；若丹炉就运行在该集群中，可使用 in_cluster",
        )
        raise Invalid((FieldError(("kubeconfig",), "missing", message),))
    return found


def _access(body: ClusterAccess) -> ClusterCredentials | None:
    """The credentials, if any were given."""
    if body.in_cluster and body.kubeconfig:
        message = Words(
            "give either in_cluster or kubeconfig, not both",
            "使用 in_cluster 时不需要 kubeconfig，请二选一",
        )
        raise Invalid((FieldError(("in_cluster",), "contradiction", message),))
    if body.context and not body.kubeconfig:
        message = Words("a context needs a kubeconfig: give that too", "context 属于 kubeconfig，请一并填写")
        raise Invalid((FieldError(("context",), "contradiction", message, body.context),))
    if body.kubeconfig:
        return ClusterCredentials(body.kubeconfig, body.context)
    return ClusterCredentials() if body.in_cluster else None
