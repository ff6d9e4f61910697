"""Claims as Danlu writes them: named by Danlu, labelled with what they are for and whose they are."""

from __future__ import annotations

import hashlib

from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import PERSONAL_CLAIM
from danlu.engines.kubernetes.objects.names import DANLU, INSTALLATION, MANAGED_BY, OWNER, label_value
from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.engine import ClaimOrder

VOLUME, PERSONAL = "danlu.io/volume", "danlu.io/personal"
_SHARED, _ONE_NODE = "ReadWriteMany", "ReadWriteOnce"


def claim_of(cluster: KubernetesCluster, order: ClaimOrder, installation: str) -> Json:
    what = {VOLUME: order.volume} if order.volume else {PERSONAL: "true"}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": order.name,
            "namespace": cluster.namespace,
            "labels": {
                MANAGED_BY: DANLU,
                INSTALLATION: installation,
                OWNER: label_value(order.owner),
                **what,
            },
            # Labels cannot hold every name.
            "annotations": {OWNER: order.owner},
        },
        "spec": {
            "accessModes": [_SHARED if order.shared else _ONE_NODE],
            "storageClassName": order.storage_class,
            "resources": {"requests": {"storage": str(order.capacity)}},
        },
    }


def personal_claim_name(owner: str) -> str:
    """The only name that the claim of a person's directories can have."""
    return f"{PERSONAL_CLAIM}{hashlib.sha256(owner.encode()).hexdigest()[:32]}"


def is_of(claim: Json, installation: str) -> bool:
    """Whether this Danlu made it, by whatever name it had the cluster then: people of another one of the same names are
    others."""
    made_by = str((claim["metadata"].get("labels") or {}).get(INSTALLATION, ""))
    return made_by.partition(".")[0] == installation.partition(".")[0]


def is_for(claim: Json, order: ClaimOrder) -> bool:
    """Whether a claim says of itself that Danlu made it for this, and for this person."""
    metadata = claim["metadata"]
    labels, notes = metadata.get("labels") or {}, metadata.get("annotations") or {}
    what = labels.get(VOLUME) == order.volume if order.volume else labels.get(PERSONAL) == "true"
    return (
        labels.get(MANAGED_BY) == DANLU and what and (bool(order.volume) or notes.get(OWNER) == order.owner)
    )
