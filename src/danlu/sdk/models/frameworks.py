"""What the server answers about frameworks."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class FrameworkRole:
    """A role of a strategy. `most` is null if unlimited; with `one_for`, one task per this many workers is usual,
    and never more tasks than workers. Without `gpus` it belongs on CPU flavors; a role that `serves` ends once the
    others are done."""

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
    """`on`, `restarts` and `hang_after` are the defaults for job files that do not set them; `variables` are the
    environment variables that its tasks get."""

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
    """A framework; the first strategy is the default."""

    name: str = ""
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    strategies: tuple[FrameworkStrategy, ...] = ()


@dataclass(frozen=True)
class ProposedRole:
    """A role with this many tasks, with a flavor or, if none fits, its own resources."""

    name: str = ""
    replicas: int = 1
    flavor: str | None = None
    resources: Mapping[str, Any] | None = None
    why: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FrameworkProposal:
    """How many tasks each role could have; `nodes` if the short form of the job file is enough."""

    strategy: str = ""
    roles: tuple[ProposedRole, ...] = ()
    nodes: int | None = None
    advice: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True)
class Example:
    """An example job; `file` is a job file that can be submitted as it is."""

    id: str = ""
    group: str = ""
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    framework: str | None = None
    strategy: str | None = None
    file: str = ""


@dataclass(frozen=True)
class ExampleDetail(Example):
    """An example with its files: each file's text by its path."""

    files: Mapping[str, str] = field(default_factory=dict)


READERS.update(
    {
        FrameworkStrategy: {"roles": ("roles", each(FrameworkRole)), "variables": ("variables", tuple)},
        Framework: {"strategies": ("strategies", each(FrameworkStrategy))},
        FrameworkProposal: {"roles": ("roles", each(ProposedRole)), "advice": ("advice", tuple)},
    }
)
