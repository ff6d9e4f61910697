"""How much of claims is used, as the kubelets of the nodes that have them mounted measure it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from danlu.engines.kubernetes.objects.objects import Json


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


def used_in(summary: Json, namespace: str, claims: Collection[str]) -> dict[str, int]:
    """Bytes by claim, of those that this node has mounted."""
    found: dict[str, int] = {}
    for pod in summary.get("pods") or ():
        volumes: Sequence[Json] = pod.get("volume") or ()
        for volume in volumes:
            ref = volume.get("pvcRef") or {}
            used = volume.get("usedBytes")
            if ref.get("namespace") == namespace and ref.get("name") in claims and isinstance(used, int):
                found[str(ref["name"])] = used
    return found


def _claims_of(spec: Json) -> set[str]:
    volumes: Iterable[Json] = spec.get("volumes") or ()
    return {
        str(one["persistentVolumeClaim"]["claimName"]) for one in volumes if "persistentVolumeClaim" in one
    }
