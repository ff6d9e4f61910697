"""Claims in a small API server: made once, grown, deleted, and never another's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.errors import NotLeader, Unavailable
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim, claim_name
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.engines.kubernetes.claims.claims import KubernetesClaims
from danlu.ports.clusters import ClusterCredentials
from tests.fakes.kubernetes import ApiServer, Fault

GIB = 2**30
LAB = KubernetesCluster("lab", namespace="jobs", filesystem_class="nfs")
CLAIMS = KubernetesClaims(lambda: True, "inst")
Json = dict[str, Any]


@pytest.fixture
def server() -> Iterator[ApiServer]:
    server = ApiServer()
    server.cluster.put("storageclasses", {"metadata": {"name": "nfs"}, "allowVolumeExpansion": True})
    yield server
    server.close()


def access(server: ApiServer) -> ClusterCredentials:
    config = {
        "clusters": [{"name": "c", "cluster": {"server": server.url}}],
        "contexts": [{"name": "x", "context": {"cluster": "c"}}],
        "current-context": "x",
    }
    return ClusterCredentials(json.dumps(config))


def volume(number: int = 1, **keys: Any) -> Volume:
    one = Volume(f"0v{number}", "lin", f"v{number}", VolumeKind.FILESYSTEM, GIB, 0, 0, cluster="lab")
    return replace(one, claim=claim_name(one.id), storage_class="nfs", **keys)


def keep(server: ApiServer, one: Volume, known: VolumeClaim | None = None) -> VolumeClaim:
    [found], _ = CLAIMS.keep(LAB, access(server), [(one, known)], [])
    return found


def remove(server: ApiServer, claim: VolumeClaim) -> tuple[str, ...]:
    return CLAIMS.keep(LAB, access(server), [], [claim])[1]


def bind(server: ApiServer, one: Volume, capacity: int = GIB) -> None:
    status = {"phase": "Bound", "capacity": {"storage": str(capacity)}}
    assert server.cluster.change("persistentvolumeclaims", f"jobs/{one.claim}", {"status": status})


def test_a_claim_is_made_once_named_and_labelled_by_danlu(server: ApiServer) -> None:
    found = keep(server, volume())
    assert (found.state, found.note, bool(found.uid)) == (ClaimState.PENDING, ClaimNote.PROVISIONING, True)
    assert keep(server, volume(), found) == found
    assert len(server.asked("create persistentvolumeclaims")) == 1
    [made] = server.cluster.all("persistentvolumeclaims")
    assert made["metadata"]["name"] == "danlu-volume-0v1"
    assert made["metadata"]["labels"]["danlu.io/volume"] == "0v1"
    assert made["spec"]["resources"]["requests"]["storage"] == str(GIB)


def test_what_the_api_server_refuses_is_told_in_its_words(server: ApiServer) -> None:
    server.faults["create persistentvolumeclaims"] = [Fault(422, "Invalid"), Fault(403, "Forbidden")]
    found = keep(server, volume())
    assert (found.note, found.told, found.uid) == (ClaimNote.REFUSED, "scripted 422", "")
    assert keep(server, volume(), found).note is ClaimNote.NOT_ALLOWED
    assert keep(server, volume(), found).note is ClaimNote.PROVISIONING


def test_growth_is_one_patch(server: ApiServer) -> None:
    one = volume()
    keep(server, one)
    bind(server, one)
    known, grown = keep(server, one), replace(one, capacity=2 * GIB)
    assert known.note is ClaimNote.NONE
    assert keep(server, grown, known).note is ClaimNote.GROWING
    assert keep(server, grown, known).note is ClaimNote.GROWING
    assert len(server.asked("patch persistentvolumeclaims")) == 1
    bind(server, one, 2 * GIB)
    assert keep(server, grown, known).note is ClaimNote.NONE


def test_a_growth_that_is_refused_is_told(server: ApiServer) -> None:
    one = volume()
    keep(server, one)
    bind(server, one)
    server.faults["patch persistentvolumeclaims"] = [Fault(403, "Forbidden")]
    found = keep(server, replace(one, capacity=2 * GIB))
    assert (found.state, found.note, found.told) == (ClaimState.BOUND, ClaimNote.NOT_GROWN, "scripted 403")


def test_a_claim_goes_with_its_volume_and_no_other_one_of_its_name(server: ApiServer) -> None:
    found = keep(server, volume())
    leaving = replace(found, leaving=True)
    assert remove(server, leaving) == ()
    assert server.cluster.all("persistentvolumeclaims") == []
    assert remove(server, leaving) == ("0v1",)
    foreign = {"metadata": {"name": leaving.name, "namespace": "jobs", "labels": {}}, "spec": {}}
    server.cluster.put("persistentvolumeclaims", foreign)
    assert remove(server, leaving) == ("0v1",)
    assert len(server.cluster.all("persistentvolumeclaims")) == 1


def test_a_cluster_that_does_not_answer_is_not_available(server: ApiServer) -> None:
    server.stop()
    with pytest.raises(Unavailable):
        keep(server, volume())


def test_sizes_come_from_kubelets_where_danlu_may_ask(server: ApiServer) -> None:
    one = volume()
    mounted = [{"name": "m", "persistentVolumeClaim": {"claimName": one.claim}}]
    labels = {"app.kubernetes.io/managed-by": "danlu"}
    pod = {"metadata": {"name": "p", "namespace": "jobs", "labels": labels}}
    server.cluster.put(
        "pods", {**pod, "spec": {"nodeName": "n1", "volumes": mounted}, "status": {"phase": "Running"}}
    )
    used = [
        {
            "name": "m",
            "usedBytes": 42,
            "capacityBytes": GIB,
            "pvcRef": {"name": one.claim, "namespace": "jobs"},
        }
    ]
    summary = json.dumps({"pods": [{"volume": used}]}).encode()
    server.faults["get nodes/proxy"] = [Fault(200, body=summary), Fault(403, "Forbidden")]
    assert CLAIMS.sizes(LAB, access(server), {one.claim: GIB}) == {one.claim: 42}
    assert CLAIMS.sizes(LAB, access(server), {one.claim: GIB}) is None


def test_who_does_not_lead_changes_nothing(server: ApiServer) -> None:
    with pytest.raises(NotLeader):
        KubernetesClaims(lambda: False, "inst").keep(LAB, access(server), [(volume(), None)], [])
    assert server.cluster.all("persistentvolumeclaims") == []
