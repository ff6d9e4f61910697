"""The rules: who may change which, what is refused and why, and what stands against removing one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.plane.node_rules import apply_rules
from danlu.control.rules.checks import more_than_there_is
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, Invalid, NameTaken, NotAllowed, NotFound
from danlu.domain.job import Job, JobClass, JobSpec, Kind
from danlu.domain.members import MemberRole, Membership
from danlu.domain.node import Node, NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.resources import Resources
from danlu.domain.rules import BUILT_IN, Flavor, Limit, NodeRule, Pool, PriorityClass, Project
from tests.fakes.clock import START, FakeClock
from tests.fakes.rules import FakeRules

LIN, WANG = User("lin", UserRole.ENGINEER, 0), User("wang", UserRole.ENGINEER, 0)
ADMIN = Caller(User("admin", UserRole.ADMINISTRATOR, 0))
ENGINEER, OTHER = Caller(LIN), Caller(WANG)
CREATOR = Caller(LIN, projects={"nlp": MemberRole.CREATOR})
VIEWER = Caller(User("vera", UserRole.VIEWER, 0))
NODE = Node("a100-0", "10.0.0.1", 64000, 2**39, labels={"gpu": "A100"})


class Office:
    def __init__(self) -> None:
        self.store = FakeRules(*BUILT_IN, people=[LIN, WANG])
        self.jobs: list[Job] = []
        self.rules = Registry(self.store, FakeClock(), lambda: self.jobs, lambda: [NODE])

    def job(self, name: str, **keys: Any) -> None:
        self.jobs.append(Job(name, "lin", JobSpec(Kind.TRAINING, name, (), **keys), 0))


@pytest.fixture
def office() -> Office:
    return Office()


def refusals(act: Any) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        act()
    return [(".".join(map(str, error.loc)), error.code) for error in refused.value.errors]


# ── memory ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_rules_are_read_once_and_replaced_after_every_write(office: Office) -> None:
    before = office.rules.projects()
    assert office.rules.priorities()["high"].value == 300
    office.rules.add(ADMIN, Project("nlp", 2))

    assert office.store.reads == 1
    assert set(before) == {"public"}
    assert set(office.rules.projects()) == {"nlp", "public"}
    assert office.rules.projects() is office.rules.projects()


def test_a_kind_that_did_not_change_stays_the_same_object(office: Office) -> None:
    pools, projects = office.rules.pools(), office.rules.projects()
    office.rules.add(ADMIN, Pool("big"))

    assert office.rules.projects() is projects
    assert office.rules.pools() is not pools


def test_whoever_listens_hears_of_every_change_and_of_no_refusal(office: Office) -> None:
    heard: list[int] = []
    office.rules.changed(lambda: heard.append(len(office.rules.pools())))
    office.rules.add(ADMIN, Pool("big"))
    with pytest.raises(NameTaken, match="there is already a pool 'big'"):
        office.rules.add(ADMIN, Pool("big"))
    office.rules.remove(ADMIN, Pool, "big")

    assert heard == [2, 1]
    assert office.store.acts == [("admin", START)] * 2


def test_rules_that_another_process_changed_are_read_again_and_told(office: Office) -> None:
    heard: list[int] = []
    office.rules.changed(lambda: heard.append(len(office.rules.projects())))
    pools, projects = office.rules.pools(), office.rules.projects()
    office.rules.reread()
    assert (heard, office.rules.projects()) == ([], projects)

    Registry(office.store, FakeClock()).add(ADMIN, Project("nlp", 2))
    assert office.rules.projects() is projects
    office.rules.reread()
    assert heard == [2]
    assert office.rules.pools() is pools


def test_a_first_start_writes_what_is_built_in_and_the_projects_of_the_settings() -> None:
    store = FakeRules()
    Registry(store, FakeClock()).seed(["public", "nlp"])

    assert store.kept == (*BUILT_IN, Project("nlp", open=True))


def test_a_later_start_brings_nothing_back_but_the_projects_of_the_settings() -> None:
    store = FakeRules(Project("public", 3))
    Registry(store, FakeClock()).seed(["public", "nlp"])

    assert store.kept == (Project("public", 3), Project("nlp", open=True))


# ── who ──────────────────────────────────────────────────────────────────────────────────────────────


def test_anyone_who_runs_jobs_makes_projects_without_a_weight_and_describes_them(office: Office) -> None:
    made = office.rules.add(ENGINEER, Project("nlp", description="Words"))
    assert made == Project("nlp", description="Words", creator="lin")
    assert office.store.joined == [Membership("nlp", "lin", MemberRole.CREATOR, START, "lin")]

    edited = office.rules.edit(
        CREATOR, Project, "nlp", {"description": "Language", "default_image": "torch:2"}
    )
    assert (edited.description, edited.default_image) == ("Language", "torch:2")
    assert office.rules.one(VIEWER, Project, "nlp") == edited


@pytest.mark.parametrize(
    "changes",
    [
        {"weight": 1},
        {"cap": {"gpus": 1000}},
        {"closed": True},
        {"reclaimable": False},
        {"node_selector": {"a": "b"}},
        {"priorities": ("low",)},
        {"guarantee": {"cpus": 1}},
        {"open": True},
    ],
)
def test_what_governs_a_project_is_the_administrators(office: Office, changes: dict[str, Any]) -> None:
    (key,) = changes
    with pytest.raises(
        NotAllowed,
        match=f"{key}: only administrators can set this .lin does not have the permission project:write",
    ):
        office.rules.add(ENGINEER, replace(Project("nlp"), **changes))
    office.rules.add(ENGINEER, Project("nlp"))
    with pytest.raises(NotAllowed, match=key):
        office.rules.edit(CREATOR, Project, "nlp", {"description": "x", **changes})

    assert office.rules.projects()["nlp"].description == ""


def test_a_project_of_somebody_else_is_not_ones_own_to_describe(office: Office) -> None:
    office.rules.add(ENGINEER, Project("nlp"))
    member = replace(OTHER, projects={"nlp": MemberRole.MEMBER})
    for caller in (OTHER, member):
        with pytest.raises(
            NotAllowed,
            match="wang does not have the permission project:write and is not a creator of project nlp",
        ):
            office.rules.edit(caller, Project, "nlp", {"description": "mine"})
    with pytest.raises(NotAllowed):
        office.rules.edit(CREATOR, Project, "public", {"description": "mine"})
    assert office.rules.edit(ADMIN, Project, "nlp", {"weight": 2.0}).weight == 2


def test_viewers_change_nothing_and_engineers_nothing_but_projects(office: Office) -> None:
    for caller in (VIEWER, ENGINEER):
        for rule in (Pool("x"), PriorityClass("x"), Flavor("x"), Limit("x", gpu_milli=1)):
            with pytest.raises(NotAllowed, match=f"{rule.kind}:write"):
                office.rules.add(caller, rule)
        with pytest.raises(NotAllowed, match="pool:write"):
            office.rules.edit(caller, Pool, "default", {})
        with pytest.raises(NotAllowed, match="project:write"):
            office.rules.remove(caller, Project, "public")
        with pytest.raises(NotAllowed, match="node:write"):
            office.rules.edit_node(caller, "a100-0", cordoned=True)
    with pytest.raises(NotAllowed, match="project:create"):
        office.rules.add(VIEWER, Project("nlp"))


# ── what ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("project", "expected"),
    [
        (Project("nlp", -1), [("weight", "out_of_range")]),
        (Project("nlp", float("inf")), [("weight", "out_of_range")]),
        (Project("nlp", 1e308), [("weight", "out_of_range")]),
        (Project("nlp", float("nan")), [("weight", "out_of_range")]),
        (Project("nlp", guarantee={"A100": 8000}), [("guarantee", "needs_weight")]),
        (Project("nlp", 1, {"gpu": 1}), [("guarantee.gpu", "no_such_resource")]),
        (Project("nlp", 1, cap={"Gpus": 1, "a b": 1}), [("cap.Gpus", "no_such_resource"), ("cap.a b", "no_such_resource")]),
        (Project("nlp", 1, cap={"cpus": -1}), [("cap.cpus", "out_of_range")]),
        (Project("nlp", 1, {"A100": 8000}, {"A100": 4000}), [("cap.A100", "contradiction")]),
        (Project("nlp", 1, {"A100": 8000, "V100": 1000}, {"gpus": 8000}), [("cap.gpus", "contradiction")]),
        (Project("nlp", priorities=("low", "hihg")), [("priorities.1", "no_such_priority")]),
        (Project("nlp", -1, {"mem": 1}, priorities=("x",)), [("weight", "out_of_range"), ("guarantee.mem", "no_such_resource"), ("priorities.0", "no_such_priority")]),
    ],
)  # fmt: skip
def test_every_mistake_of_a_project_is_told_at_its_field(
    office: Office, project: Project, expected: list[tuple[str, str]]
) -> None:
    assert refusals(lambda: office.rules.add(ADMIN, project)) == expected
    assert set(office.rules.projects()) == {"public"}


@pytest.mark.parametrize(
    "project",
    [
        Project("nlp", 0),
        Project("nlp", 1e6),
        Project("nlp", 1, {"A100": 8000, "memory": 2**40}, {"A100": 8000, "cpus": 0}),
        Project("nlp", None, {}, {"RTX-3090_x.1": 500}),
    ],
)
def test_what_is_right_is_taken(office: Office, project: Project) -> None:
    assert office.rules.add(ADMIN, project) == replace(project, creator="admin")


def test_a_misspelt_name_is_told_its_likely_meaning(office: Office) -> None:
    with pytest.raises(Invalid) as refused:
        office.rules.add(ADMIN, Project("nlp", 1, {"gpu": 1}, priorities=("hihg",)))
    assert [error.suggestion for error in refused.value.errors] == ["gpus", "high"]
    with pytest.raises(NotFound, match="there is no project 'pubic'; did you mean 'public'"):
        office.rules.one(ADMIN, Project, "pubic")
    with pytest.raises(NotFound, match=r"there is no priority class 'x'$"):
        office.rules.edit(ADMIN, PriorityClass, "x", {})


def test_no_more_is_guaranteed_than_the_nodes_have_but_what_was_stays() -> None:
    there = {"A100": 16_000, "gpus": 16_000}

    def wrong(guarantee: dict[str, int], before: dict[str, int]) -> list[tuple[str | int, ...]]:
        return [error.loc for error in more_than_there_is(guarantee, before, there)]

    assert wrong({"A100": 17_000, "gpus": 16_000, "cpus": 10**9}, {}) == [("guarantee", "A100")]
    assert wrong({"A100": 17_000}, {"A100": 17_000}) == []
    assert wrong({"H100": 8_000}, {}) == []


def test_public_keeps_its_weight(office: Office) -> None:
    act = {"weight": None}
    assert refusals(lambda: office.rules.edit(ADMIN, Project, "public", act)) == [("weight", "needs_weight")]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Limit("l"), [("gpus", "missing")]),
        (Limit("l", gpu_milli=-1, max_time=0), [("gpus", "out_of_range"), ("max_time", "out_of_range")]),
        (Limit("l", "nobody", "nowhere", gpu_milli=0), [("user", "no_such_user"), ("project", "no_such_project")]),
        (PriorityClass("p", projects=("public", "nowhere")), [("projects.1", "no_such_project")]),
        (Flavor("f", Resources(gpu_model="A100|a b")), [("resources.gpu", "bad_form")]),
    ],
)  # fmt: skip
def test_other_rules_are_checked_too(office: Office, rule: Any, expected: list[tuple[str, str]]) -> None:
    assert refusals(lambda: office.rules.add(ADMIN, rule)) == expected


def test_a_limit_may_hold_for_everybody_each_or_one(office: Office) -> None:
    for user in (None, "*", "lin"):
        office.rules.add(ADMIN, Limit(f"l{user}", user, "*", JobClass.SINGLE, 1000))
    assert len(office.rules.limits()) == 3


# ── removing ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "name"), [(Project, "public"), (PriorityClass, "normal"), (Pool, "default")]
)
def test_what_everything_falls_back_to_is_never_removed(office: Office, kind: Any, name: str) -> None:
    with pytest.raises(Conflict, match=f"{name} is built in"):
        office.rules.remove(ADMIN, kind, name)


def test_what_is_in_use_is_not_removed_and_its_users_are_named(office: Office) -> None:
    office.rules.add(ADMIN, Project("nlp", 1, priorities=("low",)))
    office.rules.add(ADMIN, Pool("big"))
    office.rules.add(ADMIN, Limit("most", project="nlp", gpu_milli=1000))
    office.rules.edit_node(ADMIN, "a100-0", pool="big")
    for number in range(7):
        office.job(f"job-{number}", project="nlp", priority="high")

    with pytest.raises(Conflict, match=r"job-0 of lin, .*job-4 of lin and 2 more; limit most: change or end"):
        office.rules.remove(ADMIN, Project, "nlp")
    with pytest.raises(Conflict, match="priority class high is used by job job-0 of lin"):
        office.rules.remove(ADMIN, PriorityClass, "high")
    with pytest.raises(Conflict, match="priority class low is used by project nlp"):
        office.rules.remove(ADMIN, PriorityClass, "low")
    with pytest.raises(Conflict, match="pool big is used by node a100-0"):
        office.rules.remove(ADMIN, Pool, "big")


def test_what_nothing_uses_any_more_is_removed(office: Office) -> None:
    office.rules.add(ADMIN, Pool("big"))
    office.rules.edit_node(ADMIN, "a100-0", pool="big")
    office.rules.edit_node(ADMIN, "a100-0", pool="default")
    office.rules.remove(ADMIN, Pool, "big")
    office.rules.remove(ADMIN, PriorityClass, "low")

    assert set(office.rules.pools()) == {"default"}
    with pytest.raises(NotFound):
        office.rules.remove(ADMIN, Pool, "big")


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_said_of_a_node_adds_up(office: Office) -> None:
    office.rules.edit_node(ADMIN, "a100-0", labels={"rack": "r1", "org": "nlp"})
    office.rules.edit_node(ADMIN, "a100-0", cordoned=True)
    said = office.rules.edit_node(ADMIN, "a100-0", labels={"rack": None, "gone": None}, pool="default")

    assert said == NodeRule("a100-0", "default", True, {"org": "nlp"})
    assert office.rules.node_rules() == {"a100-0": said}


def test_a_label_that_overrules_what_the_node_reports_can_be_taken_back(office: Office) -> None:
    office.rules.edit_node(ADMIN, "a100-0", labels={"gpu": "other"})
    assert office.rules.edit_node(ADMIN, "a100-0", labels={"gpu": None}).labels == {}


def test_a_node_that_is_not_there_cannot_be_ruled(office: Office) -> None:
    with pytest.raises(NotFound, match="there is no node 'a100-1'; did you mean 'a100-0'"):
        office.rules.edit_node(ADMIN, "a100-1", cordoned=True)


def test_every_mistake_about_a_node_is_told(office: Office) -> None:
    act: dict[str, Any] = {"labels": {"gpu": None}, "pool": "bug"}
    found = refusals(lambda: office.rules.edit_node(ADMIN, "a100-0", **act))
    assert found == [("labels.gpu", "not_removable"), ("pool", "no_such_pool")]


def test_nodes_are_shown_as_they_are_ruled() -> None:
    far = replace(NODE, name="far", state=NodeState.UNREACHABLE)
    rules = {
        "a100-0": NodeRule("a100-0", "big", True, {"gpu": "A800", "rack": "r1"}),
        "far": NodeRule("far", cordoned=True),
        "gone": NodeRule("gone", "big"),
    }
    (ruled, out_of_reach, other) = apply_rules((NODE, far, replace(NODE, name="other")), rules)

    assert (ruled.pool, ruled.state, ruled.labels) == ("big", "cordoned", {"gpu": "A800", "rack": "r1"})
    assert out_of_reach == far
    assert other.state is NodeState.READY
    assert apply_rules((ruled,), rules) == (ruled,)
    assert apply_rules((NODE,), {}) == (NODE,)
