"""Which nodes are put aside, and which are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.plane.bad_nodes import ONE_FAILURE_MS, WITHIN_MS, BadNodes
from danlu.control.plane.node_rules import apply_rules
from danlu.control.rules.registry import Registry
from danlu.domain.audit import ITSELF
from danlu.domain.events import Event, TroubleMet
from danlu.domain.job import Remedy
from danlu.domain.node import Node, NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.reasons import EvictedByNode, ExitCode, Hung, NodeLost, OutOfMemory, Reason, StartFailed
from danlu.domain.rules import BUILT_IN, NodeRule, changed
from danlu.ports.store import JobChange
from tests.fakes import builders
from tests.fakes.clock import FakeClock
from tests.fakes.rules import FakeRules

ADMIN = Caller(User("admin", UserRole.ADMINISTRATOR, 0))
MINUTE = 60_000


class Room:
    """Machines on which things go wrong."""

    def __init__(self, nodes: int = 6, failures: int = 3) -> None:
        self.clock, self.store = FakeClock(), FakeRules(*BUILT_IN)
        self.owners: dict[str, str] = {}
        """Of jobs that are not of a person of their own."""
        self.machines = [builders.node(f"n{at}", 8) for at in range(nodes)]
        self.registry = Registry(self.store, self.clock, inventory=lambda: self.machines)
        self.bad = BadNodes(self.registry, self.nodes, self.clock, failures)

    def nodes(self) -> tuple[Node, ...]:
        return apply_rules(self.machines, self.registry.node_rules())

    def fails(self, job: str, node: str = "n0", after: int = MINUTE, reason: Reason | None = None) -> None:
        self.clock.advance(after)
        why = reason or StartFailed("worker-0", "no such device", node)
        self.happens(job, TroubleMet(why, Remedy.RESTART_JOB))

    def happens(self, job: str, event: Event) -> None:
        self.bad.noticed([JobChange(builders.job(f"job-{job}", owner=self.owners.get(job, job)), (event,))])

    @property
    def aside(self) -> list[str]:
        return [name for name, rule in sorted(self.registry.node_rules().items()) if rule.put_aside]


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_node_that_fails_three_times_under_two_jobs_is_put_aside_with_the_reason(room: Room) -> None:
    room.fails("a")
    room.fails("a")
    assert room.aside == []
    room.fails("b")
    assert room.aside == ["n0"]
    node = room.nodes()[0]
    assert node.state is NodeState.CORDONED
    assert node.why == (
        "put aside: failed 3 times within an hour, in 2 jobs; last: worker-0 could not start on n0: no such device"
    )
    assert room.store.acts[-1][0] == ITSELF


def test_one_job_alone_may_be_the_cause_itself(room: Room) -> None:
    for _ in range(10):
        room.fails("a")
    assert room.aside == []


def test_one_person_alone_may_make_the_same_mistake_in_many_jobs(room: Room) -> None:
    room.owners = dict.fromkeys("abcdef", "lin")
    for job in "abcdef":
        room.fails(job)
    assert room.aside == []


def test_a_node_that_goes_away_under_one_persons_jobs_is_to_blame(room: Room) -> None:
    room.owners = dict.fromkeys("abc", "lin")
    for job in "abc":
        room.fails(job, reason=NodeLost("worker-0", "n0"))
    assert room.aside == ["n0"]


def test_what_befalls_many_jobs_at_once_is_one_failure(room: Room) -> None:
    for job in "abcdef":
        room.fails(job, after=ONE_FAILURE_MS // 10, reason=NodeLost("worker-0", "n0"))
    assert room.aside == []


def test_failures_that_are_long_past_do_not_count(room: Room) -> None:
    room.fails("a")
    room.fails("b")
    room.fails("c", after=WITHIN_MS)
    assert room.aside == []


@pytest.mark.parametrize(
    "reason",
    [ExitCode("worker-0", 1, "n0"), OutOfMemory("worker-0", 1, "n0"), Hung(1)],
    ids=["exit code", "out of memory", "hung"],
)
def test_what_a_program_does_itself_is_not_the_nodes_fault(room: Room, reason: Reason) -> None:
    for job in "abcdef":
        room.fails(job, reason=reason)
    assert room.aside == []


def test_losses_evictions_and_failed_starts_count_together(room: Room) -> None:
    room.fails("a", reason=NodeLost("worker-0", "n0"))
    room.fails("b", reason=EvictedByNode("worker-0", "n0", "disk pressure"))
    room.fails("c")
    assert room.aside == ["n0"]


def test_nothing_is_put_aside_where_the_setting_says_never() -> None:
    room = Room(failures=0)
    for job in "abcdef":
        room.fails(job)
    assert room.aside == []


@pytest.mark.parametrize(("nodes", "most"), [(1, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_at_most_a_third_of_the_nodes_are_put_aside(nodes: int, most: int) -> None:
    room = Room(nodes)
    for at in range(nodes):
        for job in "abc":
            room.fails(job, f"n{at}")
    assert len(room.aside) == most


def test_the_last_of_its_kind_stays(room: Room) -> None:
    room.machines[0] = builders.node("n0", 8, "H100")
    for job in "abc":
        room.fails(job)
    assert room.aside == []
    room.machines[1] = builders.node("n1", 8, "H100")
    room.fails("d")
    assert room.aside == ["n0"]


def test_a_node_that_is_cordoned_already_is_left_as_it_is(room: Room) -> None:
    room.registry.edit_nodes(ADMIN, ["n0"], lambda rule: replace(rule, cordoned=True, note="mine"))
    for job in "abc":
        room.fails(job)
    assert room.aside == []
    assert room.registry.node_rules()["n0"].note == "mine"


def test_who_is_opened_again_begins_anew(room: Room) -> None:
    for job in "abc":
        room.fails(job)
    room.registry.edit_node(ADMIN, "n0", cordoned=False)
    assert room.nodes()[0].state is NodeState.READY
    room.fails("d")
    room.fails("e")
    assert room.aside == []
    room.fails("f")
    assert room.aside == ["n0"]


def test_a_person_who_cordons_and_opens_a_node_vouches_for_it(room: Room) -> None:
    room.fails("a")
    room.fails("b")
    for cordoned in (True, False):
        room.registry.edit_node(ADMIN, "n0", cordoned=cordoned)
    room.fails("c")
    assert room.aside == []


def test_a_node_that_is_gone_is_nobodys_loss(room: Room) -> None:
    for job in "abc":
        room.fails(job, "n9")
    assert room.aside == []


def test_a_person_who_cordons_it_again_takes_it_over(room: Room) -> None:
    for job in "abc":
        room.fails(job)
    room.registry.edit_node(ADMIN, "n0", cordoned=True)
    assert room.aside == []
    assert room.nodes()[0].state is NodeState.CORDONED


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ({}, {"cordoned": True, "put_aside": True}, "put_aside"),
        ({"cordoned": True, "put_aside": True}, {}, "uncordoned"),
    ],
)
def test_what_happened_has_its_word(before: dict[str, Any], after: dict[str, Any], word: str) -> None:
    assert changed(NodeRule("a", **before), NodeRule("a", **after)) == word
