"""What was found of claims: kept beside the volumes that they are for, and outliving them until they are gone too."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain.audit import Entry
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.ports.volumes.claims import KeptClaims
from tests.contracts.store.building import NOW

BY = Entry("lin", "created", "")
ONE = Volume(
    "v1", "lin", "data", VolumeKind.BLOCK, 7, NOW, NOW, cluster="lab", claim="c1", storage_class="ssd"
)
FOUND = VolumeClaim(
    "v1",
    "lab",
    "c1",
    ClaimState.BOUND,
    ClaimNote.GROWING,
    "slowly",
    "u1",
    7,
    True,
    "Retain",
    5,
    NOW,
    {"kubernetes.io/hostname": "n1"},
)


def add(store, one: Volume = ONE) -> Volume:
    made: Volume = store.add_volume(one, NOW, by=BY, check=lambda _: None)
    return made


def remove(store, volume_id: str = "v1") -> None:
    store.edit_volume(volume_id, lambda one, _: replace(one, trashed_at=NOW), NOW, by=BY)
    assert store.remove_volume(volume_id, NOW, by=BY)


def test_volumes_that_danlu_makes_claims_for_are_wanted_with_what_was_found(store):
    made = add(store)
    add(store, replace(ONE, id="v2", name="attached", claim="c2", storage_class=""))
    assert store.kept_claims() == KeptClaims(((made, None),), ())
    store.keep_claims([FOUND])
    assert store.kept_claims() == KeptClaims(((made, FOUND),), ())
    store.keep_claims([replace(FOUND, note=ClaimNote.NONE, nodes={})])
    assert store.volume_claim("v1") == replace(FOUND, note=ClaimNote.NONE, nodes={})
    assert store.volume_claim("v2") is None


def test_a_claim_outlives_its_volume_until_it_is_gone_too(store):
    add(store)
    store.keep_claims([FOUND])
    store.claims_left(["v1"])
    assert store.volume_claim("v1") == FOUND, "that of a volume that is there stays"
    remove(store)
    leaving = replace(FOUND, leaving=True)
    assert store.kept_claims() == KeptClaims((), (leaving,))
    store.keep_claims([FOUND])
    assert store.kept_claims().leaving == (leaving,), "what was found meanwhile does not bring it back"
    store.claims_left(["v1"])
    store.claims_left(["v1"])
    assert store.kept_claims() == KeptClaims((), ())


def test_a_volume_that_goes_before_anybody_looked_leaves_its_claim_to_be_deleted(store):
    add(store)
    remove(store)
    assert store.kept_claims().leaving == (VolumeClaim("v1", "lab", "c1", leaving=True),)


def test_what_has_no_claim_of_danlus_leaves_nothing(store):
    add(store, replace(ONE, storage_class=""))
    remove(store)
    assert store.kept_claims() == KeptClaims((), ())
