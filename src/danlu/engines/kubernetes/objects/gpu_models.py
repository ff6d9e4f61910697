"""Which cards a node has, by what device plugins and feature discovery write on it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from danlu.domain.node import Gpu
from danlu.domain.quantity import GIB, MIB
from danlu.engines.kubernetes.objects.objects import Json, labels_of, name_of, quantity

NVIDIA, AMD = "nvidia.com/gpu", "amd.com/gpu"
GPU_RESOURCES = (NVIDIA, AMD)
"""Whole cards; slices of them (`nvidia.com/mig-…`, `nvidia.com/gpu.shared`) are not counted."""

UNKNOWN_MODEL = "GPU"

_PRODUCT = {
    NVIDIA: ("nvidia.com/gpu.product", "cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator"),
    AMD: ("amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"),
}
_AMD_MEMORY = ("amd.com/gpu.vram", "beta.amd.com/gpu.vram")
_MAKERS = frozenset(
    {"nvidia", "geforce", "tesla", "quadro", "grid", "amd", "instinct", "radeon", "pro", "graphics", "device"}
)
_BUILD = re.compile(r"sxm\d*|pcie?|nvl|oam|mega|generation|shared|\d+gb?|hbm\w*", re.IGNORECASE)


def gpu_resource(node: Json) -> str | None:
    """The resource under which the node offers its cards; None when it has none."""
    offered = (node.get("status") or {}).get("allocatable") or {}
    return next((name for name in GPU_RESOURCES if quantity(offered.get(name, "0")) > 0), None)


def gpus_of(node: Json) -> tuple[Gpu, ...]:
    """The cards that pods may have there. Kubernetes hands out no serial numbers, so they are named by place."""
    resource = gpu_resource(node)
    if resource is None:
        return ()
    labels, name = labels_of(node), name_of(node)
    model, memory = _model_label(resource, labels), _memory(resource, labels)
    count = int(quantity(node["status"]["allocatable"][resource]))
    return tuple(Gpu(index, f"{name}/{index}", model, memory) for index in range(count))


def short_model(product: str) -> str:
    """`NVIDIA-A100-SXM4-80GB` → `A100`, `NVIDIA-GeForce-RTX-3090` → `RTX3090`, `AMD_Instinct_MI300X_OAM` → `MI300X`.

    A slice keeps its size, so that nobody takes it for a whole card: `A100-MIG-1g.10gb`."""
    text = product.upper() if product.islower() else product
    whole, _, slice_ = text.partition("-MIG-")
    words = [word for word in re.split(r"[-_\s]+", whole) if word and word.lower() not in _MAKERS]
    kept = [word for word in words if not _BUILD.fullmatch(word)]
    model = "".join(kept) or UNKNOWN_MODEL
    return f"{model}-MIG-{slice_.removesuffix('-SHARED')}" if slice_ else model


def _model_label(resource: str, labels: Mapping[str, str]) -> str:
    product = next((labels[label] for label in _PRODUCT[resource] if labels.get(label)), "")
    return short_model(product) if product else UNKNOWN_MODEL


def _memory(resource: str, labels: Mapping[str, str]) -> int:
    """Of one card, in bytes; 0 when nobody says or nobody can read it."""
    try:
        if resource == NVIDIA:
            return int(labels.get("nvidia.com/gpu.memory", "0")) * MIB
        told = next((labels[label] for label in _AMD_MEMORY if label in labels), "0")
        return int(told.removesuffix("G")) * GIB
    except ValueError:
        return 0
