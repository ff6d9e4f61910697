"""What a framework makes of a job file: its defaults, its bounds, and what could be better."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.jobs.admission import Admission
from danlu.control.jobs.advice import advice
from danlu.control.jobs.training import completed, mistakes
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Invalid
from danlu.domain.job import JobSpec, Remedy, Trouble
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.resources import Resources
from danlu.domain.rules import BUILT_IN, Flavor, Policy
from danlu.files.reading import read_job_file
from danlu.files.writing import job_file_of
from danlu.frameworks.catalog import frameworks
from tests.fakes.builders import node
from tests.fakes.clock import FakeClock
from tests.fakes.rules import FakeRules
from tests.simulation.world import NoCode

HOUR = 3_600_000
FLAVORS = (
    Flavor("gpu", Resources(8_000, 2**35, 4_000, "A100")),
    Flavor("cpu", Resources(2_000, 2**30)),
)
LIN = Caller(User("lin", UserRole.ENGINEER, 0))


def file(**keys: Any) -> dict[str, Any]:
    return {"kind": "training", "name": "some-job", "command": "python train.py", **keys}


def servers(ps: int = 1, workers: int = 4, chief: int = 1, **keys: Any) -> dict[str, Any]:
    """A TensorFlow job with parameter servers."""
    roles = [
        {"name": "chief", "replicas": chief, "flavor": "cpu"},
        {"name": "ps", "replicas": ps, "flavor": "cpu"},
        {"name": "worker", "replicas": workers, "flavor": "gpu"},
    ]
    return file(framework="tensorflow", strategy="ps", roles=roles, **keys)


def read(data: dict[str, Any]) -> JobSpec:
    registry = Registry(FakeRules(*BUILT_IN, *FLAVORS), FakeClock())
    nodes = [node(f"a{number}", 8) for number in range(16)]
    return Admission(lambda: nodes, NoCode(), registry, None, Policy()).read(data, LIN)


def refused(data: dict[str, Any]) -> list[str]:
    """`place: message (hint)` of everything wrong."""
    try:
        read(data)
    except Invalid as error:
        return [
            f"{'.'.join(map(str, one.loc))}: {one.message}" + (f" ({one.hint.en})" if one.hint else "")
            for one in error.errors
        ]
    return []


def told(data: dict[str, Any]) -> list[str]:
    return [f"{'.'.join(map(str, one.loc))}: {one.text.en}" for one in advice(read(data), data)]


# ── defaults ─────────────────────────────────────────────────────────────────────────────────────────


def test_what_the_file_leaves_open_is_the_frameworks_to_say() -> None:
    spec = read(file(framework="pytorch", nodes=2))
    assert (spec.strategy, spec.restarts, spec.hang_after) == ("all-reduce", 3, HOUR)
    assert spec.on == {Trouble.NODE_LOST: Remedy.REQUEUE, Trouble.HUNG: Remedy.RESTART_JOB}


def test_what_the_file_says_wins() -> None:
    spec = read(
        file(
            framework="pytorch", strategy="elastic", nodes=2, restarts=1, on={"hung": "fail"}, hang_after="5m"
        )
    )
    assert (spec.strategy, spec.restarts, spec.hang_after) == ("elastic", 1, 300_000)
    assert spec.on[Trouble.HUNG] is Remedy.FAIL
    assert spec.on[Trouble.NODE_LOST] is Remedy.IGNORE


def test_no_time_means_that_it_never_counts_as_hung() -> None:
    assert read(file(framework="pytorch", hang_after="0s")).hang_after is None


def test_without_a_framework_nothing_is_added() -> None:
    data = file(nodes=2)
    assert read(data) == read_job_file(data).result()


def test_roles_that_serve_are_those_of_the_strategy_unless_the_file_says_otherwise() -> None:
    data = servers()
    assert {role.name: role.serves for role in read(data).roles} == {
        "chief": False, "ps": True, "worker": True,
    }  # fmt: skip
    data["roles"][2]["serves"] = False
    assert not read(data).role("worker").serves


@pytest.mark.parametrize(
    "data",
    [
        file(framework="pytorch", nodes=2, hang_after="0s", restarts=0),
        file(framework="jax", restarts=3),
        servers(ps=2),
        {**servers(), "roles": [{**role, "serves": role["name"] == "ps"} for role in servers()["roles"]]},
    ],
    ids=[
        "never hung, never restarted",
        "as many restarts as usual",
        "serving roles",
        "roles that do not serve",
    ],
)
def test_a_clone_is_the_same_job_whatever_frameworks_would_add(data: dict[str, Any]) -> None:
    spec = read(data)
    assert read(job_file_of(spec)) == spec


# ── bounds ───────────────────────────────────────────────────────────────────────────────────────────

PS_NEEDED = "strategy ps needs the role 'chief' (chief: 1) (for example - {name: chief, replicas: 1})"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (servers(ps=0), ["roles.1.replicas: ps: 1–4, one for every 4 workers is usual; you asked for 0"]),
        (servers(ps=9, workers=8), ["roles.1.replicas: ps: 1–8, one for every 4 workers is usual; you asked for 9"]),
        (servers(chief=2), ["roles.0.replicas: chief: 1; you asked for 2"]),
        (servers(workers=0), ["roles.2.replicas: worker: at least 1, one per machine is usual; you asked for 0"]),
        (servers(ps=2, workers=8), []),
        (file(framework="tensorflow", strategy="ps", nodes=2), [f"roles: {PS_NEEDED}"]),
        (file(framework="tensorflow", roles=[{"name": "evaluator"}, {"name": "worker"}, {"name": "chief"}]), []),
        (
            file(framework="tensorflow", roles=[{"name": "workers"}]),
            [
                "roles.0.name: strategy all-reduce of tensorflow has no role 'workers' (did you mean 'worker'?)",
                "roles: strategy all-reduce needs the role 'worker' (worker: at least 1, one per machine is usual) "
                "(for example - {name: worker, replicas: 1})",
            ],
        ),
        (file(roles=[{"name": "head", "replicas": 0}]), ["roles.0.replicas: a role needs at least 1 task; this one has 0 (or leave the role out)"]),
    ],
    ids=["no ps", "more ps than workers", "two chiefs", "no workers", "right", "no roles", "optional roles", "misspelt", "any role"],
)  # fmt: skip
def test_counts_are_held_to_what_the_strategy_can_use(data: dict[str, Any], expected: list[str]) -> None:
    assert refused(data) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"framework": "torch"}, "framework: 'torch' is not one of {names} (did you mean 'pytorch'?)"),
        ({"framework": "pytorch", "strategy": "elastick"}, "strategy: pytorch has no strategy 'elastick': all-reduce, elastic (did you mean 'elastic'?)"),
        ({"strategy": "ps"}, "strategy: framework none has no strategies (leave strategy out, or set framework)"),
        ({"framework": "jax", "kind": "workspace"}, "framework: a workspace runs one command and takes no framework (leave framework out, or use kind: training)"),
        ({"framework": "jax", "processes": 2}, "processes: jax runs one process per task; you asked for 2 (request more tasks, or leave processes out)"),
        ({"processes": 2}, "processes: the command runs as one process per task; you asked for 2 (request more tasks, or leave processes out)"),
        ({"framework": "pytorch", "processes": 8, "flavor": "gpu"}, "processes: 8 processes per task would share 4 GPUs: at most one process per GPU (leave processes out to get one per GPU)"),
        ({"framework": "pytorch", "nodes": 4, "min": 2}, "min: strategy all-reduce of pytorch needs all 4 tasks, but min is 2 (use strategy: elastic, or leave min out)"),
        ({"framework": "jax", "roles": [{"name": "worker", "replicas": 4, "min": 2}]}, "roles.0.min: strategy all-reduce of jax needs all 4 tasks, but min is 2 (leave min out)"),
        ({"framework": "pytorch", "strategy": "elastic", "nodes": "auto", "resources": {"gpus": 8}}, "nodes: nodes: auto always runs all the tasks it creates, so it cannot be combined with elastic (set the numbers yourself: nodes and min)"),
        ({"framework": "tensorflow", "strategy": "ps", "nodes": "auto", "resources": {"gpus": 8}}, "nodes: nodes: auto works with one role, but strategy ps has several: chief, ps, worker, evaluator (give each role its replicas)"),
        ({"framework": "tensorflow", "roles": [{"name": "worker", "serves": True}]}, "roles: every role only serves others, so the job would never complete (remove `serves` from at least one role)"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_at_its_place(keys: dict[str, Any], expected: str) -> None:
    assert refused(file(**keys)) == [expected.replace("{names}", ", ".join(frameworks()))]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({"flavor": "gpu"}, "roles.1.flavor: ps needs no GPUs: choose a CPU flavor"),
        ({"resources": {"gpus": 1}}, "roles.1.resources.gpus: ps needs no GPUs: choose a CPU flavor"),
        ({}, "roles.1.flavor: ps needs no GPUs: choose a CPU flavor (it uses the job's size: give it its own flavor or resources)"),
        ({"resources": {"cpus": 2}}, None),
    ],
)  # fmt: skip
def test_a_role_that_computes_nothing_gets_no_gpus(own: dict[str, Any], expected: str | None) -> None:
    data = servers(flavor="gpu")
    data["roles"][1] = {"name": "ps", **own}
    assert refused(data) == ([expected] if expected else [])


def test_a_minimum_is_anybodys_to_say_without_a_framework() -> None:
    assert refused(file(nodes=4, min=2)) == []


def test_mistakes_are_told_all_at_once() -> None:
    data = {**servers(ps=0, chief=2), "colour": "red"}
    assert [line.partition(":")[0] for line in refused(data)] == [
        "colour", "roles.1.replicas", "roles.0.replicas",
    ]  # fmt: skip


def test_broken_files_are_looked_at_as_far_as_they_go() -> None:
    data = file(framework="pytorch", roles="worker", processes="two", min=None, restarts=None)
    assert [line.partition(":")[0] for line in refused(data)] == ["processes", "roles"]
    spec = replace(read(file(framework="pytorch")), roles=())
    assert [one.loc for one in mistakes(completed(spec, {}), {})] == [("roles",)]


AS_IT_IS = (
    "Danlu runs `python -c` as is, without the framework's launcher, so each task has at most one process: "
    "put the code in a file, or call the launcher yourself"
)

# ── advice ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (file(framework="pytorch", nodes=2, flavor="gpu"), []),
        (servers(), ["strategy: there are only 4 GPU workers: all-reduce usually trains faster, because gradients go directly from GPU to GPU instead of through the ps tasks"]),
        (servers(workers=1), ["strategy: there is only 1 GPU worker: all-reduce usually trains faster, because gradients go directly from GPU to GPU instead of through the ps tasks"]),
        (servers(ps=3, workers=12), []),
        (servers(ps=7, workers=12), ["roles.1.replicas: 7 ps tasks are many for 12 workers: 3 would be enough"]),
        (file(framework="pytorch", strategy="elastic", nodes=4), ["min: the job continues with fewer workers only down to min, which is now all 4: set for example min: 2"]),
        (file(framework="pytorch", strategy="elastic", nodes=4, min=2), []),
        (file(framework="pytorch", nodes=2, resources={"gpus": 0.5}), ["resources.gpus: with GPU shares, two workers may get the same GPU, which NCCL does not support: request whole GPUs"]),
        (file(framework="pytorch", resources={"gpus": 0.5}), []),
        (file(framework="pytorch", flavor="gpu", processes=3), ["processes: 1 of 4 GPUs in each task have no process: leave processes out to get one per GPU"]),
        (file(framework="pytorch", command="python3 -c 'print()'", processes=2), [f"command: {AS_IT_IS}"]),
        (file(framework="mpi", command=["/usr/bin/python", "-u", "-c", "print()"], nodes=2), [f"command: {AS_IT_IS}"]),
        (file(framework="pytorch", command="python -c 'print()'"), []),
        (file(framework="jax", command="python -c 'print()'", nodes=2), []),
        (file(framework="pytorch", command="python train.py -c x", processes=2), []),
        (file(expected_time="8h"), ["checkpoint.path: it may run for 8h and be restarted on other nodes: save checkpoints, and set a checkpoint.path that all nodes can reach"]),
        (file(expected_time="8h", checkpoint={"path": "/data"}), []),
        (file(expected_time="8h", preemptible=False), []),
        (file(expected_time="10m"), []),
        (file(kind="workspace", expected_time="8h"), []),
    ],
)  # fmt: skip
def test_what_is_right_and_could_be_better_is_said(data: dict[str, Any], expected: list[str]) -> None:
    assert told(data) == expected
