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
        {"name": "m", "capacityBytes": 110, "usedBytes": 7, "pvcRef": {"name": "a", "namespace": "jobs"}},
        {"name": "m", "capacityBytes": 110, "usedBytes": 9, "pvcRef": {"name": "a", "namespace": "others"}},
        {"name": "m", "capacityBytes": 110, "usedBytes": 11, "pvcRef": {"name": "x", "namespace": "jobs"}},
        {"name": "m", "pvcRef": {"name": "b", "namespace": "jobs"}},
        {"name": "e", "capacityBytes": 110, "usedBytes": 5},
    ]
    assert used_in({"pods": [{"volume": volumes}, {}]}, "jobs", {"a": 100, "b": 100}) == {"a": 7}
    assert used_in({}, "jobs", {"a": 100}) == {}


def test_how_full_a_disk_is_that_others_use_too_is_not_told_as_ones_own():
    volume = {
        "name": "m",
        "usedBytes": 37,
        "capacityBytes": 400,
        "pvcRef": {"name": "a", "namespace": "jobs"},
    }
    assert used_in({"pods": [{"volume": [volume]}]}, "jobs", {"a": 100}) == {}
    assert used_in({"pods": [{"volume": [volume]}]}, "jobs", {"a": 400}) == {"a": 37}
