"""Operations on several flavors: current offers, generation from a node, recommendation for a job, bulk changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from danlu.control.flavors.generated import FlavorProposal, System, proposals
from danlu.control.flavors.measured import Measured, Measurements, asked_by
from danlu.control.flavors.offers import Offer, Offers, OfferState, Question, preference
from danlu.control.rules.checks import obstacles
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, DanluError, NotFound
from danlu.domain.job import Job, Time
from danlu.domain.node import Node
from danlu.domain.permissions import Caller, Permission
from danlu.domain.resources import Resources
from danlu.domain.rules import Flavor, Project
from danlu.domain.terms import no_such
from danlu.domain.words import Words, joined, say

_RECOMMENDED = 3
_AVAILABLE = Words("available now", "可立即使用")
_NOT_MEASURED = Words(
    "none of its runs was measured, so its needs are unknown",
    "该任务还没有用量记录，无法判断所需规格",
)
_NONE_FITS = Words(
    "; no available flavor has that plus a margin of 20 %", "；没有可选套餐能满足该用量并留出两成余量"
)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Flavors that would have been enough for a job, the best first, and on what grounds."""

    job: Job
    measured: Measured | None
    items: tuple[tuple[Flavor, Words], ...]
    text: Words


@dataclass(frozen=True, slots=True)
class FlavorOutcome:
    """The result for one of many flavors; `used_by` is the number of active jobs that use it."""

    name: str
    error: Words | None = None
    used_by: int = 0

    @property
    def ok(self) -> bool:
        return self.error is None


class Flavors:
    """Any thread. `find` looks up a job for a caller, `active` are the running and queued jobs."""

    def __init__(
        self,
        registry: Registry,
        offers: Offers,
        measurements: Measurements,
        nodes: Callable[[], Sequence[Node]],
        active: Callable[[], Iterable[Job]],
        find: Callable[[Caller, str], Job],
    ) -> None:
        self._registry, self._offers, self._measurements = registry, offers, measurements
        self._nodes, self._active, self._find = nodes, active, find

    def offers(
        self, caller: Caller, question: Question, *, hopeless: bool = False
    ) -> tuple[Time, tuple[Offer, ...]]:
        """The offers, by name; with `hopeless`, also flavors with which a job could never start."""
        at, offers = self._offers.to(caller, question)
        return at, tuple(one for one in offers if hopeless or one.state is not OfferState.NEVER)

    def generate(
        self, caller: Caller, node: str, system: System, counts: Sequence[int], *, preview: bool
    ) -> tuple[tuple[FlavorProposal, ...], Words]:
        """Generate flavors that divide a node; existing ones stay as they are. With `preview` nothing is written."""
        caller.require(Permission.FLAVOR_WRITE)
        found = next((one for one in self._nodes() if one.name == node), None)
        if found is None:
            raise NotFound(no_such("node", node))
        made, text = proposals(found, system, counts, self._registry.flavors())
        for one in made if not preview else ():
            if not one.exists:
                self._registry.add(caller, one.flavor)
        return made, text

    def recommend(self, caller: Caller, ref: str) -> Recommendation:
        """Flavors that fit the peak usage of the job's last runs plus 20 %, and are not larger than its current size
        unless needed."""
        caller.require(Permission.FLAVOR_READ)
        job = self._find(caller, ref)
        measured, asked = self._measurements.of(job), asked_by(job)
        if measured is None:
            return Recommendation(job, None, (), _NOT_MEASURED)
        spec, needs = job.spec, measured.needs(asked)
        _, offers = self.offers(caller, Question(spec.job_class, spec.project))
        enough = [one for one in offers if _holds(one.flavor.resources, needs)]
        no_larger = [one for one in enough if _within(one.flavor.resources, asked)]
        best = sorted(no_larger or enough, key=preference)[:_RECOMMENDED]
        text = measured.text(asked)
        if not best:
            text = Words(text.en + _NONE_FITS.en, text.zh + _NONE_FITS.zh)
        items = tuple((one.flavor, one.text or _AVAILABLE) for one in best)
        return Recommendation(job, measured, items, text)

    def edit_all(
        self, caller: Caller, names: Iterable[str], changes: Mapping[str, Any]
    ) -> tuple[FlavorOutcome, ...]:
        """The same change to many flavors; if one fails, the others are still changed."""
        caller.require(Permission.FLAVOR_WRITE)
        return tuple(self._each(names, lambda name: self._registry.edit(caller, Flavor, name, changes)))

    def remove_all(self, caller: Caller, names: Iterable[str], *, preview: bool) -> tuple[FlavorOutcome, ...]:
        """Remove many at once; jobs that use one keep their size. With `preview` nothing is removed."""
        caller.require(Permission.FLAVOR_WRITE)

        def removed(name: str) -> None:
            if preview:
                rule = self._registry.one(caller, Flavor, name)
                if users := list(obstacles(rule, {Project: self._registry.projects()}, ())):
                    raise Conflict(
                        say(
                            "it is used by {users}: change those first",
                            "该套餐正在使用中：{users}；请先修改它们",
                            users=joined(users),
                        )
                    )
            else:
                self._registry.remove(caller, Flavor, name)

        return tuple(self._each(names, removed))

    def _each(self, names: Iterable[str], act: Callable[[str], object]) -> Iterator[FlavorOutcome]:
        jobs = {job.id: job for job in self._active()}.values()
        uses = Counter(name for job in jobs for name in {role.flavor for role in job.spec.roles} if name)
        for name in dict.fromkeys(names):
            try:
                act(name)
            except DanluError as error:
                why = joined(one.text for one in error.errors) if error.errors else error.text
                yield FlavorOutcome(name, why, uses[name])
            else:
                yield FlavorOutcome(name, None, uses[name])


def _holds(size: Resources, needs: Resources) -> bool:
    if size.cpu_milli < needs.cpu_milli or size.memory < needs.memory or (needs.rdma and not size.rdma):
        return False
    if not needs.gpu_milli:
        return not size.gpu_milli
    right = not needs.models or (size.models and set(size.models) <= set(needs.models))
    return size.gpu_milli >= needs.gpu_milli and bool(right)


def _within(size: Resources, asked: Resources) -> bool:
    """Whether it is not larger in any resource."""
    return (
        size.cpu_milli <= asked.cpu_milli
        and size.memory <= asked.memory
        and size.gpu_milli <= asked.gpu_milli
    )
