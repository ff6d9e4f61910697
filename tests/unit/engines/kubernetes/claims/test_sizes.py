"""How much of claims is used, as kubelets tell."""

from __future__ import annotations

from danlu.engines.kubernetes.claims.sizes import mounted_on, used_in


def pod(node: str, *claims: str, phase: str = "Running"):
    volumes = [{"name": "x", "persistentVolumeClaim": {"claimName": claim}} for claim in claims]
    return {
        "spec": {"nodeName": node, "volumes": [{"name": "e", "emptyDir": {}}, *volumes]},
        "status": {"phase": phase},
    }


def test_as_few_nodes_are_asked_as_there_need_be():
    pods = [
        pod("n1", "a"),
        pod("n2", "a"),
        pod("n3", "b"),
        pod("n4", "c", phase="Succeeded"),
        pod("n5", "other"),
    ]
    assert mounted_on(pods, {"a", "b", "c"}) == ["n1", "n3"]


def test_of_a_summary_only_our_claims_of_the_namespace_are_read():
    volumes = [
        {"name": "m", "usedBytes": 7, "pvcRef": {"name": "a", "namespace": "jobs"}},
        {"name": "m", "usedBytes": 9, "pvcRef": {"name": "a", "namespace": "others"}},
        {"name": "m", "usedBytes": 11, "pvcRef": {"name": "x", "namespace": "jobs"}},
        {"name": "m", "pvcRef": {"name": "b", "namespace": "jobs"}},
        {"name": "e", "usedBytes": 5},
    ]
    assert used_in({"pods": [{"volume": volumes}, {}]}, "jobs", {"a", "b"}) == {"a": 7}
    assert used_in({}, "jobs", {"a"}) == {}
