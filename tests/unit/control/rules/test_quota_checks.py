"""Every mistake in a quota at its place, with what was likely meant."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.control.rules.quota_checks import amount_mistakes, nobody, quota_mistakes, strange_models
from danlu.domain.errors import FieldError
from danlu.domain.people import User, UserRole
from danlu.domain.rules import UNLIMITED, Quota


def told(errors: Any) -> list[str]:
    return [
        f"{'.'.join(map(str, one.loc))}: {one.message}{f' ({one.hint.en})' if one.hint else ''}"
        for one in errors
        if isinstance(one, FieldError)
    ]


def test_all_mistakes_of_a_quota_are_told_at_once() -> None:
    quota = Quota(
        "lin",
        {
            "workspac": {"gpus": 1000},
            "all": {"gpu": 1000, "A 100": 1, "cpus": -2000, "jobs": -3, "memory": UNLIMITED, "A100": 4000},
        },
        {"blocks": 1, "bucket": -5, "local": UNLIMITED},
    )
    classes = "all, workspace, single, distributed, service"
    assert told(quota_mistakes(quota)) == [
        "name: 'lin' is not the name of a quota: use user:NAME, group:NAME or default (did you mean 'user:lin'?)",
        "amounts.workspac: 'workspac' is not a job class (did you mean 'workspace'?)",
        "amounts.all.gpu: quotas do not count 'gpu': use gpus, cpus, memory, jobs, tasks or a GPU model such as A100"
        " (did you mean 'gpus'?)",
        "amounts.all.A 100: quotas do not count 'A 100': use gpus, cpus, memory, jobs, tasks or a GPU model such as A100",
        "amounts.all.cpus: -2 is out of range: at least 0",
        "amounts.all.jobs: -3 is out of range: at least 0",
        "storage.blocks: 'blocks' is not a storage type (did you mean 'block'?)",
        "storage.bucket: -5 is out of range: at least 0",
    ]
    assert told(amount_mistakes({"x": {}})) == [f"amounts.x: 'x' is not a job class (choose from: {classes})"]
    assert told(quota_mistakes(Quota("default", {"all": {"A100": 8000, "tasks": 0}}))) == []


def test_a_model_that_no_node_has_is_likely_another() -> None:
    amounts = {"all": {"A10": 1000, "gpus": 1000, "H100": 1000}}
    assert told(strange_models(amounts, ["A100", "H100"])) == [
        "amounts.all.A10: no node has GPU model 'A10' (there are A100, H100) (did you mean 'A100'?)"
    ]
    assert told(strange_models(amounts, [])) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("user:lin", []),
        ("user:linn", ["name: there is no user 'linn' (did you mean 'lin'?)"]),
        ("group:nlp", []),
        ("group:npl", ["name: there is no group 'npl' (did you mean 'nlp'?)"]),
        ("default", []),
    ],
)
def test_a_quota_is_of_somebody(name: str, expected: list[str]) -> None:
    users = {"lin": User("lin", UserRole.ENGINEER, 0)}
    assert told([nobody(name, users, {"nlp"})]) == expected
