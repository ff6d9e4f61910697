"""What the server answers about rules."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass

from danlu.sdk.models.reading import READERS


@dataclass(frozen=True)
class Priority:
    """A priority class. `needs_reason`: its jobs must have a justification. `budget`: GPU-hours of each person in a
    calendar month."""

    name: str = ""
    value: int = 0
    may_preempt: bool = False
    may_be_preempted: bool = True
    groups: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    description: str = ""
    needs_reason: bool = False
    budget: float | None = None


@dataclass(frozen=True)
class Pool:
    name: str = ""
    classes: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class Limit:
    """`*` is each user (project) separately, null all of them together."""

    name: str = ""
    user: str | None = None
    project: str | None = None
    job_class: str | None = None
    gpus: float | None = None
    max_time: str | None = None


READERS.update(
    {
        Priority: {"groups": ("groups", tuple), "projects": ("projects", tuple)},
        Pool: {"classes": ("classes", tuple)},
        Limit: {"job_class": ("class", None)},
    }
)
