"""What the claim of a volume is like now, and what is to be done about it: decided from objects alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim, shortened
from danlu.domain.volumes.volume import Volume
from danlu.engines.kubernetes.objects.claims import is_for
from danlu.engines.kubernetes.objects.objects import Json, name_of, quantity
from danlu.ports.volumes.claims import claim_order

_FAILURES = frozenset({"ProvisioningFailed", "FailedBinding"})
_NOT_GROWN = frozenset({"VolumeResizeFailed", "ExternalExpanding", "FileSystemResizeFailed"})
_LATE = "WaitForFirstConsumer"


class ClaimAct(StrEnum):
    NONE = "none"
    CREATE = "create"
    GROW = "grow"


@dataclass(frozen=True, slots=True)
class ClusterStorage:
    """What a cluster has: claims by name, storage classes by name (None: Danlu may not read them), volumes by name,
    and events about claims by uid, oldest first."""

    claims: Mapping[str, Json]
    classes: Mapping[str, Json] | None
    volumes: Mapping[str, Json]
    events: Mapping[str, Sequence[Json]]


def read_claim(one: Volume, known: VolumeClaim | None, there: ClusterStorage) -> tuple[ClaimAct, VolumeClaim]:
    """One that had storage and is gone is not made again: what was in it would seem to be empty."""
    known = known or VolumeClaim(one.id, one.cluster, one.claim)
    kept = replace(_with_class(known, one, there), note=ClaimNote.NONE, told="")
    claim = there.claims.get(one.claim)
    if claim is None:
        if known.state is not ClaimState.PENDING:
            return ClaimAct.NONE, replace(kept, state=ClaimState.LOST, note=ClaimNote.VANISHED)
        return ClaimAct.CREATE, replace(kept, note=ClaimNote.MAKING)
    if not is_for(claim, claim_order(one)):
        return ClaimAct.NONE, replace(kept, state=ClaimState.LOST, note=ClaimNote.TAKEN)
    kept = replace(kept, uid=str(claim["metadata"].get("uid", "")), capacity=_capacity(claim))
    events = there.events.get(kept.uid, ())
    phase = (claim.get("status") or {}).get("phase")
    if phase == "Lost":
        return ClaimAct.NONE, replace(
            kept, state=ClaimState.LOST, note=ClaimNote.NO_STORAGE, told=_last(events)
        )
    if "deletionTimestamp" in claim["metadata"]:
        return ClaimAct.NONE, replace(kept, note=ClaimNote.BEING_DELETED)
    if phase != "Bound":
        return ClaimAct.NONE, _pending(kept, one, there, events)
    return _bound(kept, one, claim, there, events)


def _with_class(known: VolumeClaim, one: Volume, there: ClusterStorage) -> VolumeClaim:
    if there.classes is None:
        return known
    its = there.classes.get(one.storage_class)
    if its is None:
        # A class that exists by name alone: what belongs to it was made by hand.
        return replace(known, expandable=False)
    return replace(
        known,
        expandable=bool(its.get("allowVolumeExpansion")),
        reclaim=str(its.get("reclaimPolicy") or "Delete"),
    )


def _pending(kept: VolumeClaim, one: Volume, there: ClusterStorage, events: Sequence[Json]) -> VolumeClaim:
    if kept.state is not ClaimState.PENDING:
        # It was bound, and another one has its name by now.
        kept = replace(kept, state=ClaimState.PENDING)
    failed = [event for event in events if event.get("reason") in _FAILURES]
    its = (there.classes or {}).get(one.storage_class)
    if its is None and there.classes is not None:
        return replace(kept, note=ClaimNote.NO_CLASS, told=_last(failed))
    if events and events[-1].get("reason") in _FAILURES:
        return replace(kept, note=ClaimNote.FAILED, told=_last(failed))
    if its is not None and its.get("volumeBindingMode") == _LATE and not _is_asked_for(events):
        return replace(kept, note=ClaimNote.FIRST_JOB)
    return replace(kept, note=ClaimNote.PROVISIONING, told=_last(events))


def _is_asked_for(events: Sequence[Json]) -> bool:
    return any(event.get("reason") in ("Provisioning", "ExternalProvisioning") for event in events)


def _bound(
    kept: VolumeClaim, one: Volume, claim: Json, there: ClusterStorage, events: Sequence[Json]
) -> tuple[ClaimAct, VolumeClaim]:
    volume = there.volumes.get(str(claim["spec"].get("volumeName", "")))
    kept = replace(kept, state=ClaimState.BOUND)
    if volume is not None:
        reclaim = str(volume["spec"].get("persistentVolumeReclaimPolicy") or kept.reclaim)
        kept = replace(kept, reclaim=reclaim, nodes=_only_on(volume))
    if _requested(claim) < one.capacity:
        return ClaimAct.GROW, replace(kept, note=ClaimNote.GROWING)
    # Less than was asked for is there while it grows; a claim may also be given more.
    if kept.capacity < one.capacity:
        troubles = [event for event in events if event.get("reason") in _NOT_GROWN]
        bad = troubles[-1:] if troubles and troubles[-1].get("type") == "Warning" else []
        note = ClaimNote.NOT_GROWN if bad else ClaimNote.GROWING
        return ClaimAct.NONE, replace(kept, note=note, told=_last(bad))
    return ClaimAct.NONE, kept


def _only_on(volume: Json) -> dict[str, str]:
    """The labels of the only nodes that have it, where that can be said in labels: `kubernetes.io/hostname: n1`, or a
    zone."""
    required = (volume["spec"].get("nodeAffinity") or {}).get("required") or {}
    terms: Sequence[Json] = required.get("nodeSelectorTerms") or ()
    if len(terms) != 1:
        return {}
    wanted: Sequence[Json] = terms[0].get("matchExpressions") or ()
    return {
        str(one["key"]): str(one["values"][0])
        for one in wanted
        if one.get("operator") == "In" and len(one.get("values") or ()) == 1
    }


def _requested(claim: Json) -> int:
    return _bytes((claim["spec"].get("resources") or {}).get("requests"))


def _capacity(claim: Json) -> int:
    return _bytes((claim.get("status") or {}).get("capacity"))


def _bytes(amounts: Json | None) -> int:
    return int(quantity((amounts or {}).get("storage", "0")))


def _last(events: Sequence[Json]) -> str:
    return shortened(str(events[-1].get("message") or "")) if events else ""


def by_name(things: Iterable[Json]) -> dict[str, Json]:
    return {name_of(one): one for one in things}
