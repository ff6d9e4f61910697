"""What holds for whom, what jobs count for, and the sentence that says what is lacking."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain.errors import Shortfall
from danlu.domain.job import JobSpec, Kind, Role
from danlu.domain.quota import (
    Bound,
    Held,
    Source,
    amounts_of,
    asked_by,
    bounds_of_group,
    bounds_of_user,
    left,
    said,
    shortfalls,
    with_most_tasks,
    without_expired,
)
from danlu.domain.resources import Resources
from danlu.domain.rules import UNLIMITED, Quota, Raise
from danlu.domain.words import Words

NOW = 1_000


def quotas(**amounts: Any) -> dict[str, Quota]:
    """`lin`, `default` and `nlp` (a group), each with GPUs by class."""
    names = {"lin": "user:lin", "default": "default", "nlp": "group:nlp"}
    return {
        names[key]: Quota(names[key], {within: {"gpus": gpus} for within, gpus in said.items()})
        for key, said in amounts.items()
    }


def limits(bounds: list[Bound]) -> dict[str, tuple[int | None, str]]:
    return {bound.within: (bound.limit, bound.source.value) for bound in bounds}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, {}),
        ({"default": {"all": 8}}, {"all": (8, "default")}),
        ({"default": {"all": 8}, "lin": {"all": 2}}, {"all": (2, "user")}),
        ({"default": {"all": 8}, "lin": {"workspace": 1}}, {"all": (8, "default"), "workspace": (1, "user")}),
        ({"default": {"all": 8}, "lin": {"all": UNLIMITED}}, {"all": (None, "user")}),
        ({"nlp": {"all": 3}}, {}),
    ],
    ids=[
        "nothing",
        "by default",
        "own instead",
        "own beside",
        "own without bound",
        "a group's is not a person's",
    ],
)
def test_what_a_person_says_nothing_of_goes_by_the_default(said: Any, expected: Any) -> None:
    assert limits(bounds_of_user("lin", quotas(**said), NOW)) == expected


@pytest.mark.parametrize(
    ("more", "until", "expected"),
    [
        (12, NOW + 1, (12, "raise", NOW + 1)),
        (12, NOW, (8, "default", None)),
        (4, NOW + 1, (8, "default", None)),
        (UNLIMITED, NOW + 1, (None, "raise", NOW + 1)),
    ],
    ids=["more", "ended", "less than there is", "no bound"],
)
def test_a_raise_lifts_what_holds_until_it_ends(more: int, until: int, expected: Any) -> None:
    lifted = Quota("user:lin", raises=(Raise({"all": {"gpus": more}}, until),))
    book = {**quotas(default={"all": 8}), "user:lin": lifted}
    (bound,) = bounds_of_user("lin", book, NOW)
    assert (bound.quota, bound.limit, bound.source.value, bound.until) == ("user:lin", *expected)
    assert bool(without_expired(lifted, NOW)) == (until > NOW)


def test_a_raise_of_the_default_does_not_lift_what_is_said_of_a_person() -> None:
    lifted = Quota("default", {"all": {"gpus": 8}}, raises=(Raise({"all": {"gpus": 16}}, NOW + 1),))
    assert limits(bounds_of_user("mei", {"default": lifted}, NOW)) == {"all": (16, "raise")}
    own = {"default": lifted, **quotas(lin={"all": 2})}
    assert limits(bounds_of_user("lin", own, NOW)) == {"all": (2, "user")}


def test_a_raise_bounds_nothing_that_was_not_bounded() -> None:
    raised = Quota("group:nlp", raises=(Raise({"all": {"gpus": 1}}, NOW + 1),))
    assert bounds_of_group("nlp", {"group:nlp": raised}, NOW) == []


def spec(*roles: tuple[str | None, int, int], total: bool = False) -> JobSpec:
    made = tuple(
        Role(f"role-{at}", count, Resources(1000, 2**30, gpus, model), "true", count)
        for at, (model, gpus, count) in enumerate(roles)
    )
    return JobSpec(Kind.TRAINING, "train", made, total=total)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (spec(("A100", 2000, 2)), {"gpus": 4000, "A100": 4000, "tasks": 2}),
        (spec((None, 500, 1)), {"gpus": 500, "": 500, "tasks": 1}),
        (spec(("A100|H100", 1000, 1)), {"gpus": 1000, "A100": 1000, "H100": 1000, "tasks": 1}),
        (spec(("A100|A100", 1000, 1)), {"gpus": 1000, "A100": 1000, "tasks": 1}),
        (spec(("A100", 1000, 2), ("H100", 4000, 1), (None, 0, 1)), {"gpus": 6000, "A100": 2000, "H100": 4000, "tasks": 4}),
        (spec(("A100", 8000, 1), total=True), {"gpus": 8000, "A100": 8000, "tasks": 8}),
    ],
    ids=["one model", "any model", "either model", "the same twice", "roles that differ", "as the scheduler divides"],
)  # fmt: skip
def test_a_job_counts_for_every_model_that_would_do(asked: JobSpec, expected: Any) -> None:
    amounts = dict(asked_by("lin", asked).amounts)
    assert amounts.pop("jobs") == 1
    assert amounts.pop("cpus") == 1000 * sum(role.replicas for role in asked.roles)
    assert amounts.pop("memory") == 2**30 * sum(role.replicas for role in asked.roles)
    assert amounts == expected


def held(job_class: str, gpus: int, model: str | None = None) -> Held:
    return Held("lin", job_class, amounts_of(1000, 2**30, 1, [(model, gpus)]))


@pytest.mark.parametrize(
    ("within", "resource", "limit", "short"),
    [
        ("all", "gpus", 6000, None),
        ("all", "gpus", 5999, (4000, 2000)),
        ("single", "gpus", 3000, None),
        ("workspace", "gpus", 2000, (3000, 2000)),
        ("workspace", "A100", 4000, (3000, 2000)),
        ("single", "A100", 0, None),
        ("service", "gpus", 0, None),
        ("all", "jobs", 2, (2, 1)),
    ],
)
def test_a_start_is_short_of_what_it_would_exceed(
    within: str, resource: str, limit: int, short: tuple[int, int] | None
) -> None:
    bound = Bound("user:lin", within, resource, limit, Source.USER)
    holds = [held("workspace", 3000), held("single", 1000, "A100")]
    found = list(shortfalls([bound], held("workspace", 2000, "A100"), holds))
    assert [(one.used, one.asked) for one in found] == ([short] if short else [])


@pytest.mark.parametrize("model", [None, "A100|T4", "A100|A100"])
def test_a_bound_on_a_model_is_met_by_who_leaves_it_open(model: str | None) -> None:
    bound = Bound("user:lin", "all", "A100", 1000, Source.USER)
    (short,) = shortfalls([bound], held("single", 2000, model), [])
    assert (short.used, short.asked, short.limit) == (0, 2000, 1000)
    assert list(shortfalls([bound], held("single", 2000, "T4"), [held("single", 1000, model)])) == []


def test_what_a_job_does_not_ask_for_keeps_it_from_nothing() -> None:
    lowered = Bound("user:lin", "all", "gpus", 1000, Source.USER)
    assert list(shortfalls([lowered], held("single", 0), [held("workspace", 3000)])) == []


@pytest.mark.parametrize(
    ("short", "words"),
    [
        (
            Shortfall("user:lin", "workspace", "gpus", 3000, 1000, 3000),
            Words(
                "lin uses 3 of 3 GPUs for workspaces and requests 1 more",
                "lin 的工作台配额为 3 卡，已用 3，还需 1",
            ),
        ),
        (
            Shortfall("group:nlp", "all", "memory", 2**30, 2**31, 2**31),
            Words(
                "group nlp uses 1GiB of 2GiB memory and requests 2GiB more",
                "用户组 nlp 的配额为 2GiB 内存，已用 1GiB，还需 2GiB",
            ),
        ),
        (
            Shortfall("user:lin", "single", "A100", 500, 1000, 1000),
            Words(
                "lin uses 0.5 of 1 A100 GPUs for single-task jobs and requests 1 more",
                "lin 的单机训练配额为 1 卡 A100，已用 0.5，还需 1",
            ),
        ),
        (
            Shortfall("user:lin", "distributed", "jobs", 2, 1, 2),
            Words(
                "lin uses 2 of 2 jobs for distributed jobs and requests 1 more",
                "lin 的多机训练配额为 2 个任务，已用 2，还需 1",
            ),
        ),
    ],
)
def test_what_is_lacking_is_said_in_both_languages(short: Shortfall, words: Words) -> None:
    assert said(short) == words


def test_a_person_has_a_bound_on_tasks_unless_a_quota_says_so() -> None:
    cap = Bound("user:lin", "all", "tasks", 7, Source.DEFAULT)
    of_class = Bound("user:lin", "workspace", "tasks", 3, Source.DEFAULT)
    own = Bound("user:lin", "all", "tasks", None, Source.USER)
    assert with_most_tasks([of_class], "lin", 7) == [of_class, cap]
    assert with_most_tasks([own], "lin", 7) == [own]
    assert with_most_tasks([], "lin", None) == []


def test_what_is_left_follows_the_tightest_limit_of_each_class() -> None:
    everybody = Bound("user:lin", "all", "gpus", 8_000, Source.USER)
    shared = Bound("group:nlp", "workspace", "gpus", 3_000, Source.GROUP)
    endless = Bound("user:lin", "service", "memory", None, Source.USER)
    found = left([(everybody, 2_000), (shared, 4_000), (endless, 1)])
    assert [(one.job_class, one.amount, one.bound.quota) for one in found] == [
        ("workspace", 0, "group:nlp"),
        ("single", 6_000, "user:lin"),
        ("distributed", 6_000, "user:lin"),
        ("service", 6_000, "user:lin"),
    ]
