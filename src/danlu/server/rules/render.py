"""Rules as the JSON that clients get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from danlu.domain.quantity import exact_size, show_time
from danlu.domain.resources import Resources
from danlu.domain.rules import MEMORY, Amounts, Flavor, Limit, Pool, PriorityClass, Project, Rule
from danlu.files.quantities import plain_number

Json = dict[str, Any]


def rule(one: Rule) -> Json:
    return _RENDER[type(one)](one)


def _project(one: Project) -> Json:
    return {
        "name": one.name,
        "weight": one.weight,
        "guarantee": _amounts(one.guarantee),
        "cap": _amounts(one.cap),
        "closed": one.closed,
        "reclaimable": one.reclaimable,
        "node_selector": dict(one.node_selector),
        "priorities": list(one.priorities),
        "description": one.description,
        "creator": one.creator,
        "open": one.open,
        "default_flavor": one.default_flavor,
        "default_image": one.default_image,
    }


def _amounts(amounts: Amounts) -> Json:
    return {key: amount if key == MEMORY else plain_number(amount) for key, amount in amounts.items()}


def _priority(one: PriorityClass) -> Json:
    return {
        "name": one.name,
        "value": one.value,
        "may_preempt": one.may_preempt,
        "may_be_preempted": one.may_be_preempted,
        "groups": list(one.groups),
        "projects": list(one.projects),
        "description": one.description,
        "needs_reason": one.needs_reason,
        "budget": None if one.budget_milli is None else plain_number(one.budget_milli),
    }


def _pool(one: Pool) -> Json:
    return {"name": one.name, "classes": list(one.classes), "description": one.description}


def _flavor(one: Flavor) -> Json:
    return {
        "name": one.name,
        "resources": _size(one.resources),
        "classes": list(one.classes),
        "description": one.description,
    }


def _size(size: Resources) -> Json:
    return {
        "cpus": plain_number(size.cpu_milli),
        "memory": exact_size(size.memory),
        "gpus": plain_number(size.gpu_milli),
        "gpu": size.gpu_model,
        "shm": exact_size(size.shm),
        "rdma": size.rdma,
    }


def _limit(one: Limit) -> Json:
    return {
        "name": one.name,
        "user": one.user,
        "project": one.project,
        "class": one.job_class,
        "gpus": None if one.gpu_milli is None else plain_number(one.gpu_milli),
        "max_time": None if one.max_time is None else show_time(one.max_time),
    }


_RENDER: Mapping[type[Rule], Callable[[Any], Json]] = {
    Project: _project,
    PriorityClass: _priority,
    Pool: _pool,
    Flavor: _flavor,
    Limit: _limit,
}
