"""Frameworks, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping

from danlu.sdk import models

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class FrameworkRole:
    """A role that a strategy knows. With `one_for`, one task for every so many workers is usual, and there are no more
    than workers; one that `serves` ends once the others are done. Sentences are keyed by language (`en`, `zh`)."""

    name: str
    about: Mapping[str, str] = field(default_factory=dict)
    least: int = 1
    most: int | None = None
    gpus: bool = True
    serves: bool = False
    one_for: int | None = None
    usual: Mapping[str, str] | None = None


@dataclass(frozen=True)
class FrameworkStrategy:
    """`on`, `restarts` and `hang_after` hold where a job file says nothing; `variables` is what its tasks get."""

    name: str
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    elastic: bool = False
    processes: bool = False
    on: Mapping[str, str] = field(default_factory=dict)
    restarts: int = 0
    hang_after: str | None = None
    roles: tuple[FrameworkRole, ...] = ()
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Framework:
    """The first strategy is the one for job files that name none."""

    name: str
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    strategies: tuple[FrameworkStrategy, ...] = ()


@dataclass(frozen=True)
class ProposedRole:
    """A role with so many tasks, of a flavor or, where none is right for it, of `resources` of its own."""

    name: str
    replicas: int = 1
    flavor: str | None = None
    resources: Mapping[str, Any] | None = None
    why: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FrameworkProposal:
    """How many tasks each role could have; `nodes` where the short form of the job file says it all."""

    strategy: str = ""
    roles: tuple[ProposedRole, ...] = ()
    nodes: int | None = None
    advice: tuple[Mapping[str, str], ...] = ()


class Frameworks:
    """What frameworks offer, and how many tasks to have with them."""

    http: Http

    def frameworks(self) -> list[Framework]:
        """All frameworks, with their strategies and roles."""
        return [_framework(one) for one in self.http.json("GET", "frameworks")["items"]]

    def propose(
        self,
        framework: str,
        strategy: str | None = None,
        flavor: str | None = None,
        resources: Mapping[str, Any] | None = None,
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
        roles = tuple(models.read(ProposedRole, one) for one in found["roles"])
        return FrameworkProposal(found["strategy"], roles, found["nodes"], tuple(found["advice"]))


def _framework(one: Mapping[str, Any]) -> Framework:
    return models.read(Framework, {**one, "strategies": tuple(_strategy(each) for each in one["strategies"])})


def _strategy(one: Mapping[str, Any]) -> FrameworkStrategy:
    roles = tuple(models.read(FrameworkRole, each) for each in one["roles"])
    return models.read(FrameworkStrategy, {**one, "roles": roles, "variables": tuple(one["variables"])})
