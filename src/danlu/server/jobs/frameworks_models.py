"""Frameworks: what they offer, and proposed numbers of tasks."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StrictStr

from danlu.control.jobs import proposals
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Remedy, Trouble
from danlu.domain.quantity import exact_size, show_time
from danlu.domain.words import Words
from danlu.files.job_file import ResourcesPart
from danlu.frameworks import base
from danlu.server.http.models import Answer, RequestBody, Text
from danlu.server.http.rendering import GIVEN, By, Json, Via

# ── what is asked ────────────────────────────────────────────────────────────────────────────────────


class ProposalAsked(RequestBody):
    """For which strategy, and for which size of workers: a flavor or resources."""

    framework: StrictStr = Field(min_length=1, max_length=63)
    strategy: StrictStr | None = Field(None, min_length=1, max_length=63)
    flavor: StrictStr | None = Field(None, min_length=1, max_length=100)
    resources: ResourcesPart | None = None
    project: StrictStr = Field("public", min_length=1, max_length=100)

    def must_be_of_one_mind(self) -> None:
        """Invalid if both flavor and resources are given."""
        if self.flavor and self.resources:
            message = Words(
                "flavor and resources cannot be used together", "flavor 与 resources 不能同时使用"
            )
            raise Invalid(
                (
                    FieldError(
                        ("flavor",),
                        "contradiction",
                        message,
                        hint=Words("keep one of them", "请只保留其中一个"),
                    ),
                )
            )


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────


def _usual(one: base.RoleShape) -> Words | None:
    return one.usual if one.usual.en else None


class FrameworkRole(Answer, of=base.RoleShape):
    """A role of a strategy. `most` is null if unlimited; with `one_for`, one task per this many workers is usual, and
    never more tasks than workers. Without `gpus` it belongs on CPU flavors; a role that `serves` ends once the others
    are done."""

    name: str
    about: Text
    least: int
    most: int | None
    gpus: bool
    serves: bool
    one_for: int | None
    usual: Annotated[Text | None, By(_usual)]


def _plain(on: Mapping[Trouble, Remedy]) -> dict[str, str]:
    return {trouble.value: remedy.value for trouble, remedy in on.items()}


def _hang_after(one: base.Strategy) -> str | None:
    return show_time(one.hang_after) if one.hang_after else None


class FrameworkStrategy(Answer, of=base.Strategy):
    """`on`, `restarts` and `hang_after` are the defaults for job files that do not set them; `variables` are the
    environment variables that its tasks get."""

    name: str
    label: Text
    about: Text
    elastic: bool
    processes: bool
    on: Annotated[dict[Trouble, Remedy], Via(_plain)]
    restarts: int
    hang_after: Annotated[str | None, By(_hang_after)]
    roles: list[FrameworkRole]
    variables: Annotated[list[str], GIVEN]


class Framework(Answer, of=base.Framework):
    """A framework; the first strategy is the default."""

    name: str
    label: Text
    about: Text
    strategies: Annotated[list[FrameworkStrategy], GIVEN]


class Frameworks(Answer):
    items: list[Framework]


class ProposedSize(Answer):
    """A size, as in a job file's `resources`."""

    cpus: float
    memory: str


def _own_size(one: proposals.ProposedRole) -> Json | None:
    size = one.resources
    return {"cpus": size.cpu_milli / 1000, "memory": exact_size(size.memory)} if size else None


class ProposedRole(Answer, of=proposals.ProposedRole):
    """A role with this many tasks, with a flavor or, if none fits, its own resources."""

    name: str
    replicas: int
    flavor: str | None
    resources: Annotated[ProposedSize | None, By(_own_size)]
    why: Text


class FrameworkProposal(Answer, of=proposals.FrameworkProposal):
    """How many tasks each role could have; `nodes` if the short form of the job file is enough."""

    strategy: str
    roles: list[ProposedRole]
    nodes: int | None
    advice: list[Text]
