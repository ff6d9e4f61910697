"""Flavors: named sizes of tasks, what they offer, and many of them at once."""

from __future__ import annotations

from typing import Mapping, Sequence

from danlu.sdk.models.flavors import (
    Flavor,
    FlavorDeleted,
    FlavorEdited,
    FlavorOffer,
    FlavorProposal,
    FlavorRecommendation,
)
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Named
from danlu.sdk.resources.former import Listed


class Flavors(Named[Flavor], Listed):
    """Keywords are the keys of the API."""

    path, kind = "flavors", Flavor

    def create(self, name: str, resources: Mapping[str, object], **keys: object) -> Flavor:
        """`resources` as in a job file; `classes`, `description`."""
        return self._created(name, {"resources": dict(resources), **keys})

    def offers(
        self,
        job_class: str | None = None,
        project: str | None = None,
        count: int | None = None,
        all: bool = False,  # noqa: A002
    ) -> Items[FlavorOffer]:
        """The flavors that a job of `count` tasks could use now or would wait for; with `all`, also those
        that could never start."""
        asked = {"class": job_class, "project": project, "count": count, "all": "true" if all else None}
        found = self.http.json("GET", "flavors/offers", asked)
        return [read(FlavorOffer, one) for one in found["items"]]

    def generate(
        self,
        node: str,
        counts: Sequence[int] | None = None,
        system: Mapping[str, object] | None = None,
        preview: bool = False,
    ) -> Items[FlavorProposal]:
        """Flavors that divide a node by its GPUs. `system` is what is left to it, such as `{"cpus": 4, "memory":
        "16GiB"}`."""
        body: dict[str, object] = {"node": node, "preview": preview}
        body.update({key: value for key, value in (("counts", counts), ("system", system)) if value})
        found = self.http.json("POST", "flavors/generate", body=body)
        return [read(FlavorProposal, one) for one in found["items"]]

    def recommend(self, job: str) -> FlavorRecommendation:
        """Flavors that would have been enough for a job's last runs."""
        return read(FlavorRecommendation, self.http.json("GET", "flavors/recommend", {"job": job}))

    def edit_many(self, names: Sequence[str], **changes: object) -> Items[FlavorEdited]:
        """`classes`, `description`: the same for all of these."""
        found = self.http.json("PATCH", "flavors", body={"names": list(names), **changes})
        return [read(FlavorEdited, one) for one in found["items"]]

    def delete_many(self, names: Sequence[str], preview: bool = False) -> Items[FlavorDeleted]:
        """Remove them, or with `preview` only report how many active jobs use each."""
        found = self.http.json("POST", "flavors/delete", body={"names": list(names), "preview": preview})
        return [read(FlavorDeleted, one) for one in found["items"]]
