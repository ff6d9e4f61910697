"""A job that asks for GPUs alone gets what goes with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.jobs.admission import Admission
from danlu.control.rules.registry import Registry
from danlu.domain.node import Node
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.rules import BUILT_IN, ENGINE_LABEL, KUBERNETES, Flavor, Policy, Rule
from danlu.files.reading import read_job_file
from danlu.files.writing import job_file_of
from tests.fakes.builders import node
from tests.fakes.clock import FakeClock
from tests.simulation.world import NoCode

FILE = {"kind": "training", "name": "some-job", "command": "true"}
LARGE = node("large", 8, "A100", cpus=64, memory="512GiB")
SMALL = node("small", 4, "A100", cpus=16, memory="128GiB")
OTHER = node("other", 2, "RTX3090", cpus=8, memory="32GiB")


class Rulebook:
    def rules(self) -> tuple[Rule, ...]:
        return (*BUILT_IN, Flavor("one", Resources(2000, GIB, 1000)))


def door(nodes: list[Node], policy: Policy = Policy()) -> Admission:  # noqa: B008 (frozen)
    return Admission(lambda: nodes, NoCode(), Registry(Rulebook(), FakeClock()), None, policy)  # type: ignore[arg-type]


def sizes(
    file: dict[str, Any],
    nodes: list[Node],
    policy: Policy = Policy(),  # noqa: B008
) -> list[tuple[float, float, float]]:
    spec = door(nodes, policy).read({**FILE, **file}, Caller(User("lin", UserRole.ENGINEER, 0)))
    found = [role.resources for role in spec.roles]
    return [(one.cpu_milli / 1000, one.memory / GIB, one.shm / GIB) for one in found]


@pytest.mark.parametrize(
    ("resources", "nodes", "size"),
    [
        ({"gpus": 1}, [LARGE], (7.5, 60, 30)),
        ({"gpus": 8}, [LARGE], (60.5, 486, 243)),
        ({"gpus": 0.5}, [LARGE], (3.5, 30, 15)),
        ({"gpus": 1, "gpu": "A100"}, [LARGE, SMALL, OTHER], (3.5, 30, 15)),
        ({"gpus": 8, "gpu": "A100"}, [LARGE, SMALL, OTHER], (60.5, 486, 243)),
        ({"gpus": 1, "cpus": 2}, [LARGE], (2, 60, 30)),
        ({"gpus": 1, "cpus": 2, "memory": "8GiB", "shm": "1GiB"}, [LARGE], (2, 8, 1)),
        ({"cpus": 2}, [LARGE], (2, 2, 0)),
        # What a task without GPUs gets is the least.
        ({"gpus": 0.1}, [OTHER], (1, 2, 1)),
    ],
)
def test_what_the_file_leaves_out_is_the_part_of_the_smallest_node_it_could_run_on(
    resources: dict[str, Any], nodes: list[Node], size: tuple[float, float, float]
) -> None:
    assert sizes({"resources": resources}, nodes) == [size]


def test_every_role_has_its_own_part_and_a_flavor_stays_as_it_is() -> None:
    roles = [
        {"name": "chief", "resources": {"gpus": 2}},
        {"name": "worker"},
        {"name": "feeder", "resources": {"cpus": 1}},
        {"name": "named", "flavor": "one"},
    ]
    found = sizes({"resources": {"gpus": 1}, "roles": roles}, [LARGE])
    assert found == [(15, 121, 60), (7.5, 60, 30), (1, 2, 0), (2, 1, 0)]


def test_a_total_gets_the_part_of_all_its_gpus() -> None:
    assert sizes({"nodes": "auto", "resources": {"gpus": 16}}, [LARGE, LARGE]) == [(121.5, 972, 486)]


def test_labels_and_kubernetes_which_shares_no_gpu_leave_other_nodes_out() -> None:
    shared = replace(node("pod", 8, cpus=8, memory="64GiB"), labels={ENGINE_LABEL: KUBERNETES})
    assert sizes({"resources": {"gpus": 1}}, [LARGE, shared]) == [(1, 7, 3)]
    assert sizes({"resources": {"gpus": 0.5}}, [LARGE, shared]) == [(3.5, 30, 15)]
    labelled = node("west", 8, "A100", cpus=32, memory="256GiB", zone="west")
    file = {"resources": {"gpus": 1}, "node_selector": {"zone": "west"}}
    assert sizes(file, [SMALL, labelled]) == [(3.5, 30, 15)]


def test_a_lab_may_say_what_goes_with_a_gpu_and_a_node_bounds_it() -> None:
    own = Policy(gpu_cpu_milli=4000, gpu_memory=16 * GIB)
    assert sizes({"resources": {"gpus": 2}}, [LARGE], own) == [(8, 32, 16)]
    assert sizes({"resources": {"gpus": 0.5}}, [LARGE], own) == [(2, 8, 4)]
    much = Policy(gpu_cpu_milli=40_000, gpu_memory=160 * GIB)
    assert sizes({"resources": {"gpus": 2}}, [LARGE], much) == [(60.5, 320, 160)]


def test_the_stored_file_says_it_and_reads_back_the_same() -> None:
    caller = Caller(User("lin", UserRole.ENGINEER, 0))
    spec = door([LARGE]).read({**FILE, "resources": {"gpus": 1}}, caller)
    file = job_file_of(spec)
    assert file["resources"] == {"cpus": 7.5, "memory": "60GiB", "gpus": 1, "shm": "30GiB"}
    asked = {**FILE, "resources": {"gpus": 1, "cpus": 1, "memory": "2GiB", "shm": 0}}
    least = job_file_of(door([LARGE]).read(asked, caller))
    assert least["resources"] == {"cpus": 1, "memory": "2GiB", "gpus": 1}
    assert read_job_file(file).result() == spec


def test_an_unfinished_file_is_told_what_it_would_get() -> None:
    (found,) = door([LARGE]).given({"kind": "training", "resources": {"gpus": 1, "cpus": 3}})
    assert (found.loc, found.cpu_milli, found.memory) == (("resources",), 3000, 60 * GIB)
    assert (
        door([LARGE]).given({"kind": "training", "resources": {"gpus": 1, "gpu": "H100"}, "nodes": []}) == ()
    )
    assert door([LARGE]).given("nothing") == ()
