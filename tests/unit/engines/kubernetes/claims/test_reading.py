"""What the claim of a volume is like, and what is to be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim, claim_name
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.engines.kubernetes.claims.reading import ClaimAct, ClusterStorage, read_claim
from danlu.engines.kubernetes.objects.claims import claim_of
from danlu.ports.volumes.claims import claim_order

GIB = 2**30
ONE = Volume(
    "0v1",
    "lin",
    "imagenet",
    VolumeKind.FILESYSTEM,
    10 * GIB,
    0,
    0,
    cluster="lab",
    claim=claim_name("0v1"),
    storage_class="nfs",
)
BOUND = VolumeClaim(
    "0v1", "lab", ONE.claim, ClaimState.BOUND, ClaimNote.NONE, uid="u1", expandable=True, reclaim="Delete"
)
CLASS = {"metadata": {"name": "nfs"}, "allowVolumeExpansion": True, "reclaimPolicy": "Delete"}
LATE = {**CLASS, "volumeBindingMode": "WaitForFirstConsumer"}
Json = dict[str, Any]


def claim(phase: str = "Bound", capacity: str = "10Gi", one: Volume = ONE, **spec: Any) -> Json:
    made = claim_of(KubernetesCluster("lab"), claim_order(one), "inst")
    made["metadata"]["uid"] = "u1"
    made["spec"].update(spec)
    made["status"] = {"phase": phase, "capacity": {"storage": capacity} if phase == "Bound" else {}}
    return made


def event(reason: str, message: str = "", kind: str = "Warning") -> Json:
    return {"metadata": {}, "reason": reason, "message": message, "type": kind}


def look(
    found: Json | None,
    known: VolumeClaim | None = None,
    *events: Json,
    classes: Sequence[Json] | None = (CLASS,),
    volumes: Sequence[Json] = (),
    one: Volume = ONE,
) -> tuple[ClaimAct, VolumeClaim]:
    there = ClusterStorage(
        {one.claim: found} if found else {},
        None if classes is None else {each["metadata"]["name"]: each for each in classes},
        {each["metadata"]["name"]: each for each in volumes},
        {"u1": events},
    )
    return read_claim(one, known, there)


def test_a_claim_that_nobody_has_made_is_made():
    assert look(None) == (
        ClaimAct.CREATE,
        VolumeClaim("0v1", "lab", ONE.claim, expandable=True, reclaim="Delete"),
    )


def test_one_whose_answer_was_lost_is_found_by_its_name():
    act, found = look(claim())
    assert (act, found.state, found.note, found.uid) == (
        ClaimAct.NONE,
        ClaimState.BOUND,
        ClaimNote.NONE,
        "u1",
    )
    assert found.capacity == 10 * GIB


def test_one_that_had_storage_and_is_gone_is_told_and_not_made_again():
    for known in (BOUND, replace(BOUND, state=ClaimState.LOST)):
        act, found = look(None, known)
        assert (act, found.state, found.note) == (ClaimAct.NONE, ClaimState.LOST, ClaimNote.VANISHED)
    assert look(None, replace(BOUND, state=ClaimState.PENDING))[0] is ClaimAct.CREATE


def test_one_that_others_are_deleting_is_told_while_a_pod_holds_it():
    going = claim()
    going["metadata"]["deletionTimestamp"] = "2026-05-01T10:00:00Z"
    act, found = look(going, BOUND)
    assert (act, found.state, found.note) == (ClaimAct.NONE, ClaimState.BOUND, ClaimNote.BEING_DELETED)


def test_every_note_is_a_sentence_in_both_languages():
    for note in ClaimNote:
        for told in ("", "in its words"):
            said = replace(BOUND, note=note, told=told).said("nfs")
            assert said.en
            assert said.zh != said.en
            assert "{" not in said.en + said.zh


def test_another_ones_claim_of_the_name_is_left_alone():
    foreign = claim()
    foreign["metadata"]["labels"]["danlu.io/volume"] = "0v2"
    act, found = look(foreign)
    assert (act, found.state, found.note) == (ClaimAct.NONE, ClaimState.LOST, ClaimNote.TAKEN)


@pytest.mark.parametrize(
    ("events", "classes", "note", "told"),
    [
        ((), (CLASS,), ClaimNote.PROVISIONING, ""),
        ((event("WaitForFirstConsumer", "waiting", "Normal"),), (LATE,), ClaimNote.FIRST_JOB, ""),
        (
            (event("ExternalProvisioning", "waiting for nfs.csi", "Normal"),),
            (LATE,),
            ClaimNote.PROVISIONING,
            "waiting for nfs.csi",
        ),
        ((event("ProvisioningFailed", "no\nserver"),), (CLASS,), ClaimNote.FAILED, "no server"),
        ((event("ProvisioningFailed", "not found"),), (), ClaimNote.NO_CLASS, "not found"),
        ((), None, ClaimNote.PROVISIONING, ""),
    ],
)
def test_why_there_is_no_storage_yet(events, classes, note, told):
    act, found = look(claim("Pending"), None, *events, classes=classes)
    assert (act, found.state, found.note, found.told) == (ClaimAct.NONE, ClaimState.PENDING, note, told)
    assert all((said.en, said.zh) for said in [found.said("nfs")])


def test_storage_that_is_gone_is_told():
    act, found = look(claim("Lost"), BOUND, event("ClaimLost", "volume pv-1 is gone"))
    assert (act, found.state, found.told) == (ClaimAct.NONE, ClaimState.LOST, "volume pv-1 is gone")


def test_a_volume_that_grew_is_patched_and_told_until_it_has_grown():
    grown = replace(ONE, capacity=20 * GIB)
    act, found = look(claim(), BOUND, one=grown)
    assert (act, found.note) == (ClaimAct.GROW, ClaimNote.GROWING)
    asked = claim(one=grown)
    act, found = look(asked, BOUND, event("Resizing", "", "Normal"), one=grown)
    assert (act, found.note) == (ClaimAct.NONE, ClaimNote.GROWING)
    act, found = look(asked, BOUND, event("VolumeResizeFailed", "no room"), one=grown)
    assert (found.note, found.told) == (ClaimNote.NOT_GROWN, "no room")
    assert look(claim(capacity="20Gi", one=grown), BOUND, one=grown)[1].note is ClaimNote.NONE


def test_one_that_waits_for_its_storage_is_not_patched():
    assert look(claim("Pending"), one=replace(ONE, capacity=20 * GIB))[0] is ClaimAct.NONE


def test_what_its_volume_says_counts_before_what_its_class_says():
    expressions = [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["n1"]}]
    volume = {
        "metadata": {"name": "pv-1"},
        "spec": {
            "persistentVolumeReclaimPolicy": "Retain",
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}},
        },
    }
    _, found = look(claim(volumeName="pv-1"), volumes=[volume])
    assert found.kept_by_cluster
    assert found.nodes == {"kubernetes.io/hostname": "n1"}
    expressions[0]["values"] = ["n1", "n2"]
    assert look(claim(volumeName="pv-1"), volumes=[volume])[1].nodes == {}


def test_a_class_that_does_not_grow_says_so_and_one_that_may_not_be_read_says_nothing():
    assert look(claim(), classes=[{**CLASS, "allowVolumeExpansion": False}])[1].expandable is False
    assert look(claim(), classes=[])[1].expandable is False
    assert look(claim(), classes=None)[1].expandable is None
    assert look(claim(), BOUND, classes=None)[1].expandable is True


def test_block_volumes_are_of_one_node_and_filesystem_volumes_of_all():
    assert claim()["spec"]["accessModes"] == ["ReadWriteMany"]
    block = claim(one=replace(ONE, kind=VolumeKind.BLOCK))
    assert block["spec"]["accessModes"] == ["ReadWriteOnce"]
    assert block["metadata"]["labels"]["danlu.io/owner"] == "lin"
