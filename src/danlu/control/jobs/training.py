"""Frameworks and strategies in job files: defaults are filled in, and contradictions are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from danlu.control.jobs.unserved import place_of_flavor, place_of_size, role_in
from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Kind, Role
from danlu.domain.terms import kind_said
from danlu.domain.words import Words, listed, same, say
from danlu.files.mistakes import Loc, did_you_mean
from danlu.frameworks.base import Framework, RoleShape, Strategy
from danlu.frameworks.catalog import PLAIN, frameworks, strategy

WORKER = "worker"


def completed(spec: JobSpec, data: Mapping[str, Any]) -> JobSpec:
    """The specification with its framework's defaults filled in; unchanged if the framework does not exist."""
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
    """Everything in a completed specification that its framework or strategy does not allow, at its place in the
    file."""
    known = frameworks()
    if spec.framework not in known:
        names = list(known)
        message = say(
            "'{framework}' is not one of {names}",
            "“{framework}”不在可选范围内：{names}",
            framework=spec.framework,
            names=listed(names),
        )
        hint = did_you_mean(spec.framework, names)
        yield FieldError(("framework",), "not_one_of", message, spec.framework, names, hint)
        return
    framework = known[spec.framework]
    if spec.kind is not Kind.TRAINING and framework is not PLAIN:
        message = say(
            "a {kind} runs one command and takes no framework",
            "{kind}只运行一条命令，不使用框架",
            kind=kind_said(spec.kind),
        )
        hint = Words("leave framework out, or use kind: training", "请去掉 framework，或改用 kind: training")
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
            message = Words(
                "every role only serves others, so the job would never complete",
                "所有角色都设为 serves，任务永远不会完成",
            )
            yield FieldError(
                ("roles",),
                "contradiction",
                message,
                hint=Words("remove `serves` from at least one role", "请去掉其中一个角色的 `serves`"),
            )
    yield from _processes(spec, framework, chosen, data)


def bounds(shape: RoleShape, workers: int) -> tuple[int, int | None]:
    """The minimum and maximum number of tasks of a role for this many workers."""
    most = shape.most if shape.one_for is None else max(shape.least, workers)
    return shape.least, most


def workers_of(spec: JobSpec) -> int:
    return max((role.replicas for role in spec.roles if role.name == WORKER), default=0)


def _not_offered(framework: Framework, name: str, names: list[str]) -> FieldError:
    if not names:
        message, hint = (
            say(
                "framework {framework} has no strategies",
                "框架 {framework} 没有可选的策略",
                framework=framework.name,
            ),
            Words("leave strategy out, or set framework", "请去掉 strategy，或填写 framework"),
        )
    else:
        message = say(
            "{framework} has no strategy '{strategy}': {names}",
            "{framework} 没有策略“{strategy}”，可选：{names}",
            framework=framework.name,
            strategy=name,
            names=listed(names),
        )
        return FieldError(("strategy",), "not_one_of", message, name, names, did_you_mean(name, names))
    return FieldError(("strategy",), "not_one_of", message, name, names, hint)


# ── roles ────────────────────────────────────────────────────────────────────────────────────────────


def _roles(
    spec: JobSpec, framework: Framework, chosen: Strategy, data: Mapping[str, Any]
) -> Iterator[FieldError]:
    workers, names = workers_of(spec), [shape.name for shape in chosen.roles]
    if spec.total and any(shape.least for shape in chosen.roles if shape.name != WORKER):
        yield _not_divisible(chosen, names)
        return
    for place, role in enumerate(spec.roles):
        shape = chosen.role(role.name)
        if shape is None:
            message = say(
                "strategy {strategy} of {framework} has no role '{role}'",
                "{framework} 的策略 {strategy} 没有角色“{role}”",
                strategy=chosen.name,
                framework=framework.name,
                role=role.name,
            )
            loc: Loc = ("roles", place, "name")
            yield FieldError(loc, "not_one_of", message, role.name, names, did_you_mean(role.name, names))
            continue
        least, most = bounds(shape, workers)
        if not spec.total and (role.replicas < least or (most is not None and role.replicas > most)):
            loc = ("roles", place, "replicas") if has_roles(data) else ("nodes",)
            message = say(
                "{allowed}; you asked for {replicas}",
                "{allowed}，这里为 {replicas}",
                allowed=_allowed(shape, workers),
                replicas=role.replicas,
            )
            bound = least if role.replicas < least else most
            yield FieldError(loc, "out_of_range", message, role.replicas, bound)
        if role.resources.gpu_milli and not shape.gpus:
            yield _needless_gpus(role, place, data)
    there = {role.name for role in spec.roles}
    missing = next((shape for shape in chosen.roles if shape.least and shape.name not in there), None)
    if missing is not None:
        yield _missing(missing, chosen, workers)


def _not_divisible(chosen: Strategy, names: list[str]) -> FieldError:
    message = say(
        "nodes: auto works with one role, but strategy {strategy} has several: {names}",
        "nodes: auto 只能划分一个角色，而策略 {strategy} 有多个：{names}",
        strategy=chosen.name,
        names=listed(names),
    )
    hint = Words("give each role its replicas", "请在每个角色中填写 replicas")
    return FieldError(("nodes",), "contradiction", message, "auto", hint=hint)


def _missing(shape: RoleShape, chosen: Strategy, workers: int) -> FieldError:
    message = say(
        "strategy {strategy} needs the role '{role}' ({allowed})",
        "策略 {strategy} 需要角色“{role}”（{allowed}）",
        strategy=chosen.name,
        role=shape.name,
        allowed=_allowed(shape, workers),
    )
    hint = say(
        "for example - {{name: {role}, replicas: {count}}}",
        "例如 - {{name: {role}, replicas: {count}}}",
        role=shape.name,
        count=usual_count(shape, workers),
    )
    return FieldError(("roles",), "missing", message, hint=hint)


def usual_count(shape: RoleShape, workers: int) -> int:
    """The usual number of tasks of a role for this many workers."""
    if shape.one_for is None:
        return shape.least
    return max(shape.least, -(-workers // shape.one_for))


def _allowed(shape: RoleShape, workers: int) -> Words:
    """`ps: 1–4, one for every 4 workers is usual`."""
    least, most = bounds(shape, workers)
    numbers = same(f"{least}" if most == least else f"{least}–{most}")
    if most is None:
        numbers = say("at least {least}", "至少 {least}", least=least)
    usual = shape.usual
    return Words(
        f"{shape.name}: {numbers.en}" + (f", {usual.en}" if usual.en else ""),
        f"{shape.name}：{numbers.zh}" + (f"，{usual.zh}" if usual.en else ""),
    )


def _needless_gpus(role: Role, place: int, data: Mapping[str, Any]) -> FieldError:
    own = role_in(place, data)
    loc: Loc = ("roles", place, "resources", "gpus") if "resources" in own else ("roles", place, "flavor")
    message = say(
        "{role} needs no GPUs: choose a CPU flavor", "{role} 不需要 GPU，请选择 CPU 套餐", role=role.name
    )
    inherits = "resources" not in own and "flavor" not in own
    hint = (
        Words(
            "it uses the job's size: give it its own flavor or resources",
            "它目前沿用任务的规格，请为它单独填写 flavor 或 resources",
        )
        if inherits
        else None
    )
    value = role.flavor if loc[-1] == "flavor" else role.resources.gpu_milli / 1000
    return FieldError(loc, "contradiction", message, value, hint=hint)


# ── fewer tasks, more processes ──────────────────────────────────────────────────────────────────────


def _fewer(
    spec: JobSpec, framework: Framework, chosen: Strategy, data: Mapping[str, Any]
) -> Iterator[FieldError]:
    if chosen.elastic:
        if spec.total:
            message = Words(
                "nodes: auto always runs all the tasks it creates, so it cannot be combined with elastic",
                "nodes: auto 会运行划分出的全部子任务，而 elastic 可以用更少的子任务运行",
            )
            yield FieldError(
                ("nodes",),
                "contradiction",
                message,
                "auto",
                hint=Words("set the numbers yourself: nodes and min", "请填写数量：nodes 和 min"),
            )
        return
    elastic = next((one.name for one in framework.strategies if one.elastic), None)
    for place, role in enumerate(spec.roles):
        if role.min < role.replicas:
            message = say(
                "strategy {strategy} of {framework} needs all {replicas} tasks, but min is {min}",
                "{framework} 的策略 {strategy} 需要全部 {replicas} 个子任务，而 min 为 {min}",
                strategy=chosen.name,
                framework=framework.name,
                replicas=role.replicas,
                min=role.min,
            )
            hint = (
                say(
                    "use strategy: {elastic}, or leave min out",
                    "请使用 strategy: {elastic}，或去掉 min",
                    elastic=elastic,
                )
                if elastic
                else Words("leave min out", "请去掉 min")
            )
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
                plain = Words(
                    "the command runs as one process per task; you asked for {processes}",
                    "每个子任务只运行命令这一个进程，这里为 {processes}",
                )
                other = Words(
                    "{framework} runs one process per task; you asked for {processes}",
                    "{framework} 的每个子任务只有一个进程，这里为 {processes}",
                )
                chosen_words = plain if framework is PLAIN else other
                message = chosen_words.fill(framework=framework.name, processes=role.processes)
                hint = Words(
                    "request more tasks, or leave processes out", "请增加子任务数量，或去掉 processes"
                )
                yield FieldError(loc, "contradiction", message, role.processes, 1, hint)
        elif gpus and role.processes > max(1, role.resources.whole_gpus):
            cards = max(1, role.resources.whole_gpus)
            have = Words("1 GPU" if cards == 1 else f"{cards} GPUs", f"{cards} 卡")
            message = say(
                "{processes} processes per task would share {cards}: at most one process per GPU",
                "每个子任务中有 {processes} 个进程共用 {cards}：每卡最多一个进程",
                processes=role.processes,
                cards=have,
            )
            hint = Words("leave processes out to get one per GPU", "去掉 processes 即为每卡一个进程")
            yield FieldError(loc, "out_of_range", message, role.processes, cards, hint)


def has_roles(data: Mapping[str, Any]) -> bool:
    return data.get("roles") is not None


def place_of(key: str, place: int, data: Mapping[str, Any]) -> Loc:
    """The place in the file of a key that roles and the job may have: the role, unless only the job has it."""
    at_role = key in role_in(place, data) or (has_roles(data) and key not in data)
    return ("roles", place, key) if at_role else (key,)


def place_of_gpus(place: int, data: Mapping[str, Any]) -> Loc:
    """The place in the file that sets a role's GPUs: a number or a flavor."""
    return place_of_flavor(place, data) or (*place_of_size(place, data), "gpus")
