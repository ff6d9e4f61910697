"""What the server answers about environments."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass

from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class EnvironmentRow:
    """An environment that a job made for its owner: `made_from` is a file in the code or the names of packages,
    `job` the job that made it, `packages` how many it has. `building`: a task is installing it. `in_use`: a running
    task has it open, so it cannot be deleted."""

    key: str = ""
    kind: str = ""
    made_from: str = ""
    size: int = 0
    made_at: str | None = None
    used_at: str | None = None
    job: str = ""
    packages: int = 0
    building: bool = False
    in_use: bool = False


@dataclass(frozen=True)
class PackageVersion:
    """A package that is installed."""

    name: str = ""
    version: str = ""


@dataclass(frozen=True)
class Environment(EnvironmentRow):
    """With the lines it was made from, what is installed in it, and where it is in the personal directory."""

    python: str = ""
    content: tuple[str, ...] = ()
    installed: tuple[PackageVersion, ...] = ()
    path: str = ""


READERS.update(
    {
        Environment: {"content": ("content", tuple), "installed": ("installed", each(PackageVersion))},
    }
)
