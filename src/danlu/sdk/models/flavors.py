"""What the server answers about flavors."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class Flavor:
    name: str = ""
    resources: Mapping[str, Any] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class FlavorOffer:
    """What a job of this size could expect now. `behind` is the number of jobs ahead of it, null if it would not
    wait for its turn; `text` is null if it would start at once."""

    flavor: Flavor = Flavor()
    state: str = ""
    behind: int | None = None
    text: Mapping[str, str] | None = None
    recommended: bool = False


@dataclass(frozen=True)
class FlavorProposal:
    """`exists`: a flavor of this size already exists and is shown instead."""

    flavor: Flavor = Flavor()
    exists: bool = False


@dataclass(frozen=True)
class FlavorMeasured:
    """The peak usage of one task over this many runs: CPU cores, bytes of memory, utilisation of its busiest GPU (0
    to 1), and the largest memory use of one GPU in bytes."""

    runs: int = 0
    cpus: float = 0
    memory: int = 0
    gpu_use: float | None = None
    gpu_memory: int | None = None


@dataclass(frozen=True)
class FlavorChoice:
    flavor: Flavor = Flavor()
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FlavorRecommendation:
    """Flavors that would have been enough, best first; `measured` is null if no run was measured."""

    job: str = ""
    measured: FlavorMeasured | None = None
    items: tuple[FlavorChoice, ...] = ()
    text: Mapping[str, str] | None = None


@dataclass(frozen=True)
class FlavorEdited:
    name: str = ""
    ok: bool = False
    error: str | None = None
    text: Mapping[str, str] | None = None


@dataclass(frozen=True)
class FlavorDeleted:
    """`used_by` is the number of active jobs that use it; they keep their size."""

    name: str = ""
    ok: bool = False
    error: str | None = None
    text: Mapping[str, str] | None = None
    used_by: int = 0


READERS.update(
    {
        Flavor: {"classes": ("classes", tuple)},
        FlavorOffer: {"flavor": ("flavor", one(Flavor))},
        FlavorProposal: {"flavor": ("flavor", one(Flavor))},
        FlavorChoice: {"flavor": ("flavor", one(Flavor))},
        FlavorRecommendation: {
            "measured": ("measured", one(FlavorMeasured)),
            "items": ("items", each(FlavorChoice)),
        },
    }
)
