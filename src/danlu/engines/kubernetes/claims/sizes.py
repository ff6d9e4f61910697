"""How much of claims is used, as the kubelets of the nodes that have them mounted measure it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from danlu.engines.kubernetes.objects.objects import Json

_ALONE = 1.25
"""How much larger than asked for a file system of its own may be: storage is given in steps."""


def mounted_on(pods: Iterable[Json], claims: Collection[str]) -> list[str]:
    """The nodes whose kubelets can tell, as few as there need be: a claim is the same on all of them."""
    missing, nodes = set(claims), set()
    for pod in pods:
        spec, phase = pod["spec"], (pod.get("status") or {}).get("phase")
        node, mounted = spec.get("nodeName"), _claims_of(spec) & missing
        if node and phase == "Running" and mounted:
            missing -= mounted
            nodes.add(str(node))
    return sorted(nodes)


def used_in(summary: Json, namespace: str, claims: Mapping[str, int]) -> dict[str, int]:
    """Bytes by claim, of those that this node has mounted; `claims` with their capacities.

    A kubelet tells how full the file system is that a claim is on. Where that is much larger than the claim, others
    are on it too (folders of a disk, of an NFS export), and nobody has measured this one."""
    found: dict[str, int] = {}
    for pod in summary.get("pods") or ():
        volumes: Sequence[Json] = pod.get("volume") or ()
        for volume in volumes:
            ref = volume.get("pvcRef") or {}
            name, used, whole = str(ref.get("name")), volume.get("usedBytes"), volume.get("capacityBytes")
            ours = ref.get("namespace") == namespace and name in claims
            if ours and isinstance(used, int) and isinstance(whole, int) and whole <= claims[name] * _ALONE:
                found[name] = used
    return found


def _claims_of(spec: Json) -> set[str]:
    volumes: Iterable[Json] = spec.get("volumes") or ()
    return {
        str(one["persistentVolumeClaim"]["claimName"]) for one in volumes if "persistentVolumeClaim" in one
    }
