"""What the server answers about frameworks."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class FrameworkRole:
    """A role that a strategy knows. `most` is null where there is no bound; with `one_for`, one task for every so
    many workers is usual, and there are no more than workers. Without `gpus` it belongs on CPU flavors; one that
    `serves` ends once the others are done."""

    name: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    least: int = 1
    most: int | None = None
    gpus: bool = True
    serves: bool = False
    one_for: int | None = None
    usual: Mapping[str, str] | None = None


@dataclass(frozen=True)
class FrameworkStrategy:
    """`on`, `restarts` and `hang_after` are what holds where the job file says nothing; `variables` is what its
    tasks get."""

    name: str = ""
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

    name: str = ""
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    strategies: tuple[FrameworkStrategy, ...] = ()


@dataclass(frozen=True)
class ProposedRole:
    """A role with so many tasks, of a flavor or, where none is right for it, of a size of its own."""

    name: str = ""
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


@dataclass(frozen=True)
class Example:
    """A job to begin with: `file` is a job file that can be submitted as it stands."""

    id: str = ""
    group: str = ""
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    framework: str | None = None
    strategy: str | None = None
    file: str = ""


@dataclass(frozen=True)
class ExampleDetail(Example):
    """With what is in its folder: each file's text by its path, the job file as it was written."""

    files: Mapping[str, str] = field(default_factory=dict)


READERS.update(
    {
        FrameworkStrategy: {"roles": ("roles", each(FrameworkRole)), "variables": ("variables", tuple)},
        Framework: {"strategies": ("strategies", each(FrameworkStrategy))},
        FrameworkProposal: {"roles": ("roles", each(ProposedRole)), "advice": ("advice", tuple)},
    }
)
