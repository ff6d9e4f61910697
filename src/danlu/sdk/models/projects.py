"""What the server answers about projects."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class Project:
    """A project; amounts are GPUs and CPUs as numbers, memory in bytes. `members` is the number of members,
    `my_role` the caller's role in it."""

    name: str = ""
    weight: float | None = None
    guarantee: Mapping[str, float] = field(default_factory=dict)
    cap: Mapping[str, float] = field(default_factory=dict)
    closed: bool = False
    reclaimable: bool = True
    node_selector: Mapping[str, str] = field(default_factory=dict)
    priorities: tuple[str, ...] = ()
    description: str = ""
    creator: str = ""
    open: bool = False
    default_flavor: str = ""
    default_image: str = ""
    members: int = 0
    my_role: str | None = None


@dataclass(frozen=True)
class UsableProject:
    """A project in which the caller may queue jobs. `priorities` are the classes that they may use in it; the jobs
    of a closed project do not start."""

    name: str = ""
    description: str = ""
    open: bool = False
    closed: bool = False
    node_selector: Mapping[str, str] = field(default_factory=dict)
    default_flavor: str = ""
    default_image: str = ""
    priorities: tuple[str, ...] = ()
    my_role: str | None = None


@dataclass(frozen=True)
class QuotaLeft:
    """What jobs of a class may still take of a resource before a quota refuses a start; of several quotas, the one
    that leaves the least. GPUs and CPUs as numbers, memory in bytes."""

    job_class: str = ""
    resource: str = ""
    left: float = 0
    limit: float = 0
    used: float = 0
    quota: str = ""
    until: str | None = None


@dataclass(frozen=True)
class UsableProjects:
    """Where the caller may queue jobs, and what their quotas leave; what is not listed in `left` is unlimited."""

    items: tuple[UsableProject, ...] = ()
    left: tuple[QuotaLeft, ...] = ()


@dataclass(frozen=True)
class Member:
    """A member of a project: their role, since when, and who added them."""

    user: str = ""
    display_name: str = ""
    role: str = ""
    since: str = ""
    by: str = ""


@dataclass(frozen=True)
class Standing:
    """A project's current use of its share; `account` is the project whose share its jobs draw on."""

    at: str = ""
    project: str = ""
    weight: float | None = None
    account: str = ""
    amounts: tuple[Mapping[str, Any], ...] = ()
    running: int = 0
    queued: int = 0


@dataclass(frozen=True)
class Request:
    """A request and its state. `subject` is the project, or whose quota it is; `can_decide` says whether the caller
    may decide it."""

    id: str = ""
    kind: str = ""
    user: str = ""
    subject: str = ""
    note: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)
    state: str = ""
    created_at: str | None = None
    decided_by: str | None = None
    decided_at: str | None = None
    answer: str = ""
    can_decide: bool = False


READERS.update(
    {
        Project: {"priorities": ("priorities", tuple)},
        UsableProject: {"priorities": ("priorities", tuple)},
        QuotaLeft: {"job_class": ("class", None)},
        UsableProjects: {"items": ("items", each(UsableProject)), "left": ("left", each(QuotaLeft))},
        Standing: {"amounts": ("amounts", tuple)},
    }
)
