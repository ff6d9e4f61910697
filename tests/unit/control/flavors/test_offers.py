"""Which flavors are on offer: right whatever pools, classes, labels, caps and cordons say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from danlu.control.flavors.offers import Offer, Offers, Question
from danlu.control.jobs.admission import Admission
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Invalid, NotAllowed
from danlu.domain.job import JobClass
from danlu.domain.members import MemberRole
from danlu.domain.node import NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.rules import BUILT_IN, Flavor, Limit, Policy, Pool, PriorityClass, Project
from tests.fakes.clock import FakeClock
from tests.fakes.queue import State, node, others, run, wait
from tests.fakes.rules import FakeRules
from tests.simulation.world import NoCode

CLASS = JobClass
LIN = Caller(User("lin", UserRole.ENGINEER, 0), projects={"nlp": MemberRole.MEMBER})


def flavor(name: str, gpus: float = 0, model: str | None = None, cpus: float = 1, memory: int = 1, *classes: CLASS, **more: Any) -> Flavor:  # fmt: skip
    return Flavor(name, Resources(int(cpus * 1000), memory * GIB, int(gpus * 1000), model, **more), classes)


FLAVORS = (
    flavor("cpu"),
    flavor("one", 1, "A100"),
    flavor("eight", 8, "A100"),
    flavor("any", 1),
    flavor("desk", 1, "A100", 1, 1, CLASS.WORKSPACE),
)
NODES = [node("n1", 8), node("n2", 8)]


def asked(state: State, flavors: Any = FLAVORS, who: Caller = LIN, **question: Any) -> tuple[Offer, ...]:
    rules = [*BUILT_IN, *state.projects, *state.priorities, *state.pools, *state.limits, *flavors]
    named = {(rule.kind, rule.name): rule for rule in rules}
    registry = Registry(FakeRules(*named.values()), FakeClock())
    admission = Admission(lambda: state.nodes, NoCode(), registry, None, Policy())
    planner: Any = SimpleNamespace(snapshot=state.snapshot)
    return Offers(registry, planner, admission.idle).to(who, Question(**question))[1]


def told(offers: tuple[Offer, ...]) -> dict[str, str]:
    """By flavor: `available`, `waits: why`, `waits 3: why` or `never: why`."""
    return {one.flavor.name: _told(one) for one in offers}


def _told(one: Offer) -> str:
    state = one.state.value if one.behind is None else f"{one.state.value} {one.behind}"
    return f"{state}: {one.text.en}" if one.text else state


def cordoned(*names: str) -> list[Any]:
    return [node(name, 8, state=NodeState.CORDONED) for name in names]


NOT_MINE = "it is for workspace jobs"
MORE = "; 8 more are on n1, which takes no jobs"
CORDONED = "waits: 2 nodes that could hold it (n1, n2) are cordoned"
NO_ROOM = "waits 0: needs 1 × A100; room for 0 of 1 tasks now"
EIGHT = "waits 0: needs 8 × A100; room for 0 of 1 tasks now"
NLP = [Project("nlp", 1, node_selector={"org": "nlp"})]
TABLE: dict[str, tuple[State, dict[str, Any], dict[str, str]]] = {
    "all is idle": (
        State(NODES), {},
        {"cpu": "available", "one": "available", "eight": "available", "any": "available", "desk": f"never: {NOT_MINE}"},
    ),
    "a flavor for one class is offered to that class": (
        State(NODES), {"job_class": CLASS.WORKSPACE}, {"desk": "available", "one": "available"},
    ),
    "what is held is not free": (
        State([node("n1", 8)], [run("r", "n1", 1)]), {}, {"one": "available", "eight": EIGHT},
    ),
    "nothing is free and some wait": (
        State([node("n1", 8), node("c1", 0)], [run("r", "n1", 8), wait("w1", 8), wait("w2", 8)]), {},
        {"cpu": "available", "one": "waits 2: behind 2 jobs waiting for the same nodes", "eight": "waits 2: behind 2 jobs waiting for the same nodes"},
    ),
    "a pool serves other classes": (
        State([node("n1", 8, pool="big")], pools=[Pool("big", (CLASS.DISTRIBUTED,))]), {},
        {"one": "never: no pool that serves single jobs has a node large enough", "cpu": "never: no pool that serves single jobs has a node large enough"},
    ),
    "a pool serves this class": (
        State([node("n1", 8, pool="big")], pools=[Pool("big", (CLASS.DISTRIBUTED,))]), {"job_class": CLASS.DISTRIBUTED},
        {"one": "available", "eight": "available"},
    ),
    "half of the nodes are cordoned": (
        State([*cordoned("n1"), node("n2", 8)], [run("r", "n2", 8)]), {},
        {"one": NO_ROOM + MORE, "eight": EIGHT + MORE},
    ),
    "all nodes are cordoned: one may wait for that to end": (
        State(cordoned("n1", "n2")), {},
        {"one": CORDONED, "eight": CORDONED},
    ),
    "a node that is off is no node": (
        State([node("n1", 8, state=NodeState.OFF)]), {}, {"one": "never: there are no nodes"},
    ),
    "others hold the node": (
        State([node("n1", 8, foreign=others(8))]), {}, {"cpu": "available", "one": "waits: workloads outside Danlu use the resources it needs: 1 × (1 A100, 1 CPU, 1GiB)"},
    ),
    "a model that there is not": (
        State([node("t1", 4, "T4")]), {}, {"one": "never: no node has the requested GPU model (A100)", "any": "available"},
    ),
    "a project is bound to labels": (
        State([*NODES, node("n3", 2, org="nlp")], projects=NLP), {"project": "nlp"},
        {"one": "available", "eight": "never: 8 GPUs is more than any such node has (2)"},
    ),
    "a project is bound to labels that no node has": (
        State(NODES, projects=NLP), {"project": "nlp"}, {"one": "never: no node has the labels org=nlp"},
    ),
    "a project may not hold so much, ever": (
        State(NODES, projects=[Project("nlp", 1, cap={"gpus": 4000})]), {"project": "nlp"},
        {"one": "available", "eight": "never: project nlp may use at most 4 gpus, and this would be 8 gpus"},
    ),
    "a project holds all it may": (
        State(NODES, [run("r", "n1", 4, project="nlp")], projects=[Project("nlp", 1, cap={"gpus": 4000})]), {"project": "nlp"},
        {"cpu": "available", "one": "waits: project nlp uses 4 gpus of at most 4 gpus; this job needs 1 gpus"},
    ),
    "a closed project": (
        State(NODES, projects=[Project("nlp", 1, closed=True)]), {"project": "nlp"}, {"one": "waits: project nlp is closed"},
    ),
    "somebody else's project": (
        State(NODES, projects=[Project("inner", 1)]), {"project": "inner"}, {"one": "never: you are not a member of project inner"},
    ),
    "a project whose priorities are not open": (
        State(NODES, projects=[Project("nlp", 1, priorities=("top",))], priorities=[PriorityClass("top", 900, groups=("leads",))]),
        {"project": "nlp"}, {"one": "never: you may not use any priority class in project nlp"},
    ),
    "a project with a low priority alone": (
        State(NODES, projects=[Project("nlp", 1, priorities=("low",))]), {"project": "nlp"}, {"one": "available"},
    ),
    "a limit that is less than the flavor": (
        State(NODES, limits=[Limit("few", gpu_milli=2000)]), {},
        {"one": "available", "eight": "never: limit few allows at most 2 GPUs, and this would be 8"},
    ),
    "a limit on run time is no obstacle: one can keep to it": (
        State(NODES, limits=[Limit("short", max_time=60_000)]), {}, {"one": "available"},
    ),
    "several tasks": (
        State(NODES, [run("r", "n1", 8)]), {"count": 2, "job_class": CLASS.DISTRIBUTED},
        {"one": "available", "eight": "waits 0: needs 16 × A100; room for 1 of 2 tasks now"},
    ),
    "more tasks than the nodes could hold": (
        State(NODES), {"count": 3, "job_class": CLASS.SERVICE},
        {"one": "available", "eight": "never: no single cluster has room for 3 tasks of this size"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE)
def test_offers_follow_from_the_state_of_the_moment(case):
    state, question, expected = TABLE[case]
    found = told(asked(state, **question))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (flavor("x", 1, "A100", cpus=99), "99 CPUs is more than any such node has (48)"),
        (flavor("x", memory=9999), "9.76TiB of memory is more than any such node has (512GiB)"),
        (flavor("x", 16, "A100"), "16 GPUs is more than any such node has (8)"),
        (flavor("x", rdma=True), "no node has the labels rdma=true"),
        (flavor("x", 8, cpus=48), "no node has 8 GPUs, 48 CPUs and 1GiB together"),
    ],
)
def test_why_a_flavor_could_never_start(one, why):
    state = State([node("n1", 8, cpus=32), node("n2", 2, cpus=48), node("c1", 0, cpus=64)])
    assert told(asked(state, (one,)))["x"] == f"never: {why}"


def test_every_sentence_is_there_in_chinese_too():
    for state, question, _ in TABLE.values():
        for one in asked(state, **question):
            assert one.text is None or (one.text.zh and one.text.zh != one.text.en)


def test_what_is_recommended_is_to_be_had_now_and_the_smallest():
    flavors = (flavor("small", 1, "A100"), flavor("two", 2, "T4"), flavor("four", 4, "T4"))
    state = State([node("n1", 8), node("t1", 4, "T4")], [run("r", "n1", 8)])
    assert [one.flavor.name for one in asked(state, flavors) if one.recommended] == ["two"]


def test_the_shortest_wait_is_recommended_where_all_wait():
    flavors = (flavor("a", 1, "A100"), flavor("t", 2, "T4"), flavor("never", 1, "H100"))
    jobs = [run("r", "n1", 8), run("s", "t1", 4, "T4"), wait("w1", 8), wait("w2", 8), wait("w3", 4, "T4")]
    offers = asked(State([node("n1", 8), node("t1", 4, "T4")], jobs), flavors)
    assert [(one.behind, one.recommended) for one in offers] == [(2, False), (None, False), (1, True)]


def test_a_wrong_question_is_told_at_its_field():
    for question, place in (({"count": 2}, "count"), ({"project": "nlpp"}, "project")):
        with pytest.raises(Invalid) as caught:
            asked(State(NODES), **question)
        assert [error.loc for error in caught.value.errors] == [(place,)]
    with pytest.raises(NotAllowed):
        asked(State(NODES), who=Caller(LIN.user, frozenset({"job:read"})))
