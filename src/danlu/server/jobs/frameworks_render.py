"""Frameworks and what is proposed with them as the JSON that clients get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from danlu.control.jobs.advice import Advice
from danlu.control.jobs.proposals import Proposal, ProposedRole
from danlu.domain.quantity import exact_size, show_time
from danlu.frameworks.base import Framework, RoleShape, Strategy
from danlu.frameworks.sample import variables
from danlu.server.http.answering import words

Json = dict[str, Any]


def framework(one: Framework) -> Json:
    return {
        "name": one.name,
        "label": words(one.label),
        "about": words(one.about),
        "strategies": [_strategy(one, each) for each in one.strategies],
    }


def proposal(one: Proposal) -> Json:
    return {
        "strategy": one.strategy,
        "roles": [_proposed(role) for role in one.roles],
        "nodes": one.nodes,
        "advice": [words(text) for text in one.advice],
    }


def told(advice: Sequence[Advice]) -> list[Json]:
    return [{"loc": list(one.loc), "text": words(one.text)} for one in advice]


def _strategy(of: Framework, one: Strategy) -> Json:
    return {
        "name": one.name,
        "label": words(one.label),
        "about": words(one.about),
        "elastic": one.elastic,
        "processes": one.processes,
        "on": {trouble.value: remedy.value for trouble, remedy in one.on.items()},
        "restarts": one.restarts,
        "hang_after": show_time(one.hang_after) if one.hang_after else None,
        "roles": [_role(shape) for shape in one.roles],
        "variables": list(variables(of, one)),
    }


def _role(one: RoleShape) -> Json:
    return {
        "name": one.name,
        "about": words(one.about),
        "least": one.least,
        "most": one.most,
        "gpus": one.gpus,
        "serves": one.serves,
        "one_for": one.one_for,
        "usual": words(one.usual) if one.usual.en else None,
    }


def _proposed(one: ProposedRole) -> Json:
    size = one.resources
    return {
        "name": one.name,
        "replicas": one.replicas,
        "flavor": one.flavor,
        "resources": {"cpus": size.cpu_milli / 1000, "memory": exact_size(size.memory)} if size else None,
        "why": words(one.why),
    }
