"""Operations on several flavors: current offers, generation from a node, recommendation for a job, bulk changes."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool

from danlu.control.flavors import generated
from danlu.control.flavors.flavors import FlavorOutcome, Recommendation
from danlu.control.flavors.measured import Measured
from danlu.control.flavors.offers import Offer
from danlu.domain.job import JobClass
from danlu.files.quantities import Bytes, Count
from danlu.files.rulings import Classes, RuleName, Ruling, ShortText
from danlu.server.http.models import Answer, English, Moment, Name, RequestBody, Text
from danlu.server.http.rendering import At, By, Json
from danlu.server.rules.models import Flavor

MOST = 1_000

FlavorNames = Annotated[list[RuleName], Field(min_length=1, max_length=MOST)]
Counts = Annotated[list[Annotated[int, Field(ge=1, le=10_000, strict=True)]], Field(max_length=20)]

# ── what is asked ────────────────────────────────────────────────────────────────────────────────────


class OffersQuery(RequestBody):
    """For which jobs."""

    job_class: JobClass | None = Field(
        None,
        alias="class",
        description="The job class; default: `single`, or `distributed` for several tasks.",
    )
    project: str = Field("public", min_length=1, max_length=100, description="The project.")
    count: int = Field(1, ge=1, le=10_000, description="The number of tasks of the flavor's size.")
    all: bool = Field(False, description="Include flavors with which a job could never start, and why.")


class RecommendQuery(RequestBody):
    job: str = Field(min_length=1, max_length=200, description="The job, by id, name, or OWNER:NAME.")


class SystemPart(RequestBody):
    """What is kept for the system on the node."""

    cpus: Annotated[Count, Field(ge=0)] | None = None
    memory: Annotated[Bytes, Field(ge=0, le=2**60)] | None = None


class FlavorGenerate(RequestBody):
    """A node to divide. Counts are of its GPUs, or of CPUs where it has none; default: 1, 2, 4 and so on, up to all."""

    node: Name
    system: SystemPart | None = None
    counts: Counts | None = None
    preview: StrictBool = False


class FlavorsEdit(Ruling):
    """What to change on each of these flavors; fields that are left out stay as they are."""

    names: FlavorNames
    classes: Classes | None = None
    description: ShortText | None = None


class FlavorsDelete(RequestBody):
    """Which flavors to remove; with `preview`, only show what uses them."""

    names: FlavorNames
    preview: StrictBool = False


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────


class FlavorOffer(Answer, of=Offer):
    """What a job of this size could expect now. `behind` is the number of jobs ahead of it, null if it would not wait
    for its turn; `text` is null if it would start at once."""

    flavor: Flavor
    state: Literal["available", "waits", "never"]
    behind: int | None
    text: Text | None
    recommended: bool


class FlavorOffers(Answer):
    at: Moment
    items: list[FlavorOffer]


class FlavorProposal(Answer, of=generated.FlavorProposal):
    """`exists`: a flavor of this size already exists and is shown instead."""

    flavor: Flavor
    exists: bool


class FlavorProposals(Answer):
    items: list[FlavorProposal]
    text: Text


class FlavorMeasured(Answer, of=Measured):
    """The peak usage of one task over this many runs: CPU cores, bytes of memory, utilisation of its busiest GPU (0 to
    1), and the largest memory use of one GPU in bytes."""

    runs: int
    cpus: float
    memory: int
    gpu_use: float | None
    gpu_memory: int | None


class FlavorChoice(Answer):
    flavor: Flavor
    text: Text


def _choices(one: Recommendation) -> list[Json]:
    return [{"flavor": Flavor.render(flavor), "text": Text.render(text)} for flavor, text in one.items]


class FlavorRecommendation(Answer, of=Recommendation):
    """Flavors that would have been enough, best first; `measured` is null if no run was measured."""

    job: Annotated[str, At("job.id")]
    measured: FlavorMeasured | None
    items: Annotated[list[FlavorChoice], By(_choices)]
    text: Text | None


class FlavorEdited(Answer, of=FlavorOutcome):
    name: str
    ok: bool
    error: English | None
    text: Annotated[Text | None, At("error")]


class FlavorsEdited(Answer):
    items: list[FlavorEdited]


class FlavorDeleted(FlavorEdited):
    """`used_by` is the number of active jobs that use it; they keep their size."""

    used_by: int


class FlavorsDeleted(Answer):
    items: list[FlavorDeleted]
