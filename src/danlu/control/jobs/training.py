"""What a framework and its strategy make of a job file: defaults filled in, and what does not go together refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from danlu.control.jobs.unserved import place_of_flavor, place_of_size, role_in
from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Kind, Role
from danlu.files.mistakes import Loc, did_you_mean
from danlu.frameworks.base import Framework, RoleShape, Strategy
from danlu.frameworks.catalog import PLAIN, frameworks, strategy

WORKER = "worker"


def completed(spec: JobSpec, data: Mapping[str, Any]) -> JobSpec:
    """The specification with what its framework does where the job file says nothing; one of a framework that there is
    not stays as it is."""
    known = frameworks().get(spec.framework)
    if known is None or spec.kind is not Kind.TRAINING:
        return spec
    chosen = strategy(known, spec.strategy)
    said = {key for key in ("restarts", "hang_after") if data.get(key) is not None}
    return replace(
        spec,
        strategy=spec.strategy or chosen.name,
        roles=tuple(_completed(role, place, chosen, data) for place, role in enumerate(spec.roles)),
        on={**chosen.on, **spec.on},
        restarts=spec.restarts if "restarts" in said else max(spec.restarts, chosen.restarts),
        hang_after=spec.hang_after if "hang_after" in said else chosen.hang_after,
    )


def _completed(role: Role, place: int, chosen: Strategy, data: Mapping[str, Any]) -> Role:
    shape = chosen.role(role.name)
    said = role_in(place, data).get("serves") is not None
    return role if said or shape is None else replace(role, serves=shape.serves)


def mistakes(spec: JobSpec, data: Mapping[str, Any]) -> Iterator[FieldError]:
    """Everything in a completed specification that its framework and strategy do not allow, where the file says it."""
    known = frameworks()
    if spec.framework not in known:
        names = list(known)
        message = f"'{spec.framework}' is not one of {', '.join(names)}"
        hint = did_you_mean(spec.framework, names)
        yield FieldError(("framework",), "not_one_of", message, spec.framework, names, hint)
        return
    framework = known[spec.framework]
    if spec.kind is not Kind.TRAINING and framework is not PLAIN:
        message = f"a {spec.kind} runs one command, without a framework"
        hint = "leave framework out, or use kind: training"
        yield FieldError(("framework",), "contradiction", message, framework.name, hint=hint)
        return
    names = [one.name for one in framework.strategies if one.name]
    if spec.strategy and spec.strategy not in names:
        yield _not_offered(framework, spec.strategy, names)
        return
    chosen = strategy(framework, spec.strategy)
    if framework is not PLAIN:
        wrong = [*_roles(spec, framework, chosen, data)]
        yield from wrong
        yield from _fewer(spec, framework, chosen, data)
        if not wrong and all(role.serves for role in spec.roles):
            message = "every role serves others, so the job would never be done"
            yield FieldError(("roles",), "contradiction", message, hint="leave `serves` out of one of them")
    yield from _processes(spec, framework, chosen, data)


def bounds(shape: RoleShape, workers: int) -> tuple[int, int | None]:
    """The fewest and the most tasks that a role may have beside so many workers."""
    most = shape.most if shape.one_for is None else max(shape.least, workers)
    return shape.least, most


def workers_of(spec: JobSpec) -> int:
    return max((role.replicas for role in spec.roles if role.name == WORKER), default=0)


def _not_offered(framework: Framework, name: str, names: list[str]) -> FieldError:
    if not names:
        message, hint = (
            f"framework {framework.name} has no strategies",
            "leave strategy out, or say framework",
        )
    else:
        message = f"{framework.name} has no strategy '{name}': {', '.join(names)}"
        hint = did_you_mean(name, names) or ""
    return FieldError(("strategy",), "not_one_of", message, name, names, hint)


# ── roles ────────────────────────────────────────────────────────────────────────────────────────────


def _roles(
    spec: JobSpec, framework: Framework, chosen: Strategy, data: Mapping[str, Any]
) -> Iterator[FieldError]:
    workers, names = workers_of(spec), [shape.name for shape in chosen.roles]
    if spec.total and any(shape.least for shape in chosen.roles if shape.name != WORKER):
        message = f"nodes: auto divides one role, and strategy {chosen.name} has several: {', '.join(names)}"
        yield FieldError(("nodes",), "contradiction", message, "auto", hint="give each role its replicas")
        return
    for place, role in enumerate(spec.roles):
        shape = chosen.role(role.name)
        if shape is None:
            message = f"strategy {chosen.name} of {framework.name} has no role '{role.name}'"
            loc: Loc = ("roles", place, "name")
            yield FieldError(loc, "not_one_of", message, role.name, names, did_you_mean(role.name, names))
            continue
        least, most = bounds(shape, workers)
        if not spec.total and (role.replicas < least or (most is not None and role.replicas > most)):
            loc = ("roles", place, "replicas") if has_roles(data) else ("nodes",)
            message = f"{_allowed(shape, workers)}; you asked for {role.replicas}"
            bound = least if role.replicas < least else most
            yield FieldError(loc, "out_of_range", message, role.replicas, bound)
        if role.resources.gpu_milli and not shape.gpus:
            yield _needless_gpus(role, place, data)
    there = {role.name for role in spec.roles}
    for shape in chosen.roles:
        if shape.least and shape.name not in there:
            message = f"strategy {chosen.name} needs the role '{shape.name}' ({_allowed(shape, workers)})"
            hint = f"for example - {{name: {shape.name}, replicas: {usual_count(shape, workers)}}}"
            yield FieldError(("roles",), "missing", message, hint=hint)
            return


def usual_count(shape: RoleShape, workers: int) -> int:
    """How many tasks of a role are usual beside so many workers."""
    if shape.one_for is None:
        return shape.least
    return max(shape.least, -(-workers // shape.one_for))


def _allowed(shape: RoleShape, workers: int) -> str:
    """`ps: 1–4, one for every 4 workers is usual`."""
    least, most = bounds(shape, workers)
    numbers = f"at least {least}" if most is None else f"{least}" if most == least else f"{least}–{most}"
    return f"{shape.name}: {numbers}" + (f", {shape.usual.en}" if shape.usual.en else "")


def _needless_gpus(role: Role, place: int, data: Mapping[str, Any]) -> FieldError:
    own = role_in(place, data)
    loc: Loc = ("roles", place, "resources", "gpus") if "resources" in own else ("roles", place, "flavor")
    message = f"{role.name} needs no GPUs: choose a CPU flavor"
    inherits = "resources" not in own and "flavor" not in own
    hint = "it has the job's size now: give it a flavor or resources of its own" if inherits else None
    value = role.flavor if loc[-1] == "flavor" else role.resources.gpu_milli / 1000
    return FieldError(loc, "contradiction", message, value, hint=hint)


# ── fewer tasks, more processes ──────────────────────────────────────────────────────────────────────


def _fewer(
    spec: JobSpec, framework: Framework, chosen: Strategy, data: Mapping[str, Any]
) -> Iterator[FieldError]:
    if chosen.elastic:
        if spec.total:
            message = "nodes: auto runs all tasks that it divides the job into, and elastic does with fewer"
            yield FieldError(("nodes",), "contradiction", message, "auto", hint="say how many: nodes and min")
        return
    elastic = next((one.name for one in framework.strategies if one.elastic), None)
    for place, role in enumerate(spec.roles):
        if role.min < role.replicas:
            message = f"strategy {chosen.name} of {framework.name} needs all {role.replicas} tasks; min is {role.min}"
            hint = f"use strategy: {elastic}, or leave min out" if elastic else "leave min out"
            loc = place_of("min", place, data)
            yield FieldError(loc, "contradiction", message, role.min, role.replicas, hint)


def _processes(
    spec: JobSpec, framework: Framework, chosen: Strategy, data: Mapping[str, Any]
) -> Iterator[FieldError]:
    for place, role in enumerate(spec.roles):
        if role.processes is None:
            continue
        loc, gpus = place_of("processes", place, data), role.resources.gpu_milli
        if not chosen.processes:
            if role.processes > 1:
                whose = "the command is" if framework is PLAIN else f"{framework.name} has"
                message = f"{whose} one process in each task; you asked for {role.processes}"
                hint = "ask for more tasks, or leave processes out"
                yield FieldError(loc, "contradiction", message, role.processes, 1, hint)
        elif gpus and role.processes > max(1, role.resources.whole_gpus):
            cards = max(1, role.resources.whole_gpus)
            have = "1 GPU" if cards == 1 else f"{cards} GPUs"
            message = f"{role.processes} processes would share {have} in each task: at most one per GPU"
            hint = "leave processes out for one per GPU"
            yield FieldError(loc, "out_of_range", message, role.processes, cards, hint)


def has_roles(data: Mapping[str, Any]) -> bool:
    return data.get("roles") is not None


def place_of(key: str, place: int, data: Mapping[str, Any]) -> Loc:
    """Where the file says something that both a role and the job may say: at the role, unless only the job does."""
    at_role = key in role_in(place, data) or (has_roles(data) and key not in data)
    return ("roles", place, key) if at_role else (key,)


def place_of_gpus(place: int, data: Mapping[str, Any]) -> Loc:
    """Where the file says how many GPUs a role's tasks have: by number or by a flavor."""
    return place_of_flavor(place, data) or (*place_of_size(place, data), "gpus")
