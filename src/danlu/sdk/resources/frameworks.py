"""Frameworks and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping

from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import Example, ExampleDetail, Framework, FrameworkProposal


class Frameworks:
    """What frameworks offer, how many tasks to use with them, and example jobs."""

    http: Http

    def frameworks(self) -> list[Framework]:
        """All frameworks, with their strategies and roles."""
        return [read(models.Framework, one) for one in self.http.json("GET", "frameworks")["items"]]

    def propose(
        self,
        framework: str,
        strategy: str | None = None,
        flavor: str | None = None,
        resources: Mapping[str, object] | None = None,
        project: str | None = None,
    ) -> FrameworkProposal:
        """How many tasks each role of a strategy could have, with workers of a flavor or of so many resources: as many
        as find room now, else as many as ever could."""
        asked = {
            "framework": framework,
            "strategy": strategy,
            "flavor": flavor,
            "resources": resources,
            "project": project,
        }
        body = {key: value for key, value in asked.items() if value is not None}
        found = self.http.json("POST", "frameworks/propose", body=body, harmless=True)
        return read(models.FrameworkProposal, found)

    def examples(self) -> list[Example]:
        """Example jobs, in the order to show them."""
        return [read(models.Example, one) for one in self.http.json("GET", "examples")["items"]]

    def example(self, name: str) -> ExampleDetail:
        """One example with all its files."""
        return read(models.ExampleDetail, self.http.json("GET", f"examples/{segment(name)}"))
