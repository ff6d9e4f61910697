"""What administrators rule with, as methods of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping

from danlu.sdk import models
from danlu.sdk.http import segment
from danlu.sdk.models import Flavor, Limit, Pool, Priority, Project

if TYPE_CHECKING:
    from danlu.sdk.http import Http


class Rules:
    """Projects, priority classes, pools, flavors and limits. Keywords are the keys of the API; `null` is None."""

    http: Http

    def projects(self) -> list[Project]:
        return [models.read(Project, one) for one in self._listed("projects")]

    def project(self, name: str) -> Project:
        return models.read(Project, self._one("projects", name))

    def create_project(self, name: str, **keys: Any) -> Project:
        """`description`, `default_flavor`, `default_image`; for administrators also `open`, `weight`, `guarantee`,
        `cap`, `closed`, `reclaimable`, `node_selector` and `priorities`. Amounts are mappings such as
        `{"A100": 8, "memory": "1TiB"}`."""
        return models.read(Project, self._created("projects", name, keys))

    def edit_project(self, name: str, **changes: Any) -> Project:
        return models.read(Project, self._edited("projects", name, changes))

    def delete_project(self, name: str) -> None:
        self._deleted("projects", name)

    def priorities(self) -> list[Priority]:
        return [models.read(Priority, one) for one in self._listed("priorities")]

    def priority(self, name: str) -> Priority:
        return models.read(Priority, self._one("priorities", name))

    def create_priority(self, name: str, value: int, **keys: Any) -> Priority:
        """`may_preempt`, `may_be_preempted`, `groups`, `projects`, `description`, `needs_reason`, and `budget` in
        GPU-hours of each person in a month."""
        return models.read(Priority, self._created("priorities", name, {"value": value, **keys}))

    def edit_priority(self, name: str, **changes: Any) -> Priority:
        return models.read(Priority, self._edited("priorities", name, changes))

    def delete_priority(self, name: str) -> None:
        self._deleted("priorities", name)

    def pools(self) -> list[Pool]:
        return [models.read(Pool, one) for one in self._listed("pools")]

    def pool(self, name: str) -> Pool:
        return models.read(Pool, self._one("pools", name))

    def create_pool(self, name: str, **keys: Any) -> Pool:
        """`classes`, `description`."""
        return models.read(Pool, self._created("pools", name, keys))

    def edit_pool(self, name: str, **changes: Any) -> Pool:
        return models.read(Pool, self._edited("pools", name, changes))

    def delete_pool(self, name: str) -> None:
        self._deleted("pools", name)

    def flavors(self) -> list[Flavor]:
        return [models.read(Flavor, one) for one in self._listed("flavors")]

    def flavor(self, name: str) -> Flavor:
        return models.read(Flavor, self._one("flavors", name))

    def create_flavor(self, name: str, resources: Mapping[str, Any], **keys: Any) -> Flavor:
        """`resources` as in a job file; `classes`, `description`."""
        return models.read(Flavor, self._created("flavors", name, {"resources": dict(resources), **keys}))

    def edit_flavor(self, name: str, **changes: Any) -> Flavor:
        return models.read(Flavor, self._edited("flavors", name, changes))

    def delete_flavor(self, name: str) -> None:
        self._deleted("flavors", name)

    def limits(self) -> list[Limit]:
        return [models.read(Limit, one) for one in self._listed("limits")]

    def limit(self, name: str) -> Limit:
        return models.read(Limit, self._one("limits", name))

    def create_limit(self, name: str, **keys: Any) -> Limit:
        """`user`, `project` and `job_class` say whose; `gpus` and `max_time` how much."""
        return models.read(Limit, self._created("limits", name, _spelled(keys)))

    def edit_limit(self, name: str, **changes: Any) -> Limit:
        return models.read(Limit, self._edited("limits", name, _spelled(changes)))

    def delete_limit(self, name: str) -> None:
        self._deleted("limits", name)

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def _listed(self, path: str) -> Iterator[dict[str, Any]]:
        return self.pages(path, None, {})

    def _one(self, path: str, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.http.json("GET", f"{path}/{segment(name)}")
        return found

    def _created(self, path: str, name: str, keys: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = self.http.json("POST", path, body={"name": name, **keys})
        return made

    def _edited(self, path: str, name: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        edited: dict[str, Any] = self.http.json("PATCH", f"{path}/{segment(name)}", body=dict(changes))
        return edited

    def _deleted(self, path: str, name: str) -> None:
        self.http.json("DELETE", f"{path}/{segment(name)}")


def _spelled(keys: Mapping[str, Any]) -> dict[str, Any]:
    """`class` is a word of the language in Python."""
    return {"class" if key == "job_class" else key: value for key, value in keys.items()}
