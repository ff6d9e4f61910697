"""Clusters: looked at before they are used, signed in to with what nobody sees, counted by what their nodes have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.machines.clusters import Clusters, ClusterState, ModelUse
from danlu.control.machines.nodes import NodeUse
from danlu.control.rules.registry import Registry
from danlu.domain.errors import ClusterNotReady, Conflict, Invalid, NameTaken, NotAllowed, NotFound
from danlu.domain.findings import Level
from danlu.domain.job import Attempt, Job, JobSpec, JobState, Kind, Task, TaskState
from danlu.domain.node import Foreign, Gpu, Node, NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.resources import GpuGrant
from danlu.domain.rules import BUILT_IN, KubernetesCluster, Project
from danlu.domain.words import same
from danlu.ports.clusters import ClusterCredentials
from tests.fakes.clock import START, FakeClock
from tests.fakes.clusters import NO_NAMESPACE, NO_PLUGIN, SERVER, VERSION, MemorySecrets, ScriptedInspector
from tests.fakes.rules import FakeRules

ADMIN = Caller(User("admin", UserRole.ADMINISTRATOR, 0))
ENGINEER = Caller(User("lin", UserRole.ENGINEER, 0))
LAB, ACCESS = KubernetesCluster("lab"), ClusterCredentials("apiVersion: v1", "lab")


def node(name: str, cards: int = 8, **keys: Any) -> Node:
    cards_ = tuple(Gpu(at, str(at), keys.pop("model", "A100")) for at in range(cards))
    return Node(f"{name}.lab", "10.0.0.1", 64_000, 2**39, cards_, cluster="lab", **keys)


def job_on(*nodes: str) -> Job:
    tasks = tuple(
        Task("worker", at, name, "", (GpuGrant(0, 1000),), state=TaskState.RUNNING)
        for at, name in enumerate(nodes)
    )
    job = Job("j1", "lin", JobSpec(Kind.TRAINING, "bert", ()), 0)
    return replace(job, state=JobState.RUNNING, attempts=1, attempt=Attempt(1, tasks, 0))


class Office:
    def __init__(self, *, programs: bool = False, url: str = "") -> None:
        self.store, self.jobs, self.nodes = FakeRules(*BUILT_IN), list[Job](), list[Node]()
        self.secrets, self.inspector, self.clock = MemorySecrets(), ScriptedInspector(), FakeClock()
        self.registry = Registry(self.store, self.clock, lambda: self.jobs)
        self.clusters = Clusters(
            self.registry, self.secrets, self.inspector, self.uses, self.clock, programs=programs, url=url
        )

    def uses(self) -> list[NodeUse]:
        held = [(job, task) for job in self.jobs for task in job.live_tasks]
        return [NodeUse(one, tuple(pair for pair in held if pair[1].node == one.name)) for one in self.nodes]


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.fixture
def lab(office: Office) -> Office:
    office.clusters.add(ADMIN, LAB, ACCESS)
    return office


def refusals(act: Any) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        act()
    return [(".".join(map(str, error.loc)), error.code) for error in refused.value.errors]


# ── adding ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_cluster_is_looked_at_and_then_kept_with_its_address_and_its_secret_apart(office: Office) -> None:
    made = office.clusters.add(ADMIN, LAB, ACCESS)

    assert made.cluster == replace(LAB, server=SERVER, credentials_at=START)
    assert office.inspector.looked == [(LAB, ACCESS)]
    assert office.secrets.kept == {"lab": ACCESS}
    assert "apiVersion" not in repr(office.store.kept)


def test_one_that_lacks_something_is_refused_with_all_that_was_found(office: Office) -> None:
    office.inspector.findings = (VERSION, NO_PLUGIN, NO_NAMESPACE)
    with pytest.raises(ClusterNotReady, match="cluster lab is not ready: There is no namespace") as refused:
        office.clusters.add(ADMIN, LAB, ACCESS)

    assert refused.value.findings == (NO_NAMESPACE, NO_PLUGIN, VERSION)
    assert (office.secrets.kept, office.registry.clusters()) == ({}, {})


def test_force_adds_it_all_the_same(office: Office) -> None:
    office.inspector.findings = (NO_NAMESPACE,)
    assert office.clusters.add(ADMIN, LAB, ACCESS, force=True).cluster.server == SERVER


def test_what_only_works_with_less_is_no_obstacle(office: Office) -> None:
    office.inspector.findings = (NO_PLUGIN,)
    assert office.clusters.add(ADMIN, LAB, ACCESS).findings == (NO_PLUGIN,)


def test_no_cluster_is_called_what_the_name_of_a_machine_ends_with(office: Office) -> None:
    office.nodes = [replace(node("box"), cluster="")]
    assert office.nodes[0].name == "box.lab"
    assert refusals(lambda: office.clusters.add(ADMIN, LAB, ACCESS, force=True)) == [("name", "ambiguous")]
    assert office.clusters.add(ADMIN, replace(LAB, name="annex"), ACCESS).cluster.name == "annex"


def test_no_force_adds_what_is_no_kubeconfig(office: Office) -> None:
    act = lambda: office.clusters.add(ADMIN, LAB, ClusterCredentials("broken"), force=True)  # noqa: E731
    assert refusals(act) == [("kubeconfig", "bad_kubeconfig")]


def test_a_name_is_given_once_and_the_first_keeps_its_secret(lab: Office) -> None:
    with pytest.raises(NameTaken, match="there is already a cluster 'lab'"):
        lab.clusters.add(ADMIN, LAB, ClusterCredentials("another"))
    assert lab.secrets.kept == {"lab": ACCESS}


def test_a_rule_that_is_refused_at_the_last_moment_leaves_no_secret(office: Office) -> None:
    def crowded(*_: Any, **__: Any) -> Any:
        raise NameTaken(same("somebody was faster"))

    office.registry._store.edit_rules = crowded  # type: ignore[method-assign]
    with pytest.raises(NameTaken, match="faster"):
        office.clusters.add(ADMIN, LAB, ACCESS)
    assert office.secrets.kept == {}


@pytest.mark.parametrize(
    ("changes", "place", "code"),
    [
        ({"name": "lab.east"}, "name", "bad_form"),
        ({"name": "Lab"}, "name", "bad_form"),
        ({"name": "l" * 41}, "name", "bad_form"),
        ({"name": "local"}, "name", "reserved"),
        ({"namespace": "Danlu Jobs"}, "namespace", "bad_form"),
        ({"image": ""}, "image", "bad_form"),
        ({"image": "two words"}, "image", "bad_form"),
        ({"helper": "two words"}, "helper", "bad_form"),
        ({"pull_policy": "always"}, "pull_policy", "not_one_of"),
        ({"pull_secrets": ("ok", "No")}, "pull_secrets.1", "bad_form"),
        ({"tolerations": ("a b",)}, "tolerations.0", "bad_form"),
        ({"rdma_resource": "rdma / hca"}, "rdma_resource", "bad_form"),
        ({"admission_time": 100}, "admission_time", "out_of_range"),
        ({"lost_time": 10**10}, "lost_time", "out_of_range"),
    ],
)
def test_what_cannot_be_is_told_at_its_field_before_anybody_looks(
    office: Office, changes: Any, place: str, code: str
) -> None:
    cluster = replace(LAB, **changes)
    assert refusals(lambda: office.clusters.add(ADMIN, cluster, ACCESS)) == [(place, code)]
    assert office.inspector.looked == []


@pytest.mark.parametrize("image", ["host:5000/team/image:tag", "pytorch/pytorch@sha256:" + "0" * 64])
def test_images_are_written_with_host_tag_or_digest(office: Office, image: str) -> None:
    assert office.clusters.add(ADMIN, replace(LAB, image=image), ACCESS).cluster.image == image


# ── kubeconfigs ──────────────────────────────────────────────────────────────────────────────────────

CONFIG = """
current-context: lab
contexts:
- {name: lab, context: {cluster: c, user: u}}
- {name: other, context: {cluster: c, user: clean}}
clusters:
- {name: c, cluster: {server: "https://k8s"}}
users:
- {name: u, user: %s}
- {name: clean, user: {token: t}}
"""


@pytest.mark.parametrize(
    "user", ["{tokenFile: /etc/shadow}", "{client-key: a.pem, client-certificate-data: eA==}"]
)
def test_files_of_the_senders_machine_are_not_looked_for_on_the_server(office: Office, user: str) -> None:
    access = ClusterCredentials(CONFIG % user)
    assert refusals(lambda: office.clusters.check(ADMIN, LAB, access)) == [("kubeconfig", "refers_to_file")]
    assert office.inspector.looked == []
    assert office.clusters.check(ADMIN, LAB, ClusterCredentials(CONFIG % user, "other")).ready


@pytest.mark.parametrize(
    ("user", "code"),
    [
        ("{token: t}}\n- {name: u, user: {exec: {command: sh}}", "runs_program"),
        ("{exec: {command: sh}}}\n- {name: u, user: {token: t}", "runs_program"),
        ("{token: t}}\n- {name: u, user: {tokenFile: /etc/shadow}", "refers_to_file"),
    ],
)
def test_nothing_gets_past_behind_another_of_the_same_name(office: Office, user: str, code: str) -> None:
    access = ClusterCredentials(CONFIG % user)
    assert refusals(lambda: office.clusters.add(ADMIN, LAB, access, force=True)) == [("kubeconfig", code)]


def test_a_name_is_the_same_however_it_is_written(office: Office) -> None:
    access = ClusterCredentials(
        (CONFIG % "{exec: {command: sh}}").replace("user: u}", "user: 7}").replace(": u,", ': "7",')
    )
    refused = refusals(lambda: office.clusters.add(ADMIN, LAB, access, force=True))
    assert refused == [("kubeconfig", "runs_program")]


def test_one_cluster_is_not_added_under_two_names_but_by_force(office: Office) -> None:
    access = ClusterCredentials(CONFIG % "{token: x}")
    office.clusters.add(ADMIN, LAB, access)
    with pytest.raises(Conflict, match="counted twice"):
        office.clusters.add(ADMIN, replace(LAB, name="again"), access)
    office.clusters.add(ADMIN, replace(LAB, name="apart", namespace="other"), access)
    office.clusters.add(ADMIN, replace(LAB, name="again"), access, force=True)


def test_a_program_that_signs_in_is_refused_where_nobody_allowed_it(office: Office) -> None:
    with pytest.raises(Invalid) as refused:
        office.clusters.add(ADMIN, LAB, ClusterCredentials(CONFIG % "{exec: {command: aws}}"), force=True)
    [mistake] = refused.value.errors
    assert (mistake.loc, mistake.code) == (("kubeconfig",), "runs_program")
    assert "aws" in mistake.message
    assert office.secrets.access(LAB.name) is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:8910", "http://localhost:1", "http://[::1]:2"])
def test_an_address_that_no_pod_can_reach_is_a_warning(url: str) -> None:
    office = Office(url=url)
    report = office.clusters.check(ADMIN, LAB, ClusterCredentials(CONFIG % "{token: x}"))
    assert (report.findings[0].code, report.findings[0].level) == ("loopback_url", Level.WARNING)
    assert url in report.findings[0].text.en


def test_a_program_that_may_sign_in_is_a_warning() -> None:
    office = Office(programs=True)
    report = office.clusters.check(
        ADMIN, LAB, ClusterCredentials(CONFIG % "{exec: {command: aws, args: [eks]}}")
    )
    assert [(finding.code, finding.level) for finding in report.findings] == [
        ("exec_plugin", Level.WARNING),
        ("reachable", Level.OK),
    ]
    assert "aws" in report.findings[0].text.zh


@pytest.mark.parametrize(
    "text", ["a: [", "- 1", "", "contexts: 5", "{contexts: [1, {name: x}], users: {}}", "[" * 1000]
)
def test_what_is_no_kubeconfig_is_left_to_those_who_know_better(office: Office, text: str) -> None:
    assert office.clusters.check(ADMIN, LAB, ClusterCredentials(text, "x")).ready


# ── looking again, changing, removing ────────────────────────────────────────────────────────────────


def test_a_known_cluster_is_looked_at_with_its_own_secret(lab: Office) -> None:
    lab.inspector.findings = (NO_NAMESPACE,)
    report = lab.clusters.check_known(ADMIN, "lab")
    assert (report.ready, report.server, report.findings) == (False, SERVER, (NO_NAMESPACE,))
    assert lab.inspector.looked[-1][1] == ACCESS


def test_one_whose_secret_is_gone_says_so(lab: Office) -> None:
    lab.secrets.kept.clear()
    assert [finding.code for finding in lab.clusters.check_known(ADMIN, "lab").findings] == ["no_credentials"]
    assert lab.clusters.one(ADMIN, "lab").state is ClusterState.NO_CREDENTIALS


def test_settings_change_without_a_look_and_the_secret_stays(lab: Office) -> None:
    edited = lab.clusters.edit(ADMIN, "lab", {"image": "pytorch:2", "dns": False}).cluster
    assert (edited.image, edited.dns, edited.server, edited.credentials_at) == (
        "pytorch:2",
        False,
        SERVER,
        START,
    )
    assert (len(lab.inspector.looked), lab.secrets.kept) == (1, {"lab": ACCESS})


def test_a_new_key_is_tried_before_it_replaces_the_old_one(lab: Office) -> None:
    lab.clock.advance(5)
    lab.inspector.findings = (NO_NAMESPACE,)
    with pytest.raises(ClusterNotReady):
        lab.clusters.edit(ADMIN, "lab", {}, ClusterCredentials("newer"))
    assert lab.secrets.kept == {"lab": ACCESS}

    edited = lab.clusters.edit(ADMIN, "lab", {}, ClusterCredentials(), force=True)
    assert (edited.in_cluster, edited.cluster.credentials_at) == (True, lab.clock.now())
    assert lab.secrets.kept == {"lab": ClusterCredentials()}


def test_another_namespace_is_looked_for_first(lab: Office) -> None:
    lab.inspector.findings = (NO_NAMESPACE,)
    with pytest.raises(ClusterNotReady):
        lab.clusters.edit(ADMIN, "lab", {"namespace": "elsewhere"})
    assert lab.registry.clusters()["lab"].namespace == "danlu-jobs"


def test_tasks_that_nobody_would_find_elsewhere_stand_against_another_namespace_or_address(
    lab: Office,
) -> None:
    lab.nodes, lab.jobs = [node("n1")], [job_on("n1.lab", "n1.lab")]
    with pytest.raises(
        Conflict,
        match=r"2 task\(s\) are running on cluster lab with namespace danlu-jobs; Danlu would lose track of them",
    ):
        lab.clusters.edit(ADMIN, "lab", {"namespace": "elsewhere"})
    lab.inspector.server = "https://another"
    with pytest.raises(Conflict, match=f"with server {SERVER}; "):
        lab.clusters.edit(ADMIN, "lab", {}, ClusterCredentials("another"))
    assert lab.registry.clusters()["lab"] == replace(LAB, server=SERVER, credentials_at=START)
    assert lab.secrets.kept == {"lab": ACCESS}

    lab.clusters.edit(ADMIN, "lab", {"namespace": "elsewhere"}, ClusterCredentials("another"), force=True)
    lab.inspector.server = "https://a-third"
    lab.jobs = []
    assert (
        lab.clusters.edit(ADMIN, "lab", {}, ClusterCredentials("third")).cluster.server == "https://a-third"
    )


def test_a_mistake_in_a_change_is_told(lab: Office) -> None:
    assert refusals(lambda: lab.clusters.edit(ADMIN, "lab", {"lost_time": 1})) == [
        ("lost_time", "out_of_range")
    ]


def test_removing_takes_the_secret_along(lab: Office) -> None:
    lab.clusters.remove(ADMIN, "lab")
    assert (lab.secrets.kept, lab.registry.clusters()) == ({}, {})
    with pytest.raises(NotFound, match="there is no cluster 'lab'"):
        lab.clusters.one(ADMIN, "lab")


def test_jobs_on_it_and_projects_tied_to_it_stand_against_removing(lab: Office) -> None:
    lab.registry.add(ADMIN, Project("nlp", node_selector={"cluster": "lab"}))
    lab.jobs = [job_on("n1.lab")]
    with pytest.raises(Conflict, match="used by job bert of lin; project nlp: change or end those first"):
        lab.clusters.remove(ADMIN, "lab")
    assert lab.secrets.kept == {"lab": ACCESS}

    lab.clusters.remove(ADMIN, "lab", force=True)
    assert lab.registry.clusters() == {}


def test_jobs_elsewhere_do_not(lab: Office) -> None:
    lab.jobs = [job_on("n1.prelab", "lab", "lab.other")]
    lab.clusters.remove(ADMIN, "lab")


# ── who, and what they see ───────────────────────────────────────────────────────────────────────────


def test_everybody_sees_clusters_and_administrators_change_them(lab: Office) -> None:
    assert [use.cluster.name for use in lab.clusters.all(ENGINEER)] == ["lab"]
    for act in (
        lambda: lab.clusters.check(ENGINEER, LAB, ACCESS),
        lambda: lab.clusters.check_known(ENGINEER, "lab"),
        lambda: lab.clusters.add(ENGINEER, LAB, ACCESS),
        lambda: lab.clusters.edit(ENGINEER, "lab", {}),
        lambda: lab.clusters.remove(ENGINEER, "lab"),
    ):
        with pytest.raises(NotAllowed, match="lin does not have the permission cluster:write"):
            act()


def test_what_its_nodes_have_is_counted_by_model_ours_and_others_apart(lab: Office) -> None:
    lab.nodes = [
        node("n1", foreign=Foreign(gpus=3)),
        node("n2", state=NodeState.CORDONED),
        node("n3", cards=0),
        replace(node("n4"), name="n4.east", cluster="east"),
        replace(node("n5"), name="here", cluster=""),
    ]
    lab.jobs = [job_on("n1.lab", "n2.lab", "n4.east")]
    use = lab.clusters.one(ENGINEER, "lab")

    assert (use.state, use.ready, use.nodes, use.tasks) == (ClusterState.READY, 2, 3, 2)
    assert use.gpus == (ModelUse("A100", 16, 2000, 3),)


def test_one_without_nodes_is_empty_and_one_whose_nodes_are_all_silent_is_unreachable(lab: Office) -> None:
    assert lab.clusters.one(ENGINEER, "lab").state is ClusterState.EMPTY
    silent = node("n1", state=NodeState.UNREACHABLE, why="the API server does not answer")
    lab.nodes = [silent]
    use = lab.clusters.one(ENGINEER, "lab")
    assert (use.state, use.why) == (ClusterState.UNREACHABLE, "the API server does not answer")
    lab.nodes = [silent, node("n2")]
    assert lab.clusters.one(ENGINEER, "lab").state is ClusterState.READY
