"""What Kubernetes objects are made of: JSON, quantities and moments."""

from __future__ import annotations

import functools
import re
from datetime import datetime
from fractions import Fraction
from typing import Any

from danlu.domain.job import Time

Json = dict[str, Any]

_QUANTITY = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:([eE][+-]?[0-9]{1,3})|([numkMGTPE]|[KMGTPE]i))?"
)
_UNITS: dict[str | None, Fraction] = {
    None: Fraction(1),
    **{unit: Fraction(1, 1000**power) for unit, power in (("m", 1), ("u", 2), ("n", 3))},
    **{unit: Fraction(1000**power) for power, unit in enumerate("kMGTPE", 1)},
    **{f"{unit}i": Fraction(1024**power) for power, unit in enumerate("KMGTPE", 1)},
}


@functools.lru_cache(4096)
def quantity(text: str | int | float) -> Fraction:
    """Exactly what `1500m`, `64Gi`, `1e3`, `2k` or a plain number stands for; ValueError for anything else."""
    match = _QUANTITY.fullmatch(str(text))
    if match is None:
        raise ValueError(f"'{text}' is not a quantity")
    number, exponent, unit = match.groups()
    return Fraction(f"{number}{exponent or ''}") * _UNITS[unit]


def moment(text: str | None) -> Time | None:
    """Milliseconds since 1970 of `2024-05-01T12:00:00Z`; None where the cluster has not said."""
    return round(datetime.fromisoformat(text).timestamp() * 1000) if text else None


def name_of(thing: Json) -> str:
    return str(thing["metadata"]["name"])


def namespace_of(thing: Json) -> str:
    return str(thing["metadata"].get("namespace", ""))


def labels_of(thing: Json) -> dict[str, str]:
    return thing["metadata"].get("labels") or {}


def annotation_of(thing: Json, name: str) -> str:
    return str((thing["metadata"].get("annotations") or {}).get(name, ""))
