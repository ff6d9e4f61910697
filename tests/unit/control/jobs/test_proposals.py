"""How many tasks are proposed: what finds room now, else what ever could."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from danlu.control.jobs.admission import Admission
from danlu.control.jobs.proposals import CPU_SIZE, FrameworkProposal, Proposals, Wish
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Invalid
from danlu.domain.job import JobClass
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.resources import Resources
from danlu.domain.rules import BUILT_IN, Flavor, Policy
from tests.fakes.clock import FakeClock
from tests.fakes.queue import State, node, run
from tests.fakes.rules import FakeRules
from tests.simulation.world import NoCode

LIN = Caller(User("lin", UserRole.ENGINEER, 0))
GPUS = Flavor("four", Resources(4_000, 2**30, 4_000, "A100"))
ALONE = Flavor("alone", Resources(4_000, 2**30, 4_000, "A100"), (JobClass.SINGLE,))
CPUS = Flavor("cpu-4", Resources(4_000, 2**30))
FEWER_CPUS = Flavor("cpu-2", Resources(2_000, 2**30))
NODES = [node("n1"), node("n2"), node("n3")]


def proposed(
    wish: Wish, state: State | None = None, flavors: tuple[Flavor, ...] = (GPUS, ALONE, CPUS, FEWER_CPUS)
) -> FrameworkProposal:
    state = state or State(nodes=NODES)
    registry = Registry(FakeRules(*BUILT_IN, *flavors), FakeClock())
    admission = Admission(lambda: state.nodes, NoCode(), registry, None, Policy())
    planner: Any = SimpleNamespace(snapshot=state.snapshot)
    return Proposals(registry, planner, admission.idle, admission.sized).propose(LIN, wish)


def roles(found: FrameworkProposal) -> dict[str, tuple[int, str | None]]:
    return {role.name: (role.replicas, role.flavor) for role in found.roles}


def why(found: FrameworkProposal) -> dict[str, str]:
    return {role.name: role.why.en for role in found.roles}


def test_workers_fill_what_is_free_now() -> None:
    found = proposed(Wish("pytorch", flavor="four"))
    assert (found.strategy, roles(found), found.nodes) == ("all-reduce", {"worker": (6, "four")}, 6)
    assert why(found) == {"worker": "6 of this size could start now"}


def test_what_others_hold_is_not_proposed() -> None:
    busy = State(NODES, [run("j1", "n1", 8), run("j2", "n2", 8), run("j3", "n3", 4)])
    found = proposed(Wish("jax", flavor="four"), busy)
    assert (found.nodes, why(found)) == (1, {"worker": "1 of this size could start now"})


def test_where_nothing_is_free_it_is_what_could_run_once_others_are_done() -> None:
    busy = State(NODES, [run(f"j{number}", f"n{number}", 8) for number in (1, 2, 3)])
    found = proposed(Wish("pytorch", flavor="four"), busy)
    assert found.nodes == 6
    assert why(found) == {"worker": "6 of this size can start once other jobs have ended; none can start now"}


def test_what_fits_nowhere_is_said_to() -> None:
    found = proposed(Wish("pytorch", resources=Resources(1_000, 2**30, 9_000)))
    assert (found.nodes, why(found)) == (
        1, {"worker": "no node is large enough for one of this size, even when idle"},
    )  # fmt: skip


def test_parameter_servers_come_one_for_four_workers_on_the_smallest_cpu_flavor() -> None:
    found = proposed(Wish("tensorflow", "ps", "four"))
    assert roles(found) == {"chief": (1, "cpu-2"), "ps": (2, "cpu-2"), "worker": (6, "four")}
    assert found.nodes is None
    assert why(found)["ps"] == "one for every 4 workers is usual"
    assert why(found)["chief"] == "the strategy needs 1"
    assert [text.en[:28] for text in found.advice] == ["there are only 6 GPU workers"]


def test_without_a_cpu_flavor_they_have_a_size_of_their_own() -> None:
    found = proposed(Wish("tensorflow", "ps", "four"), flavors=(GPUS,))
    sizes = {role.name: (role.flavor, role.resources) for role in found.roles}
    assert sizes == {"chief": (None, CPU_SIZE), "ps": (None, CPU_SIZE), "worker": ("four", None)}


def test_without_gpus_there_is_one_worker_for_each_machine_with_room() -> None:
    two = State(nodes=[node("n1", 0), node("n2", 0), node("n3", 0, cpus=1)])
    found = proposed(Wish("pytorch", resources=Resources(2_000, 2**30)), two)
    assert (found.nodes, why(found)) == (2, {"worker": "2 of this size could start now"})
    found = proposed(Wish("tensorflow", "ps", resources=Resources(2_000, 2**30)), two)
    assert {name: count for name, (count, _) in roles(found).items()} == {"chief": 1, "ps": 1, "worker": 2}


def test_machines_that_others_fill_are_not_counted_for_workers_without_gpus() -> None:
    full = run("j1", "n1", 0, cpus=64)
    found = proposed(Wish("pytorch", flavor="cpu-2"), State([node("n1", 0), node("n2", 0)], [full]))
    assert (found.nodes, why(found)) == (1, {"worker": "1 of this size could start now"})


def test_a_flavor_for_single_jobs_is_proposed_once() -> None:
    assert proposed(Wish("pytorch", flavor="alone")).nodes == 1


@pytest.mark.parametrize(
    ("wish", "places"),
    [
        (Wish("torch"), [("framework",)]),
        (Wish("pytorch", "ps", flavor="fuor", project="nowhere"), [("strategy",), ("flavor",), ("project",)]),
    ],
)
def test_what_there_is_not_is_refused(wish: Wish, places: list[tuple[str, ...]]) -> None:
    with pytest.raises(Invalid) as wrong:
        proposed(wish)
    assert [error.loc for error in wrong.value.errors] == places


def test_what_goes_with_the_gpus_is_counted_where_it_is_left_out() -> None:
    one_cpu = Wish("tensorflow", "ps", resources=Resources(1_000, 2**30, 1_000))
    as_in_a_file = replace(one_cpu, left_out=frozenset({"cpus", "memory", "shm"}))
    few, more = (proposed(wish, flavors=()).roles[-1].replicas for wish in (as_in_a_file, one_cpu))
    assert 0 < few < more
