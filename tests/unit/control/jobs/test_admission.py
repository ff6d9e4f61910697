"""Nobody can queue for a machine that does not exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.jobs.admission import Admission
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Invalid
from danlu.domain.job import JobClass, JobSpec, NetworkPolicy
from danlu.domain.members import MemberRole
from danlu.domain.node import Foreign, Node
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.resources import Resources
from danlu.domain.rules import BUILT_IN, Flavor, Limit, Policy, PriorityClass, Project, Rule
from tests.fakes.builders import node
from tests.fakes.clock import FakeClock
from tests.simulation.world import NoCode

FILE = {"kind": "training", "name": "some-job", "command": "true"}
HOST_ONLY = {"host"}
NODES = [node("a1", 8), node("a2", 8), node("r1", 4, "RTX3090", cpus=16, org="public")]
HOUR = 3_600_000
RULES: tuple[Rule, ...] = (
    *BUILT_IN,
    Project("vision", open=True),
    Project("quiet", priorities=("low",), open=True),
    Project("fenced", node_selector={"org": "public"}, open=True),
    Project("inner", default_flavor="a100-4", default_image="host"),
    Project("framed", open=True, default_flavor="cpu-2", default_image="pytorch:2"),
    Project("bare", open=True, default_flavor="gone"),
    PriorityClass("urgent", 900, groups=("leads",)),
    Flavor("a100-4", Resources(8_000, 2**35, 4_000, "A100"), (JobClass.SINGLE,)),
    Flavor("cpu-2", Resources(2_000, 2**30)),
    Flavor("fast", Resources(2_000, 2**30, rdma=True)),
    Project("western", node_selector={"cluster": "west"}, open=True),
    Limit("short", project="vision", max_time=2 * HOUR),
)


class Rulebook:
    """A store of nothing but rules."""

    def rules(self) -> tuple[Rule, ...]:
        return RULES


def admission(images: set[str] | None = HOST_ONLY) -> Admission:
    registry = Registry(Rulebook(), FakeClock())  # type: ignore[arg-type]
    policy = Policy(default_max_time={JobClass.DISTRIBUTED: 5 * HOUR})
    return Admission(lambda: NODES, NoCode(), registry, images, policy)


def read(user: User, **keys: Any) -> JobSpec:
    return admission().read({**FILE, **keys}, Caller(user))


LIN = User("lin", UserRole.ENGINEER, 0)
LEA = User("lea", UserRole.ENGINEER, 0, groups=("leads",))


def refused(user: User = LIN, **keys: Any) -> list[str]:
    try:
        read(user, **keys)
    except Invalid as error:
        return [
            f"{'.'.join(map(str, e.loc))}: {e.message}" + (f" ({e.hint.en})" if e.hint else "")
            for e in error.errors
        ]
    return []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"resources": {"gpus": 8}}, []),
        ({"resources": {"gpus": 9}}, ["resources.gpus: 9 is more than any node has (8) (a task runs on one node: use nodes: auto, which divides the total)"]),
        ({"resources": {"gpus": 8, "gpu": "RTX3090"}}, ["resources.gpus: 8 is more than any node has (4) (a task runs on one node: use nodes: 2 with gpus: 4, or nodes: auto with the total)"]),
        ({"resources": {"cpus": 65}}, ["resources.cpus: 65 is more than any node has (64)"]),
        ({"resources": {"memory": "1TiB"}}, ["resources.memory: 1TiB is more than any node has (512GiB)"]),
        ({"resources": {"gpus": 1, "gpu": "A10"}}, ["resources.gpu: no node has GPU model 'A10' (there are A100, RTX3090) (did you mean 'A100'?)"]),
        ({"resources": {"gpus": 8}, "nodes": 3}, ["nodes: all nodes together have room for 2 tasks of this size, not 3 (request fewer or smaller tasks)"]),
        ({"project": "visio"}, ["project: there is no project 'visio' (did you mean 'vision'?)"]),
        ({"image": "pytorch:2"}, ["image: image 'pytorch:2' cannot run here (use image: host, the machine's own Python environment, or ask an administrator to add a Kubernetes cluster: `danlu cluster create`)"]),
        ({"node_selector": {"org": "privat"}}, ["node_selector: no node has the labels org=privat (`danlu nodes NAME` shows a node's labels)"]),
        ({"node_selector": {"org": "public"}, "resources": {"gpus": 8}}, ["resources.gpus: 8 is more than any node with the labels org=public has (4) (a task runs on one node: use nodes: 2 with gpus: 4, or nodes: auto with the total)"]),
        ({"project": "fenced", "resources": {"gpus": 8}}, ["resources.gpus: 8 is more than any node with the labels org=public has (4) (a task runs on one node: use nodes: 2 with gpus: 4, or nodes: auto with the total)"]),
        ({"resources": {"gpus": 1, "gpu": "A100|H100"}}, []),
        ({"resources": {"gpus": 0, "gpu": "H100"}}, []),
        ({"resources": {"gpus": 1, "gpu": "H100|B200"}}, ["resources.gpu: no node has GPU model 'H100' (there are A100, RTX3090) (did you mean 'A100'?)"]),
        ({"project": "fenced", "node_selector": {"org": "mine"}}, ["node_selector.org: org=mine, but jobs of project fenced run only on nodes with org=public"]),
        ({"nodes": "auto", "resources": {"gpus": 10**9}}, ["resources.gpus: 1000000000 GPUs could become 1000000000 tasks; a job has at most 10000"]),
        ({"nodes": "auto", "flavor": "cpu-2"}, ["nodes: nodes: auto needs a total of whole GPUs to divide, and this flavor has none"]),
        ({"nodes": "auto", "resources": {"gpus": 16, "gpu": "A100"}}, []),
        ({"nodes": "auto", "resources": {"gpus": 64}}, ["resources.gpus: 64 GPUs are more than the nodes can provide, however they are divided (request fewer)"]),
        ({"priority": "hihg"}, ["priority: there is no priority class 'hihg' (choose from: low, normal)"]),
        ({"priority": "high"}, ["priority: lin may not use priority class 'high' in project public (choose from: low, normal)"]),
        ({"priority": "urgent"}, ["priority: lin may not use priority class 'urgent' in project public (choose from: low, normal)"]),
        ({"priority": "normal", "project": "quiet"}, ["priority: lin may not use priority class 'normal' in project quiet (choose from: low)"]),
        ({"flavor": "a100-4"}, []),
        ({"flavor": "a100-4", "nodes": 2}, ["flavor: flavor 'a100-4' is for single jobs, and this job is distributed"]),
        ({"project": "vision"}, ["max_time: a job without max_time may run longer than limit 'short' allows (2h) (set max_time to 2h or less)"]),
        ({"project": "vision", "max_time": "3h"}, ["max_time: 3h is longer than limit 'short' allows (2h) (set max_time to 2h or less)"]),
    ],
)  # fmt: skip
def test_what_is_not_here_is_refused_at_its_place(keys: dict[str, Any], expected: list[str]) -> None:
    assert refused(**keys) == expected


def test_a_role_is_blamed_where_its_size_stands() -> None:
    roles = [{"name": "ps"}, {"name": "w", "resources": {"gpus": 16}}]
    assert refused(roles=roles) == ["roles.1.resources.gpus: 16 is more than any node has (8)"]


def test_mistakes_of_form_and_of_size_are_told_together() -> None:
    told = refused(comand="x", resources={"gpus": 9, "cpu": 4})
    assert (
        "resources.gpus: 9 is more than any node has (8) (a task runs on one node: use nodes: auto, which divides the total)"
        in told
    )
    assert any(line.startswith("comand:") for line in told)


def test_a_minimum_that_fits_is_enough() -> None:
    assert refused(roles=[{"name": "w", "replicas": 3, "min": 2, "resources": {"gpus": 8}}]) == []


def test_a_class_kept_for_a_group_is_open_to_its_members() -> None:
    assert refused(LEA, priority="urgent") == []


def test_a_flavor_gives_its_size_and_is_remembered() -> None:
    (role,) = read(LIN, flavor="a100-4").roles
    assert (role.flavor, role.resources.gpu_milli, role.resources.gpu_model) == ("a100-4", 4_000, "A100")


def test_a_class_of_jobs_has_a_default_maximum() -> None:
    assert read(LIN, nodes=2).max_time == 5 * HOUR
    assert read(LIN, nodes=2, max_time="1h").max_time == HOUR
    assert read(LIN).max_time is None


# ── clusters ─────────────────────────────────────────────────────────────────────────────────────────


def in_cluster(name: str, cluster: str, gpus: int = 8, model: str = "A100", **labels: str) -> Node:
    plain = node(name, gpus, model)
    return replace(plain, cluster=cluster, labels={"engine": "kubernetes", "cluster": cluster, **labels})


HERE = [node("r1", 4, "RTX3090")]
CLUSTERS = [
    *HERE,
    *[in_cluster(f"e{at}", "east") for at in range(3)],
    *[in_cluster(f"w{at}", "west", rdma="true") for at in range(2)],
]


@pytest.mark.parametrize(
    ("nodes", "keys", "expected"),
    [
        (HERE, {"resources": {"rdma": True}}, ["resources.rdma: no node has RDMA (leave it out, or label the nodes that have RDMA: `danlu label NODE rdma=true`)"]),
        (HERE, {"flavor": "fast"}, ["flavor: no node has RDMA (leave it out, or label the nodes that have RDMA: `danlu label NODE rdma=true`)"]),
        (HERE, {"roles": [{"name": "w", "resources": {"rdma": True}}]}, ["roles.0.resources.rdma: no node has RDMA (leave it out, or label the nodes that have RDMA: `danlu label NODE rdma=true`)"]),
        (CLUSTERS, {"image": "pytorch:2", "resources": {"gpus": 1, "gpu": "RTX3090"}}, ["resources.gpu: no node with the labels engine=kubernetes has GPU model 'RTX3090' (there are A100) (choose from: A100)"]),
        (CLUSTERS, {"image": "pytorch:2", "node_selector": {"engine": "local"}}, ["node_selector.engine: engine=local, but jobs with an image run only on nodes with engine=kubernetes"]),
        (CLUSTERS, {"resources": {"rdma": True, "gpus": 8}, "nodes": 2}, []),
        (CLUSTERS, {"resources": {"rdma": True, "gpus": 8}, "nodes": 3}, ["nodes: no single cluster has room for all 3 tasks of this size: west has room for 2 (request fewer or smaller tasks)"]),
        (CLUSTERS, {"resources": {"gpus": 8}, "nodes": 3}, []),
        (CLUSTERS, {"resources": {"gpus": 8}, "nodes": 5}, ["nodes: no single cluster has room for all 5 tasks of this size: east has room for 3, west 2 (request fewer or smaller tasks)"]),
        (CLUSTERS, {"resources": {"gpus": 40}, "nodes": "auto"}, ["resources.gpus: 40 GPUs are more than any one cluster can provide, however they are divided (request fewer)"]),
        (CLUSTERS, {"resources": {"gpus": 0.5}}, []),
        (CLUSTERS, {"resources": {"gpus": 0.5, "gpu": "A100"}}, ["resources.gpus: 0.5 of a GPU is not available: these GPUs belong to Kubernetes, which allocates whole GPUs (request whole GPUs)"]),
        (CLUSTERS, {"resources": {"gpus": 0.5}, "image": "pytorch:2"}, ["resources.gpus: 0.5 of a GPU is not available: these GPUs belong to Kubernetes, which allocates whole GPUs (request whole GPUs)"]),
        (CLUSTERS, {"project": "western", "resources": {"gpus": 8}, "nodes": 2}, []),
        (CLUSTERS, {"project": "western", "node_selector": {"cluster": "east"}}, ["node_selector.cluster: cluster=east, but jobs of project western run only on nodes with cluster=west"]),
        ([replace(one, foreign=Foreign(gpus=8)) for one in CLUSTERS], {"resources": {"gpus": 8}, "nodes": 3}, []),
    ],
)  # fmt: skip
def test_what_no_cluster_can_give_is_refused(
    nodes: list[Node], keys: dict[str, Any], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.NODES", nodes)
    assert refused(**keys) == expected


# ── whose projects ───────────────────────────────────────────────────────────────────────────────────

ROLES = MemberRole
ADMIN = User("admin", UserRole.ADMINISTRATOR, 0)


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        (Caller(LIN), "lin is not a member of project 'inner'"),
        (Caller(LIN, projects={"vision": ROLES.CREATOR}), "lin is not a member of project 'inner'"),
        (Caller(LIN, projects={"inner": ROLES.VIEWER}), "lin is only a viewer of project 'inner'"),
        (Caller(LIN, projects={"inner": ROLES.MEMBER}), None),
        (Caller(LIN, projects={"inner": ROLES.CREATOR}), None),
        (Caller(LIN, granted=frozenset({Permission.PROJECT_WRITE})), None),
        (Caller(ADMIN), None),
        (Caller(ADMIN, frozenset({"job:write"})), "admin is not a member of project 'inner'"),
    ],
)
def test_a_project_that_is_not_open_is_for_its_members(caller: Caller, expected: str | None) -> None:
    door = admission()
    file = {**FILE, "project": "inner"}
    if expected is None:
        door.still_allowed(door.read(file, caller), caller)
        return
    spec = door.read(file, Caller(ADMIN))
    for act in (lambda: door.read(file, caller), lambda: door.still_allowed(spec, caller)):
        with pytest.raises(Invalid) as refusal:
            act()
        (error,) = refusal.value.errors
        assert (error.loc, error.code, error.message) == (("project",), "not_a_member", expected)
        assert error.hint is not None
        assert error.hint.en == "ask to join: danlu project join inner"


def test_a_project_gives_a_size_and_an_image_to_jobs_that_name_none() -> None:
    door = admission(images=None)
    spec = door.read({**FILE, "project": "framed"}, Caller(LIN))
    assert (spec.image, spec.roles[0].flavor, spec.roles[0].resources.cpu_milli) == (
        "pytorch:2", "cpu-2", 2_000,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "image", "flavor"),
    [
        ({"resources": {"cpus": 1}, "image": "host"}, "host", None),
        ({"flavor": "fast"}, "pytorch:2", "fast"),
        ({"roles": [{"name": "ps"}, {"name": "worker"}]}, "pytorch:2", None),
        ({"resources": None}, "pytorch:2", "cpu-2"),
        ({"project": "bare"}, "host", None),
    ],
)
def test_what_a_job_says_itself_is_not_its_projects_to_say(
    keys: dict[str, Any], image: str, flavor: str | None
) -> None:
    nodes = [replace(one, labels={**one.labels, "rdma": "true"}) for one in NODES]
    registry = Registry(Rulebook(), FakeClock())  # type: ignore[arg-type]
    door = Admission(lambda: nodes, NoCode(), registry, None, Policy())
    spec = door.read({**FILE, "project": "framed", **keys}, Caller(LIN))
    assert (spec.image, spec.roles[0].flavor) == (image, flavor)


def test_a_default_flavor_is_only_for_jobs_of_its_classes() -> None:
    member = Caller(LIN, projects={"inner": ROLES.MEMBER})
    door = admission()
    assert door.read({**FILE, "project": "inner"}, member).roles[0].flavor == "a100-4"
    assert door.read({**FILE, "project": "inner", "nodes": 2}, member).roles[0].flavor is None
    workspace = {"kind": "workspace", "name": "desk", "project": "inner"}
    assert door.read(workspace, member).roles[0].flavor is None


def test_a_file_that_is_whole_gets_no_defaults() -> None:
    spec = admission(images=None).read({**FILE, "project": "framed"}, Caller(LIN), whole=True)
    assert (spec.image, spec.roles[0].flavor) == ("host", None)


def test_a_task_counts_for_what_it_costs_at_least() -> None:
    registry = Registry(Rulebook(), FakeClock())  # type: ignore[arg-type]
    policy = Policy(task_cpu_milli=10, task_memory=8 << 20)
    door = Admission(lambda: NODES, NoCode(), registry, HOST_ONLY, policy)

    def size(**resources: Any) -> Resources:
        return door.read({**FILE, "resources": resources}, Caller(LIN)).roles[0].resources

    assert size(cpus=0.001, memory="4MiB") == Resources(10, 8 << 20)
    assert size(cpus=0.001, memory="1GiB") == Resources(10, 1 << 30)
    assert size(cpus=4, memory="1GiB", gpus=1, shm=0) == Resources(4000, 1 << 30, 1000)


def test_a_network_beyond_what_administrators_allow_is_refused() -> None:
    assert read(LIN, network="none").network is NetworkPolicy.NONE
    assert read(LIN, network="all").network is NetworkPolicy.ALL
    assert refused(network="shared") == [
        "network: network: shared reaches more than administrators allow (all) "
        "(ask for less, or ask an administrator to raise the setting network_limit)"
    ]
