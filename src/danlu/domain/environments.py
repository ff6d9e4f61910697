"""Environments with people's own packages, which their jobs made and keep."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.domain.job import Time


@dataclass(frozen=True, slots=True)
class EnvironmentRow:
    """An environment as lists have it. `made_from` is the file it was made from, or the names of its packages; `job`
    is the job that made it. While it is `building`, little is known of it. `in_use`: a running task has it open."""

    key: str
    kind: str
    made_from: str
    size: int
    made_at: Time | None
    used_at: Time | None
    job: str
    packages: int
    building: bool
    in_use: bool


@dataclass(frozen=True, slots=True)
class PackageVersion:
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Environment(EnvironmentRow):
    """With what it was made from, line by line, and what is installed in it."""

    python: str
    content: tuple[str, ...]
    installed: tuple[PackageVersion, ...]
    path: str
