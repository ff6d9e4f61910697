"""Errors in rules, and what prevents removing one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from danlu.control.rules.cluster_checks import cluster_mistakes, runs_on
from danlu.control.rules.node_checks import window_mistakes
from danlu.control.rules.quota_checks import quota_mistakes
from danlu.domain.errors import FieldError
from danlu.domain.job import Job
from danlu.domain.people import UserRole
from danlu.domain.permissions import PERSONAL, Permission
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.rules import (
    CLUSTER_LABEL,
    CPUS,
    EACH,
    GPUS,
    MEMORY,
    NORMAL,
    PUBLIC,
    Amounts,
    Flavor,
    Group,
    KubernetesCluster,
    Limit,
    Maintenance,
    NodeRule,
    Pool,
    PriorityClass,
    Project,
    Quota,
    Rule,
)
from danlu.domain.terms import no_such, thing
from danlu.domain.words import NOTHING, Words, listed, say
from danlu.files.mistakes import did_you_mean, guess, near

DEFAULT_POOL = "default"
KEPT = frozenset({(Project.kind, PUBLIC), (PriorityClass.kind, NORMAL), (Pool.kind, DEFAULT_POOL)})
"""Defaults of jobs and nodes: these rules cannot be removed."""

_GPU_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,62}")
_RESOURCES = (CPUS, MEMORY, GPUS)
_NO_MODELS = frozenset({"cpu", "gpu", "mem", "ram", *_RESOURCES})
_NAMED = 5
_MOST_WEIGHT = 1_000_000
_QUESTIONS = frozenset({"offers", "recommend"})
"""Names that flavors cannot have, because API addresses use them."""

Book = Mapping[type[Rule], Mapping[str, Rule]]
"""All rules, by kind and name."""


def mistakes(rule: Rule, book: Book) -> Iterator[FieldError]:
    """All errors of a rule, given the others, at the fields of the API."""
    yield from _CHECKS[type(rule)](rule, book)


def obstacles(rule: Rule, book: Book, active: Iterable[Job]) -> Iterator[Words]:
    """What uses a rule and prevents its removal."""
    if isinstance(rule, Project):
        yield from _jobs(job for job in active if job.spec.project == rule.name)
        yield from _rules(Limit, book, lambda limit: limit.project == rule.name)
        yield from _rules(PriorityClass, book, lambda priority: rule.name in priority.projects)
    elif isinstance(rule, PriorityClass):
        yield from _jobs(job for job in active if job.spec.priority == rule.name)
        yield from _rules(Project, book, lambda project: rule.name in project.priorities)
    elif isinstance(rule, Flavor):
        yield from _rules(Project, book, lambda project: project.default_flavor == rule.name)
    elif isinstance(rule, Pool):
        yield from _rules(NodeRule, book, lambda node: node.pool == rule.name)
        yield from _rules(Maintenance, book, lambda window: window.pool == rule.name)
    elif isinstance(rule, Group):
        yield from _rules(PriorityClass, book, lambda priority: rule.name in priority.groups)
        yield from _rules(Quota, book, lambda quota: quota.name == f"group:{rule.name}")
    elif isinstance(rule, KubernetesCluster):
        yield from _jobs(job for job in active if runs_on(job, rule.name))
        yield from _rules(
            Project, book, lambda project: project.node_selector.get(CLUSTER_LABEL) == rule.name
        )


def known_or_not(loc: str | int, word: str, kind: type[Rule], book: Book, *path: int) -> Iterator[FieldError]:
    """An error if there is no rule of this kind and name."""
    names = sorted(book.get(kind, {}))
    if word not in names:
        text = no_such(kind.kind, word)
        yield FieldError((loc, *path), f"no_such_{kind.kind}", text, word, hint=did_you_mean(word, names))


# ── each kind ────────────────────────────────────────────────────────────────────────────────────────


def _project(project: Project, book: Book) -> Iterator[FieldError]:
    weight = project.weight
    if weight is not None and not (math.isfinite(weight) and 0 <= weight <= _MOST_WEIGHT):
        message = say(
            "{weight} is not a weight: it must be a number from 0 to {most}",
            "{weight} 不是有效的权重：须为 0 到 {most} 的数字",
            weight=weight,
            most=_MOST_WEIGHT,
        )
        yield FieldError(("weight",), "out_of_range", message, str(weight), [0, _MOST_WEIGHT])
    if weight is None and project.name == PUBLIC:
        message = Words(
            "public must have a weight: projects without a weight draw on its share",
            "public 必须有权重：没有权重的项目组使用它的份额",
        )
        yield FieldError(
            ("weight",),
            "needs_weight",
            message,
            hint=Words("give it a weight, such as 1", "请填写权重，例如 1"),
        )
    if weight is None and project.guarantee:
        message = Words(
            "a guarantee needs a weight: a project without a weight draws on public's share",
            "设置保障需要有权重：没有权重的项目组使用 public 的份额",
        )
        yield FieldError(
            ("guarantee",),
            "needs_weight",
            message,
            hint=Words("give the project a weight, such as 1", "请为该项目组填写权重，例如 1"),
        )
    wrong = [*_amounts("guarantee", project.guarantee), *_amounts("cap", project.cap)]
    yield from wrong
    if not wrong:
        yield from _beyond(project.guarantee, project.cap)
    for place, name in enumerate(project.priorities):
        yield from known_or_not("priorities", name, PriorityClass, book, place)
    if project.default_flavor:
        yield from known_or_not("default_flavor", project.default_flavor, Flavor, book)


def strange_models(project: Project, models: Sequence[str]) -> Iterator[FieldError]:
    """Amounts of GPU models that no node has."""
    for field in ("guarantee", "cap"):
        for key in getattr(project, field):
            named = key not in _RESOURCES and key.lower() not in _NO_MODELS and _GPU_MODEL.fullmatch(key)
            if named and models and key not in models:
                message = say(
                    "no node has GPU model '{key}' (there are {models})",
                    "没有节点配有型号为“{key}”的 GPU（现有 {models}）",
                    key=key,
                    models=listed(models),
                )
                hint = did_you_mean(key, [*models, *_RESOURCES])
                yield FieldError((field, key), "no_such_gpu", message, key, list(models), hint)


def more_than_there_is(guarantee: Amounts, before: Amounts, there: Mapping[str, int]) -> Iterator[FieldError]:
    """Guarantees that no state of the nodes could keep; those that were set before stay, for nodes come and go."""
    for key, amount in guarantee.items():
        if key in there and amount > there[key] and amount != before.get(key):
            most = show_milli(there[key])
            message = say(
                "no more than {most} {key} can be guaranteed: that is what the nodes have",
                "{key} 的保障不能超过节点的总量 {most}",
                most=most,
                key=key,
            )
            yield FieldError(("guarantee", key), "out_of_range", message, show_milli(amount), most)


def _amounts(field: str, amounts: Amounts) -> Iterator[FieldError]:
    for key, amount in amounts.items():
        likely = near(key, _RESOURCES) if key.lower() in _NO_MODELS else None
        if key not in _RESOURCES and (likely or not _GPU_MODEL.fullmatch(key)):
            message = say(
                "'{key}' is not a resource: use cpus, memory, gpus or a GPU model such as A100",
                "“{key}”不是资源；可用 cpus、memory、gpus 或 A100 等 GPU 型号",
                key=key,
            )
            hint = guess(likely) if likely else None
            yield FieldError((field, key), "no_such_resource", message, key, hint=hint)
        elif amount < 0:
            message = say(
                "{value} is out of range: at least 0", "{value} 超出范围：至少为 0", value=_shown(key, amount)
            )
            yield FieldError((field, key), "out_of_range", message, _shown(key, amount), "0")


def _beyond(guarantee: Amounts, cap: Amounts) -> Iterator[FieldError]:
    """A guarantee cannot exceed the cap."""
    models = sum(amount for key, amount in guarantee.items() if key not in _RESOURCES)
    for key, most in cap.items():
        promised = max(guarantee.get(key, 0), models if key == GPUS else 0)
        if promised > most:
            message = say(
                "a cap of {cap} {resource} is less than the guarantee ({guarantee})",
                "{resource} 的上限 {cap} 小于保障（{guarantee}）",
                cap=_shown(key, most),
                resource=key,
                guarantee=_shown(key, promised),
            )
            yield FieldError(("cap", key), "contradiction", message, _shown(key, most), _shown(key, promised))


def _shown(key: str, amount: int) -> str:
    return show_size(amount) if key == MEMORY and amount >= 0 else show_milli(amount)


def _priority(priority: PriorityClass, book: Book) -> Iterator[FieldError]:
    for place, name in enumerate(priority.projects):
        yield from known_or_not("projects", name, Project, book, place)
    if priority.budget_milli is not None and priority.budget_milli < 0:
        shown = show_milli(priority.budget_milli)
        yield FieldError(
            ("budget",),
            "out_of_range",
            say("{value} is out of range: at least 0", "{value} 超出范围：至少为 0", value=shown),
            shown,
            "0",
        )


def _flavor(flavor: Flavor, _: Book) -> Iterator[FieldError]:
    if flavor.name in _QUESTIONS:
        message = say(
            "'{name}' cannot be the name of a flavor: the API uses it as an address",
            "“{name}”不能用作套餐名称：它已用作 API 地址",
            name=flavor.name,
        )
        yield FieldError(("name",), "reserved", message, flavor.name)
    wrong = [model for model in flavor.resources.models if not _GPU_MODEL.fullmatch(model)]
    if wrong:
        message = say(
            "'{model}' is not a GPU model; write a name such as A100",
            "“{model}”不是 GPU 型号，请写成 A100 的形式",
            model=wrong[0],
        )
        yield FieldError(("resources", "gpu"), "bad_form", message, flavor.resources.gpu_model)


def _limit(limit: Limit, book: Book) -> Iterator[FieldError]:
    if limit.gpu_milli is None and limit.max_time is None:
        message = Words(
            "a limit must bound something: give gpus, max_time or both",
            "限额不能为空：请至少填写 gpus 和 max_time 中的一项",
        )
        yield FieldError(("gpus",), "missing", message)
    if limit.gpu_milli is not None and limit.gpu_milli < 0:
        shown = show_milli(limit.gpu_milli)
        yield FieldError(
            ("gpus",),
            "out_of_range",
            say("{value} is out of range: at least 0", "{value} 超出范围：至少为 0", value=shown),
            shown,
            "0",
        )
    if limit.max_time is not None and limit.max_time < 1:
        yield FieldError(
            ("max_time",),
            "out_of_range",
            Words("a time must be longer than zero", "时长须大于零"),
            limit.max_time,
        )
    if limit.project not in (None, EACH):
        yield from known_or_not("project", str(limit.project), Project, book)


def _node(node: NodeRule, book: Book) -> Iterator[FieldError]:
    if node.pool is not None:
        yield from known_or_not("pool", node.pool, Pool, book)


def _group(group: Group, _: Book) -> Iterator[FieldError]:
    if group.name in set(UserRole):
        message = say(
            "'{name}' is a role; a group of that name could be mistaken for it",
            "“{name}”是角色，同名的用户组容易与之混淆",
            name=group.name,
        )
        yield FieldError(("name",), "reserved", message, group.name)
    words = [permission.value for permission in Permission]
    for place, word in enumerate(group.permissions):
        if word not in words:
            hint = did_you_mean(word, words)
            message = say("there is no permission '{word}'", "没有名为“{word}”的权限", word=word)
            yield FieldError(("permissions", place), "no_such_permission", message, word, hint=hint)
        elif word in PERSONAL:
            message = say(
                "{word} applies only to one's own things; a group cannot grant it on the things of others",
                "{word} 是每个人对自己内容的权限，不能通过用户组授予",
                word=word,
            )
            yield FieldError(("permissions", place), "personal", message, word)


def _maintenance(window: Maintenance, book: Book) -> Iterator[FieldError]:
    yield from window_mistakes(window)
    if window.pool is not None:
        yield from known_or_not("pool", window.pool, Pool, book)


def _nothing(_: Rule, __: Book) -> Iterator[FieldError]:
    return iter(())


_CHECKS: Mapping[type[Rule], Callable[[Any, Book], Iterator[FieldError]]] = {
    Project: _project,
    PriorityClass: _priority,
    Pool: _nothing,
    Flavor: _flavor,
    Limit: _limit,
    NodeRule: _node,
    KubernetesCluster: lambda cluster, _: cluster_mistakes(cluster),
    Group: _group,
    Quota: lambda quota, _: quota_mistakes(quota),
    Maintenance: _maintenance,
}


# ── what uses what ───────────────────────────────────────────────────────────────────────────────────


def _jobs(jobs: Iterable[Job]) -> Iterator[Words]:
    yield from _several(
        "job",
        [say("{job} of {owner}", "{owner} 的 {job}", job=job.title, owner=job.owner) for job in jobs],
    )


def _rules(kind: type[Rule], book: Book, uses: Callable[[Any], bool]) -> Iterator[Words]:
    yield from _several(kind.kind, [name for name, rule in book.get(kind, {}).items() if uses(rule)])


def _several(kind: str, names: Sequence[object]) -> Iterator[Words]:
    if names:
        count = len(names) - _NAMED
        more = say(" and {count} more", "等（另有 {count} 个）", count=count) if count > 0 else NOTHING
        first = listed(names[:_NAMED])
        yield say("{kind} {names}{more}", "{kind} {names}{more}", kind=thing(kind), names=first, more=more)
