"""Flavors beyond one at a time, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from danlu.sdk import models
from danlu.sdk.models import Flavor

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class FlavorOffer:
    """What a job of this size could expect now: `state` is available, waits or never. Sentences are keyed by language
    (`en`, `zh`)."""

    flavor: Flavor
    state: str = ""
    behind: int | None = None
    text: Mapping[str, str] | None = None
    recommended: bool = False


@dataclass(frozen=True)
class FlavorProposal:
    """A flavor that divides a node; `exists` where there was one of its size already."""

    flavor: Flavor
    exists: bool = False


@dataclass(frozen=True)
class FlavorMeasured:
    """The peaks of one task over so many runs: cores, bytes, and of its GPUs how busy (0 to 1) and bytes."""

    runs: int = 0
    cpus: float = 0
    memory: int = 0
    gpu_use: float | None = None
    gpu_memory: int | None = None


@dataclass(frozen=True)
class FlavorChoice:
    flavor: Flavor
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FlavorRecommendation:
    """Flavors that would have been enough for a job's last runs, the best first."""

    job: str
    measured: FlavorMeasured | None = None
    items: tuple[FlavorChoice, ...] = ()
    text: Mapping[str, str] | None = None


@dataclass(frozen=True)
class FlavorEdited:
    name: str
    ok: bool = False
    error: str | None = None


@dataclass(frozen=True)
class FlavorDeleted:
    """`used_by` is how many active jobs name it; they keep their size."""

    name: str
    used_by: int = 0
    ok: bool = False
    error: str | None = None


class Flavors:
    """What flavors offer, and many of them at once."""

    http: Http

    def flavor_offers(
        self,
        job_class: str | None = None,
        project: str | None = None,
        count: int | None = None,
        all: bool = False,  # noqa: A002
    ) -> list[FlavorOffer]:
        """The flavors that a job of so many tasks could have now or would wait for; with `all`, those that could never
        start as well."""
        asked = {"class": job_class, "project": project, "count": count, "all": "true" if all else None}
        found = self.http.json("GET", "flavors/offers", asked)
        return [FlavorOffer(**{**one, "flavor": _flavor(one)}) for one in _known(FlavorOffer, found["items"])]

    def generate_flavors(
        self,
        node: str,
        counts: Sequence[int] | None = None,
        system: Mapping[str, Any] | None = None,
        preview: bool = False,
    ) -> list[FlavorProposal]:
        """Flavors that divide a node by its GPUs. `system` is what is left to it, such as `{"cpus": 4, "memory":
        "16GiB"}`."""
        body: dict[str, Any] = {"node": node, "preview": preview}
        body.update({key: value for key, value in (("counts", counts), ("system", system)) if value})
        found = self.http.json("POST", "flavors/generate", body=body)
        return [FlavorProposal(_flavor(one), one["exists"]) for one in found["items"]]

    def recommend_flavors(self, job: str) -> FlavorRecommendation:
        """Flavors that would have been enough for a job's last runs."""
        found = self.http.json("GET", "flavors/recommend", {"job": job})
        measured = found["measured"]
        return FlavorRecommendation(
            found["job"],
            FlavorMeasured(**_known(FlavorMeasured, [measured])[0]) if measured else None,
            tuple(FlavorChoice(_flavor(one), one["text"]) for one in found["items"]),
            found["text"],
        )

    def edit_flavors(self, names: Sequence[str], **changes: Any) -> list[FlavorEdited]:
        """`classes`, `description`: the same for all of these."""
        found = self.http.json("PATCH", "flavors", body={"names": list(names), **changes})
        return [FlavorEdited(**one) for one in _known(FlavorEdited, found["items"])]

    def delete_flavors(self, names: Sequence[str], preview: bool = False) -> list[FlavorDeleted]:
        """Remove them, or with `preview` only tell how many active jobs name each."""
        found = self.http.json("POST", "flavors/delete", body={"names": list(names), "preview": preview})
        return [FlavorDeleted(**one) for one in _known(FlavorDeleted, found["items"])]


def _flavor(one: Mapping[str, Any]) -> Flavor:
    return models.read(Flavor, one["flavor"])


def _known(kind: Any, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Without the fields that this client does not know."""
    names = kind.__dataclass_fields__
    return [{key: value for key, value in one.items() if key in names} for one in items]
