"""The pods, services and tombstones that Danlu makes."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from danlu.domain.job import Code
from danlu.domain.quantity import GIB
from danlu.domain.reasons import DatasetNotCopied
from danlu.engines.kubernetes.objects.filling import too_large
from danlu.engines.kubernetes.objects.names import label_value, pod_name, service_name
from danlu.engines.kubernetes.objects.pods import pod_of, service_of, tombstone_of
from danlu.engines.kubernetes.objects.rendezvous import addresses_patch, needs_addresses, needs_service
from danlu.engines.kubernetes.objects.wrapper import SCRIPT
from danlu.ports.engine import AttemptOrder, MountOrder, at
from tests.fakes.pods import CLUSTER, Json, attempt_order, task_order

BY_ADDRESS = replace(CLUSTER, dns=False)
GANG = attempt_order(task_order("worker-0"), task_order("worker-1"))
ARCHIVE = Code(archive="ab" * 32)


def pod(order: AttemptOrder, cluster=CLUSTER, index: int = 0, **keys) -> Json:
    return pod_of(cluster, order, order.tasks[index], node="a1", **keys)


def container(order: AttemptOrder, cluster=CLUSTER, index: int = 0, **keys) -> Json:
    [only] = pod(order, cluster, index, **keys)["spec"]["containers"]
    return dict(only)


def env(order: AttemptOrder, cluster=CLUSTER, index: int = 0) -> dict[str, str]:
    return {one["name"]: one["value"] for one in container(order, cluster, index)["env"]}


def test_a_pod_goes_to_the_planned_node_and_nowhere_else():
    affinity = pod(attempt_order())["spec"]["affinity"]["nodeAffinity"]
    [term] = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term == {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a1"]}]}
    assert "nodeName" not in pod(attempt_order())["spec"]


def test_a_pod_is_recognised_by_its_labels():
    metadata = pod(attempt_order(owner="lin@example.com"))["metadata"]
    assert (metadata["name"], metadata["namespace"]) == ("0rk5v3c9t2m4x-1-worker-0", "danlu-jobs")
    assert metadata["labels"] == {
        "app.kubernetes.io/managed-by": "danlu",
        "danlu.io/attempt": "0rk5v3c9t2m4x-1",
        "danlu.io/job": "0rk5v3c9t2m4x",
        "danlu.io/task": "worker-0",
        "danlu.io/owner": "lin_example.com",
    }
    assert metadata["annotations"]["danlu.io/owner"] == "lin@example.com"


def test_a_task_gets_what_it_asked_for_and_no_more():
    order = attempt_order(task_order(gpu_milli=2000, rdma=True, memory=3 * GIB))
    asked = {"cpu": "500m", "memory": str(3 * GIB), "nvidia.com/gpu": "2", "rdma/hca": "1"}
    assert container(order)["resources"] == {"requests": asked, "limits": asked}
    assert container(order, gpu_resource="amd.com/gpu")["resources"]["limits"]["amd.com/gpu"] == "2"


def test_a_task_without_cards_is_shown_none_whatever_its_image_says():
    told = env(attempt_order(task_order(env={"NVIDIA_VISIBLE_DEVICES": "all"})))
    assert told["NVIDIA_VISIBLE_DEVICES"] == "void"
    assert (told["DANLU_GPUS"], told["CUDA_VISIBLE_DEVICES"]) == ("", "")


def test_cards_are_counted_from_zero_inside_a_container():
    told = env(attempt_order(task_order(gpu_milli=2000, gpus=(4, 6), env={"DANLU_GPUS": "4,6"})))
    assert (told["DANLU_GPUS"], told["CUDA_VISIBLE_DEVICES"]) == ("0,1", "0,1")
    assert "NVIDIA_VISIBLE_DEVICES" not in told


def test_nobody_asks_for_more_cards_than_they_have():
    told = env(attempt_order(task_order(gpu_milli=1000, env={"NVIDIA_VISIBLE_DEVICES": "all"})))
    assert "NVIDIA_VISIBLE_DEVICES" not in told


def test_shared_memory_is_as_large_as_asked():
    spec = pod(attempt_order(task_order(shm=GIB)))["spec"]
    assert {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": str(GIB)}} in spec["volumes"]
    assert {"name": "shm", "mountPath": "/dev/shm"} in spec["containers"][0]["volumeMounts"]


@pytest.mark.parametrize(
    ("image", "runs"), [("host", "python:3.12-slim"), ("", "python:3.12-slim"), ("10.0.0.5:5000/t@sha256:1", "10.0.0.5:5000/t@sha256:1")]
)  # fmt: skip
def test_an_image_is_taken_as_named_or_from_the_cluster(image, runs):
    assert container(attempt_order(image=image))["image"] == runs


def test_images_are_pulled_as_the_cluster_says():
    cluster = replace(CLUSTER, pull_policy="Always", pull_secrets=("registry", "mirror"))
    spec = pod(attempt_order(code=ARCHIVE), cluster)["spec"]
    assert spec["imagePullSecrets"] == [{"name": "registry"}, {"name": "mirror"}]
    both = (*spec["containers"], *spec["initContainers"])
    assert [one["imagePullPolicy"] for one in both] == ["Always", "Always"]


def test_a_pod_has_no_privileges_and_no_account():
    spec = pod(attempt_order(code=ARCHIVE))["spec"]
    assert spec["automountServiceAccountToken"] is spec["enableServiceLinks"] is False
    assert spec["securityContext"] == {"seccompProfile": {"type": "RuntimeDefault"}}
    for one in (*spec["containers"], *spec["initContainers"]):
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        }


def test_only_the_clusters_taints_and_lost_nodes_are_tolerated():
    cluster = replace(CLUSTER, tolerations=("team",))
    assert pod(attempt_order(), cluster)["spec"]["tolerations"] == [
        {"key": "team", "operator": "Exists"},
        {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"},
        {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute"},
    ]


def test_a_task_is_never_restarted_and_has_its_grace():
    spec = pod(attempt_order(grace=1500))["spec"]
    assert (spec["restartPolicy"], spec["terminationGracePeriodSeconds"]) == ("Never", 2)
    assert pod(attempt_order(grace=0))["spec"]["terminationGracePeriodSeconds"] == 1


def test_claims_are_mounted_by_name():
    mounts = (
        MountOrder("/data", True, claim="data"),
        MountOrder("/out", False, claim="out"),
        MountOrder("/again", True, claim="out"),
    )
    spec = pod(attempt_order(mounts=mounts))["spec"]
    claims = [one["persistentVolumeClaim"] for one in spec["volumes"] if "persistentVolumeClaim" in one]
    assert claims == [{"claimName": "data", "readOnly": True}, {"claimName": "out", "readOnly": False}]
    assert spec["containers"][0]["volumeMounts"][1:] == [
        {"name": "mount-0", "mountPath": "/data", "readOnly": True},
        {"name": "mount-1", "mountPath": "/out", "readOnly": False},
        {"name": "mount-1", "mountPath": "/again", "readOnly": True},
    ]


def test_a_folder_of_the_tasks_own_goes_with_its_pod():
    mounts = (MountOrder("/a", False, local=2**30), MountOrder("/b", False, local=0))
    spec = pod(attempt_order(mounts=mounts))["spec"]
    assert {"name": "local-0", "emptyDir": {"sizeLimit": str(2**30)}} in spec["volumes"]
    assert {"name": "local-1", "emptyDir": {}} in spec["volumes"]
    assert {"name": "local-1", "mountPath": "/b", "readOnly": False} in spec["containers"][0]["volumeMounts"]


# ── the command ──────────────────────────────────────────────────────────────────────────────────────


def test_a_command_goes_through_a_shell_and_a_list_does_not():
    text = container(attempt_order(task_order(command="a | b")))["command"]
    assert text[3:] == ["danlu", "go", "/bin/sh", "-c", "a | b"]
    words = container(attempt_order(task_order(command=("run", "a b", ""))))["command"]
    assert words[3:] == ["danlu", "go", "run", "a b", ""]


def test_what_kubernetes_would_expand_is_kept_from_it():
    order = attempt_order(task_order(command="echo $(date) $$ $HOME", env={"PRICE": "5$(X)"}))
    assert container(order)["command"][-1] == "echo $$(date) $$$$ $$HOME"
    assert {"name": "PRICE", "value": "5$$(X)"} in container(order)["env"]
    assert _as_kubelets_read(container(order)["command"][2]) == SCRIPT


def _as_kubelets_read(text: str) -> str:
    return re.sub(r"\$\$", "$", text)


# ── code ─────────────────────────────────────────────────────────────────────────────────────────────


def test_code_is_fetched_before_the_task_begins():
    asking = task_order(
        env={"DANLU_URL": "https://d", "DANLU_TASK_TOKEN": "t", "SECRET": "s"}, gpu_milli=1000
    )
    spec = pod(attempt_order(asking, code=ARCHIVE))["spec"]
    [fetch] = spec["initContainers"]
    told = {one["name"]: one["value"] for one in fetch["env"]}
    assert json.loads(told.pop("DANLU_CODE")) == {"archive": ARCHIVE.archive}
    assert told == {"DANLU_URL": "https://d", "DANLU_TASK_TOKEN": "t", "DANLU_CODE_DIR": "/danlu/code"}
    assert (fetch["image"], fetch["command"]) == ("danlu:1", ["python3", "-m", "danlu.runtime.fetch"])
    assert fetch["resources"]["limits"] == {"cpu": "500m", "memory": str(GIB)}
    code = {"name": "code", "mountPath": "/danlu/code"}
    assert code in fetch["volumeMounts"]
    assert code in spec["containers"][0]["volumeMounts"]


@pytest.mark.parametrize(
    ("subdir", "place"),
    [(None, "/danlu/code"), (".", "/danlu/code"), ("src/app", "/danlu/code/src/app"), ("../../etc", "/danlu/code/etc")],
)  # fmt: skip
def test_a_task_begins_in_its_code_and_never_outside(subdir, place):
    code = Code(git="https://example.com/x.git", ref="main", subdir=subdir)
    assert container(attempt_order(code=code))["workingDir"] == place


def test_a_task_without_code_begins_where_its_image_says():
    spec = pod(attempt_order())["spec"]
    assert "initContainers" not in spec
    assert "workingDir" not in spec["containers"][0]


# ── finding each other ───────────────────────────────────────────────────────────────────────────────


def test_a_task_alone_is_its_own_master():
    alone = attempt_order()
    assert pod(alone)["metadata"]["annotations"]["danlu.io/hosts"] == "127.0.0.1 worker-0\n"
    assert env(alone)["DANLU_MASTER_ADDR"] == env(alone, BY_ADDRESS)["DANLU_MASTER_ADDR"] == "127.0.0.1"
    assert not needs_service(CLUSTER, alone)
    assert not needs_addresses(BY_ADDRESS, alone)


def test_with_dns_tasks_know_each_others_names_from_the_start():
    service = "danlu-0rk5v3c9t2m4x-1"
    domain = f"{service}.danlu-jobs.svc"
    second = pod(GANG, index=1)
    assert second["metadata"]["annotations"]["danlu.io/hosts"] == (
        f"worker-0.{domain} worker-0\nworker-1.{domain} worker-1\n"
    )
    assert env(GANG, index=1)["DANLU_MASTER_ADDR"] == f"worker-0.{domain}"
    assert (second["spec"]["hostname"], second["spec"]["subdomain"]) == ("worker-1", service)
    assert container(GANG)["command"][4] == "go"
    assert needs_service(CLUSTER, GANG)


def test_without_dns_tasks_wait_to_be_told_addresses():
    first = pod(GANG, BY_ADDRESS)
    assert "danlu.io/hosts" not in first["metadata"]["annotations"]
    assert "DANLU_MASTER_ADDR" not in env(GANG, BY_ADDRESS)
    assert (first["spec"]["dnsPolicy"], "subdomain" in first["spec"]) == ("Default", False)
    assert container(GANG, BY_ADDRESS)["command"][4] == "wait"
    assert needs_addresses(BY_ADDRESS, GANG)
    assert not needs_service(BY_ADDRESS, GANG)


def test_addresses_are_told_rank_by_rank():
    told = addresses_patch(GANG, {"worker-1": "10.2.0.9", "worker-0": "10.2.0.8"})
    assert told["metadata"]["annotations"] == {"danlu.io/hosts": "10.2.0.8 worker-0\n10.2.0.9 worker-1\n"}


def test_a_second_try_is_another_pod_of_the_same_host():
    again = attempt_order(task_order("worker-0"), task_order("worker-1-r1", host="worker-1"))
    second = pod(again, index=1)
    assert second["metadata"]["name"].endswith("-worker-1-r1")
    assert second["metadata"]["labels"]["danlu.io/task"] == "worker-1-r1"
    assert second["spec"]["hostname"] == pod(GANG, index=1)["spec"]["hostname"] == "worker-1"
    hosts = [pod(order)["metadata"]["annotations"]["danlu.io/hosts"] for order in (GANG, again)]
    assert hosts[0] == hosts[1]


def test_addresses_are_put_where_variables_and_commands_have_places_for_them():
    def told(cluster, *, alone: bool = False, command: str | tuple[str, ...] = f"run {at('worker-0')}:1"):
        tasks = [task_order(f"worker-{n}", env={"PEER": at("worker-0")}, command=command) for n in range(2)]
        order = attempt_order(*tasks[:1] if alone else tasks)
        return env(order, cluster)["PEER"], container(order, cluster)["command"][-1]

    name = "worker-0.danlu-0rk5v3c9t2m4x-1.danlu-jobs.svc"
    assert told(CLUSTER) == (name, f"run {name}:1")
    assert told(CLUSTER, command=("run", at("worker-0"))) == (name, name)
    assert told(BY_ADDRESS) == ("worker-0", "run worker-0:1")
    assert told(CLUSTER, alone=True) == told(BY_ADDRESS, alone=True) == ("127.0.0.1", "run 127.0.0.1:1")


def test_a_role_may_have_an_image_of_its_own():
    order = attempt_order(task_order(image="team/eval:1"), task_order("worker-1"), image="team/train:2")
    assert [container(order, index=n)["image"] for n in range(2)] == ["team/eval:1", "team/train:2"]


def test_the_hosts_file_is_kept_by_the_kubelet():
    spec = pod(GANG)["spec"]
    [item] = spec["volumes"][0]["downwardAPI"]["items"]
    assert item["fieldRef"] == {"fieldPath": "metadata.annotations['danlu.io/hosts']"}
    mount = spec["containers"][0]["volumeMounts"][0]
    assert f"{mount['mountPath']}/{item['path']}" == env(GANG)["DANLU_HOSTS"] == "/run/danlu/hosts"


def test_a_service_names_tasks_before_they_are_ready():
    service = service_of(CLUSTER, GANG)
    assert service["metadata"]["name"] == service_name(GANG.attempt_id)
    assert service["spec"] == {
        "clusterIP": "None",
        "publishNotReadyAddresses": True,
        "selector": {"app.kubernetes.io/managed-by": "danlu", "danlu.io/attempt": GANG.attempt_id},
    }


# ── names and tombstones ─────────────────────────────────────────────────────────────────────────────


def test_a_tombstone_has_the_name_of_the_task_and_nobody_who_would_place_it():
    stone = tombstone_of(CLUSTER, GANG, GANG.tasks[1])
    assert stone["metadata"]["name"] == pod(GANG, index=1)["metadata"]["name"]
    assert stone["metadata"]["labels"]["danlu.io/tombstone"] == "true"
    assert stone["metadata"]["labels"]["danlu.io/task"] == "worker-1"
    assert stone["spec"]["schedulerName"] == "danlu-never"


def test_a_name_too_long_keeps_apart_what_differs():
    long = [pod_name("0rk5v3c9t2m4x-1", f"{'w' * 56}-{index}") for index in (1, 2)]
    assert len(set(long)) == 2
    assert all(re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", name) for name in long)
    assert pod_name("0RK5-1", "worker-0") == "0rk5-1-worker-0"


@pytest.mark.parametrize(
    ("text", "label"), [("lin", "lin"), ("lin@x.org", "lin_x.org"), ("_lin_", "lin"), ("林", ""), ("a" * 70, "a" * 63)]
)  # fmt: skip
def test_a_label_holds_what_labels_can(text, label):
    assert label_value(text) == label


def test_the_same_order_gives_the_same_pod():
    assert pod(GANG) == pod(replace(GANG, tasks=tuple(GANG.tasks)))


# ── datasets and buckets ─────────────────────────────────────────────────────────────────────────────

VERSION = MountOrder("/data", True, title="lin:cifar@v3", tree="ab" * 32, number=1, size=10 * GIB, files=1000)
BUCKET = MountOrder(
    "/pool", True, volume="v1", title="lin:pool", bucket=True, below="x/", number=2, size=5 * GIB
)


def test_versions_and_buckets_are_fetched_before_the_task_begins_which_only_reads_them():
    asking = task_order(env={"DANLU_URL": "https://d", "DANLU_TASK_TOKEN": "t", "SECRET": "s"})
    spec = pod(attempt_order(asking, code=ARCHIVE, mounts=(VERSION, BUCKET)))["spec"]
    fetch, fill = spec["initContainers"]
    assert (fetch["name"], fill["name"], fill["image"]) == ("fetch", "mounts", "danlu:1")
    told = {one["name"]: one["value"] for one in fill["env"]}
    wishes = json.loads(told.pop("DANLU_MOUNTS"))
    assert told == {"DANLU_URL": "https://d", "DANLU_TASK_TOKEN": "t", "DANLU_PATIENCE": "120.0"}
    assert wishes == [
        {"number": 1, "into": "/danlu/mounts/1", "kind": "dataset", "title": "lin:cifar@v3", "bound": 0},
        {"number": 2, "into": "/danlu/mounts/2", "kind": "bucket", "title": "lin:pool", "bound": 5 * GIB},
    ]
    assert [one["mountPath"] for one in fill["volumeMounts"]] == ["/danlu/mounts/1", "/danlu/mounts/2"]
    [task] = spec["containers"]
    for number, path in ((1, "/data"), (2, "/pool")):
        assert {"name": f"filled-{number}", "mountPath": path, "readOnly": True} in task["volumeMounts"]
    assert "x/" not in json.dumps(spec), "which part of a bucket it is the server decides"


def test_danlu_dataset_finds_what_a_pod_mounts():
    assert json.loads(env(attempt_order(mounts=(VERSION, BUCKET)))["DANLU_DATASETS"]) == {
        "lin:cifar@v3": "/data"
    }
    assert "DANLU_DATASETS" not in env(attempt_order(mounts=(BUCKET,)))


def test_what_is_fetched_may_take_what_it_needs_and_no_path_of_the_node():
    order = attempt_order(mounts=(VERSION, BUCKET))
    volumes = {one["name"]: one for one in pod(order)["spec"]["volumes"]}
    limits = {name: int(volumes[name]["emptyDir"]["sizeLimit"]) for name in ("filled-1", "filled-2")}
    assert 10 * GIB < limits["filled-1"] < 10.1 * GIB
    assert 5 * GIB < limits["filled-2"] < 5.1 * GIB
    assert "hostPath" not in json.dumps(pod(order))


def test_the_clusters_scheduler_is_told_of_the_disk_where_nodes_count_it():
    order = attempt_order(mounts=(VERSION, BUCKET))
    [fill] = pod(order, counts_disk=True)["spec"]["initContainers"]
    assert fill["resources"]["requests"]["ephemeral-storage"] == str(10 * GIB + 1000 * 4096)
    assert "ephemeral-storage" not in fill["resources"]["limits"]
    [fill] = pod(order)["spec"]["initContainers"]
    assert "ephemeral-storage" not in fill["resources"]["requests"]


def test_a_version_that_no_empty_node_could_hold_is_refused():
    order = attempt_order(mounts=(VERSION, BUCKET))
    refused = too_large(order, order.tasks[0], 10 * GIB)
    assert refused == DatasetNotCopied(
        "worker-0", "lin:cifar@v3", "too_large", 10 * GIB + 1000 * 4096, 10 * GIB, node="a1.east"
    )
    assert too_large(order, order.tasks[0], 11 * GIB) is None
    assert too_large(order, order.tasks[0], None) is None


def test_a_volume_without_a_claim_is_not_left_out():
    volumes = pod(attempt_order(mounts=(MountOrder("/x", True, volume="v1"),)))["spec"]["volumes"]
    assert {"claimName": "", "readOnly": True} in [one.get("persistentVolumeClaim") for one in volumes]
