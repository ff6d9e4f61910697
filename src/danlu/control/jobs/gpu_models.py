"""GPU models as people write them: `a100` is A100, or the one model that has it in its name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from danlu.control.jobs.unserved import place_of_size
from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.words import listed, say

_SHORTEST = 3


def with_models(
    spec: JobSpec, data: Mapping[str, Any], nodes: Sequence[Node]
) -> tuple[JobSpec, tuple[FieldError, ...]]:
    """The specification with the models that the nodes have, and a mistake for each name that fits several. What fits
    none stays as it is."""
    there = sorted({node.gpu_model for node in nodes if node.gpu_model})
    errors: dict[object, FieldError] = {}
    roles = []
    for place, role in enumerate(spec.roles):
        found = [_meant(model, there) for model in role.resources.models]
        several = next(
            (pair for pair in zip(role.resources.models, found, strict=True) if len(pair[1]) > 1), None
        )
        if several and role.flavor is None:
            loc = (*place_of_size(place, data), "gpu")
            errors.setdefault(loc, _ambiguous(loc, role, *several))
        known = [model for models in found for model in models]
        roles.append(_with(role, known) if known and not several and role.flavor is None else role)
    return (spec if tuple(roles) == spec.roles else replace(spec, roles=tuple(roles))), tuple(errors.values())


def _meant(written: str, there: Sequence[str]) -> list[str]:
    if written in there:
        return [written]
    folded = written.strip().lower()
    same = [model for model in there if model.lower() == folded]
    return same or [model for model in there if _part_of(folded, model.lower())] or [written]


def _part_of(word: str, model: str) -> bool:
    """Whole words and numbers only: A10 is another card than A100."""
    if len(word) < _SHORTEST:
        return False
    before = r"(?<![0-9])" if word[0].isdigit() else r"(?<![a-z])"
    after = r"(?![0-9])" if word[-1].isdigit() else r"(?![a-z])"
    return re.search(before + re.escape(word) + after, model) is not None


def _with(role: Role, models: Sequence[str]) -> Role:
    named = "|".join(dict.fromkeys(models))
    return (
        role
        if named == role.resources.gpu_model
        else replace(role, resources=replace(role.resources, gpu_model=named))
    )


def _ambiguous(loc: tuple[str | int, ...], role: Role, written: str, models: Sequence[str]) -> FieldError:
    text = say(
        "'{written}' could be {models}", "“{written}”可能指 {models}", written=written, models=listed(models)
    )
    hint = say(
        "name one of them, or all: gpu: {all}", "请写明其中一个，或全部：gpu: {all}", all="|".join(models)
    )
    return FieldError(loc, "no_such_gpu", text, role.resources.gpu_model, list(models), hint)
