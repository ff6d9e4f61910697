"""The rules that administrators set: priority classes, pools of nodes, limits."""

from __future__ import annotations

from danlu.sdk.models.rules import Limit, Pool, Priority
from danlu.sdk.resources.base import Named, Resource


class Priorities(Named[Priority]):
    """Priority classes: which jobs start first, and which may preempt others."""

    path, kind = "priorities", Priority

    def create(self, name: str, value: int, **keys: object) -> Priority:
        """`may_preempt`, `may_be_preempted`, `groups`, `projects`, `description`, `needs_reason`, and `budget` in
        GPU-hours of each person in a month."""
        return self._created(name, {"value": value, **keys})


class Pools(Named[Pool]):
    """Pools of nodes, each for some classes of jobs."""

    path, kind = "pools", Pool

    def create(self, name: str, **keys: object) -> Pool:
        """`classes`, `description`."""
        return self._created(name, keys)


class Limits(Named[Limit]):
    """Limits on GPUs in use at once and on run time."""

    path, kind = "limits", Limit

    def create(self, name: str, **keys: object) -> Limit:
        """`user`, `project` and `job_class` say whose; `gpus` and `max_time` how much."""
        return self._created(name, keys)


class Rules(Resource):
    """Keywords are the keys of the API; `null` is None."""

    @property
    def priorities(self) -> Priorities:
        return Priorities(self.http)

    @property
    def pools(self) -> Pools:
        return Pools(self.http)

    @property
    def limits(self) -> Limits:
        return Limits(self.http)
