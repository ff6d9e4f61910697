"""Frameworks, as sent and answered: what they offer, and proposals for how many tasks to have."""

from __future__ import annotations

from pydantic import Field, StrictStr

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Remedy, Trouble
from danlu.files.job_file import ResourcesPart
from danlu.server.http.models import Answer, Request, Text

# ── what is asked ────────────────────────────────────────────────────────────────────────────────────


class ProposalAsked(Request):
    """For which strategy, and for workers of which size: a flavor's or so many resources."""

    framework: StrictStr = Field(min_length=1, max_length=63)
    strategy: StrictStr | None = Field(None, min_length=1, max_length=63)
    flavor: StrictStr | None = Field(None, min_length=1, max_length=100)
    resources: ResourcesPart | None = None
    project: StrictStr = Field("public", min_length=1, max_length=100)

    def must_be_of_one_mind(self) -> None:
        """Invalid where it names two sizes."""
        if self.flavor and self.resources:
            message = "flavor and resources exclude each other"
            raise Invalid((FieldError(("flavor",), "contradiction", message, hint="keep one of them"),))


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────


class FrameworkRole(Answer):
    """A role that a strategy knows. `most` is null where there is no bound; with `one_for`, one task for every so many
    workers is usual, and there are no more than workers. Without `gpus` it belongs on CPU flavors; one that `serves`
    ends once the others are done."""

    name: str
    about: Text
    least: int
    most: int | None
    gpus: bool
    serves: bool
    one_for: int | None
    usual: Text | None


class FrameworkStrategy(Answer):
    """`on`, `restarts` and `hang_after` are what holds where the job file says nothing; `variables` is what its tasks
    get."""

    name: str
    label: Text
    about: Text
    elastic: bool
    processes: bool
    on: dict[Trouble, Remedy]
    restarts: int
    hang_after: str | None
    roles: list[FrameworkRole]
    variables: list[str]


class Framework(Answer):
    """The first strategy is the one for job files that name none."""

    name: str
    label: Text
    about: Text
    strategies: list[FrameworkStrategy]


class Frameworks(Answer):
    items: list[Framework]


class ProposedSize(Answer):
    """As a job file's `resources` says it."""

    cpus: float
    memory: str


class ProposedRole(Answer):
    """A role with so many tasks, of a flavor or, where none is right for it, of a size of its own."""

    name: str
    replicas: int
    flavor: str | None
    resources: ProposedSize | None
    why: Text


class FrameworkProposal(Answer):
    """How many tasks each role could have; `nodes` where the short form of the job file says it all."""

    strategy: str
    roles: list[ProposedRole]
    nodes: int | None
    advice: list[Text]
