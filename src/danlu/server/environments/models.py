"""Environments as answered."""

from typing import Literal

from danlu.domain import environments
from danlu.server.http.models import Answer, Moment


class EnvironmentRow(Answer, of=environments.EnvironmentRow):
    """An environment that a job made for its owner: `made_from` is a file in the code or the names of packages, `job`
    the job that made it, `packages` how many it has. `building`: a task is installing it. `in_use`: a running task has
    it open, so it cannot be deleted."""

    key: str
    kind: Literal["pip", "conda"]
    made_from: str
    size: int
    made_at: Moment | None
    used_at: Moment | None
    job: str
    packages: int
    building: bool
    in_use: bool


class PackageVersion(Answer, of=environments.PackageVersion):
    """A package that is installed."""

    name: str
    version: str


class Environment(EnvironmentRow, of=environments.Environment):
    """With the lines it was made from, what is installed in it, and where it is in the personal directory."""

    python: str
    content: list[str]
    installed: list[PackageVersion]
    path: str


class EnvironmentList(Answer):
    items: list[EnvironmentRow]
