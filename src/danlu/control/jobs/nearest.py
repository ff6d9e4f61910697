"""The flavor to suggest when another does not fit: the one closest in size that does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec
from danlu.domain.resources import Resources
from danlu.domain.rules import Flavor
from danlu.domain.words import say
from danlu.scheduler import ask_of, could_ever_start
from danlu.scheduler.cluster import AllNodes


def with_nearest(
    error: FieldError, spec: JobSpec, place: int, flavors: Iterable[Flavor], idle: AllNodes
) -> FieldError:
    """The error of a role's size, with a hint at the flavor to use instead; unchanged if no flavor was used."""
    if spec.roles[place].flavor is None or error.hint is not None:
        return error
    wanted = spec.roles[place].resources
    usable = [flavor for flavor in flavors if not flavor.classes or spec.job_class in flavor.classes]
    for flavor in sorted(usable, key=lambda one: (_distance(one.resources, wanted), one.name)):
        role = replace(spec.roles[place], resources=flavor.resources)
        roles = (*spec.roles[:place], role, *spec.roles[place + 1 :])
        if could_ever_start(idle, ask_of(replace(spec, roles=roles))):
            return replace(
                error,
                hint=say(
                    "the nearest flavor that fits is '{flavor}'",
                    "可用的套餐中最接近的是“{flavor}”",
                    flavor=flavor.name,
                ),
            )
    return error


def _distance(one: Resources, other: Resources) -> tuple[bool, float]:
    """Another GPU model is farther than any size; each resource counts by its relative difference."""
    pairs = (
        (one.gpu_milli, other.gpu_milli), (one.cpu_milli, other.cpu_milli), (one.memory, other.memory),
    )  # fmt: skip
    return one.gpu_model != other.gpu_model, sum(abs(a - b) / max(a, b, 1) for a, b in pairs)
