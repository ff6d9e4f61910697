"""Your environments: packages that your jobs installed, and that are kept for the next job."""

from __future__ import annotations

from danlu.sdk.http.paths import segment
from danlu.sdk.models.environments import Environment, EnvironmentRow
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Resource


class Environments(Resource):
    """A job's `packages` make them; refer to one by its key."""

    def list(self) -> Items[EnvironmentRow]:
        """Those used last first."""
        return [read(EnvironmentRow, one) for one in self.http.json("GET", "me/environments")["items"]]

    def get(self, key: str) -> Environment:
        """With what is installed in it."""
        return read(Environment, self.http.json("GET", f"me/environments/{segment(key)}"))

    def delete(self, key: str) -> None:
        """Conflict while a running job uses it. The next job that wants its packages installs them again."""
        self.http.json("DELETE", f"me/environments/{segment(key)}")
