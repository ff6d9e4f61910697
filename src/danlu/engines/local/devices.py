"""The device nodes that a task gets: those of its own cards, and what all of a vendor's cards share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from danlu.domain.node import Gpu

_SHARED = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset")
_ABOUT_CARDS = Path("/proc/driver/nvidia/gpus")
_FIELD = re.compile(r"^(GPU UUID|Device Minor):\s*(\S+)", re.MULTILINE)
_RDMA = Path("/dev/infiniband")


def devices_of(cards: Iterable[Gpu], rdma: bool) -> list[str]:
    """Nodes that do not exist are left out when the task starts."""
    minors = _minors(_ABOUT_CARDS)
    own = [f"/dev/nvidia{minors.get(card.uuid, card.index)}" for card in cards]
    nodes = [*own, *(f"/dev/{name}" for name in _SHARED)] if own else []
    return nodes + (_below(_RDMA) if rdma else [])


def _minors(about: Path) -> dict[str, int]:
    """The driver's own numbers of the cards, by id; they need not be in the order of NVML's."""
    found = {}
    for file in about.glob("*/information"):
        fields = dict(_FIELD.findall(_text(file)))
        if fields.get("Device Minor", "").isdigit():
            found[fields.get("GPU UUID", "")] = int(fields["Device Minor"])
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except OSError:
        return ""


def _below(folder: Path) -> list[str]:
    try:
        return sorted(f"{folder}/{name}" for name in os.listdir(folder))
    except OSError:
        return []
