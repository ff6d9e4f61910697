"""What the commands about clusters read, ask of the server and print."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

LAB: dict[str, Any] = {
    "name": "lab", "state": "ready", "why": "", "server": "https://k8s.lab:6443", "namespace": "danlu-jobs", "image": "python:3.12-slim",
    "helper": "", "dns": False, "pull_policy": "IfNotPresent", "pull_secrets": [], "tolerations": ["nvidia.com/gpu"],
    "rdma_resource": "rdma/hca", "admission_time": "1m", "lost_time": "1m", "description": "Third floor", "in_cluster": False,
    "credentials_at": "2026-01-01T00:00:00.000Z", "nodes": {"ready": 2, "total": 3},
    "gpus": [{"model": "A100", "total": 16, "used": 2, "others": 3}, {"model": "T4", "total": 4, "used": 0.5, "others": 0}],
    "tasks": 2, "findings": [],
}  # fmt: skip
OK = {
    "code": "reachable",
    "level": "ok",
    "text": {"en": "Kubernetes 1.31 answers", "zh": "有应答"},
    "fix": None,
}
WARNING = {"code": "plugin", "level": "warning", "text": {"en": "No device plugin", "zh": "没有插件"}, "fix": {"en": "Install it", "zh": "请安装"}}  # fmt: skip
MISSING = {"code": "namespace", "level": "missing", "text": {"en": "No namespace", "zh": "没有命名空间"}, "fix": {"en": "kubectl create\nnamespace x", "zh": "请创建"}}  # fmt: skip
NOT_READY = {
    "type": "cluster_not_ready",
    "status": 409,
    "detail": "not ready",
    "errors": [],
    "findings": [MISSING, OK],
}
CONFIG = {
    "current-context": "lab",
    "contexts": [
        {"name": "lab", "context": {"cluster": "c1", "user": "u1", "namespace": "x"}},
        {"name": "cloud", "context": {"cluster": "c2", "user": "u2"}},
        {"name": "bent", "context": {"cluster": "c1", "user": "nobody"}},
    ],
    "clusters": [
        {"name": "c1", "cluster": {"server": "https://c1", "certificate-authority": "ca.pem"}},
        {"name": "c2", "cluster": {"server": "https://c2", "certificate-authority-data": "eA=="}},
    ],
    "users": [
        {"name": "u1", "user": {"client-certificate": "me.pem", "client-key": "deep/me.key", "tokenFile": "token"}},
        {"name": "u2", "user": {"exec": {"command": "aws", "args": ["eks"]}}},
    ],
}  # fmt: skip


@pytest.fixture
def kubeconfig(tmp_path: Path) -> str:
    folder = tmp_path / "kube"
    (folder / "deep").mkdir(parents=True)
    for name in ("ca.pem", "me.pem", "deep/me.key", "token"):
        (folder / name).write_text(f"the {name}\n")
    (folder / "config").write_text(yaml.safe_dump(CONFIG))
    return str(folder / "config")


def sent(server: FakeServer) -> dict[str, Any]:
    body: dict[str, Any] = server.requests[-1].json()
    return body


def test_clusters_are_listed_with_what_they_have(danlu: Danlu, server: FakeServer) -> None:
    poor = {
        **LAB,
        "name": "poor",
        "state": "no_credentials",
        "gpus": [],
        "nodes": {"ready": 0, "total": 0},
        "description": "",
    }
    server.on("GET", "clusters", {"items": [LAB, poor], "next_cursor": None})
    lines = danlu("cluster", "ls").out.splitlines()
    shown = "lab ready 2 of 3 2 of 16 A100 (3 by others), 0.5 of 4 T4 danlu-jobs Third floor"
    assert " ".join(lines[1].split()) == shown
    assert "no credentials" in lines[2]
    assert json.loads(danlu("cluster", "ls", "--json").out)["items"][0] == LAB


def test_without_clusters_it_says_how_to_add_one(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "clusters", {"items": [], "next_cursor": None})
    result = danlu("cluster", "ls")
    assert (result.code, result.out) == (0, "")
    assert "danlu cluster create NAME --kubeconfig" in result.err


def test_one_is_shown_with_its_settings(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "clusters/lab", LAB)
    said = danlu("cluster", "show", "lab").out
    for words in (
        "https://k8s.lab:6443",
        "by kubeconfig",
        "no: tasks get each other's addresses",
        "within 1m",
    ):
        assert words in said
    assert json.loads(danlu("cluster", "show", "lab", "--json").out) == LAB


def test_what_is_added_has_only_its_context_with_all_files_in_it(
    danlu: Danlu, server: FakeServer, kubeconfig: str
) -> None:
    server.on("POST", "clusters", Reply(201, {**LAB, "findings": [WARNING, OK]}))
    result = danlu(
        "cluster",
        "create",
        "lab",
        "--kubeconfig",
        kubeconfig,
        "--no-dns",
        "--image",
        "pytorch:2",
        "--tolerations=",
    )
    assert result.code == 0, result.err
    body = sent(server)
    config = yaml.safe_load(body.pop("kubeconfig"))
    assert body == {
        "name": "lab",
        "force": False,
        "context": "lab",
        "dns": False,
        "image": "pytorch:2",
        "tolerations": [],
    }
    (user,), (cluster,), (context,) = config["users"], config["clusters"], config["contexts"]
    data = lambda name: base64.b64encode(f"the {name}\n".encode()).decode()  # noqa: E731
    assert user["user"] == {
        "client-certificate-data": data("me.pem"),
        "client-key-data": data("deep/me.key"),
        "token": "the token",
    }
    assert cluster["cluster"] == {"server": "https://c1", "certificate-authority-data": data("ca.pem")}
    assert (context["name"], config["current-context"]) == ("lab", "lab")
    assert result.out.splitlines() == ["! No device plugin", "    Install it", "✓ Kubernetes 1.31 answers"]
    assert "Added cluster lab." in result.err


def test_a_program_that_signs_in_is_kept_and_told(danlu: Danlu, server: FakeServer, kubeconfig: str) -> None:
    server.on("POST", "clusters", Reply(201, LAB))
    result = danlu("cluster", "create", "lab", "--kubeconfig", kubeconfig, "--context", "cloud")
    assert "running aws, which must be installed where Danlu's server runs" in result.err
    assert yaml.safe_load(sent(server)["kubeconfig"])["users"][0]["user"] == {
        "exec": {"command": "aws", "args": ["eks"]}
    }


def test_a_cluster_that_lacks_something_is_told_and_not_added(
    danlu: Danlu, server: FakeServer, kubeconfig: str
) -> None:
    server.on("POST", "clusters", Reply(409, NOT_READY, {"Content-Type": "application/problem+json"}))
    result = danlu("cluster", "create", "lab", "--kubeconfig", kubeconfig)
    assert result.code == 1
    assert result.out.splitlines() == [
        "✗ No namespace",
        "    kubectl create",
        "    namespace x",
        "✓ Kubernetes 1.31 answers",
    ]
    assert "or use --force" in result.err
    as_json = danlu("cluster", "create", "lab", "--kubeconfig", kubeconfig, "--json")
    assert (as_json.code, json.loads(as_json.out)) == (1, {"ready": False, "findings": [MISSING, OK]})


def test_force_and_in_cluster_are_said(danlu: Danlu, server: FakeServer) -> None:
    server.on("POST", "clusters", Reply(201, LAB))
    assert danlu("cluster", "create", "lab", "--in-cluster", "--force").code == 0
    assert sent(server) == {"name": "lab", "force": True, "in_cluster": True}


def test_a_cluster_is_checked_before_adding_or_by_name(
    danlu: Danlu, server: FakeServer, kubeconfig: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.on("POST", "clusters/check", {"ready": False, "server": "https://c1", "findings": [MISSING]})
    server.on("POST", "clusters/lab/check", {"ready": True, "server": "https://c1", "findings": [OK]})
    before = danlu("cluster", "check", "--kubeconfig", kubeconfig, "--namespace", "x")
    assert (before.code, "The cluster at https://c1 is not ready" in before.err) == (1, True)
    assert sent(server)["namespace"] == "x"
    after = danlu("cluster", "check", "lab")
    assert (after.code, after.out) == (0, "✓ Kubernetes 1.31 answers\n")
    assert danlu("cluster", "check", "--in-cluster", "--json").code == 1
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert danlu("cluster", "check", "--in-cluster").out == "✗ 没有命名空间\n    请创建\n"


def test_settings_and_keys_are_changed(danlu: Danlu, server: FakeServer, kubeconfig: str) -> None:
    server.on("PATCH", "clusters/lab", LAB)
    danlu("cluster", "edit", "lab", "--lost-time", "2m", "--dns", "--pull-secrets", "a,b")
    assert sent(server) == {"lost_time": "2m", "dns": True, "pull_secrets": ["a", "b"], "force": False}
    danlu("cluster", "edit", "lab", "--kubeconfig", kubeconfig, "--context", "cloud", "--force")
    assert (sent(server)["context"], sent(server)["force"]) == ("cloud", True)


def test_a_cluster_is_removed_by_force_only_if_said(danlu: Danlu, server: FakeServer) -> None:
    used = problem(409, "conflict", "cluster lab is used by job bert of lin: change or end those first")
    server.on("DELETE", "clusters/lab", used, Reply(204))
    refused = danlu("cluster", "rm", "lab", "-y")
    assert (refused.code, "used by job bert" in refused.err) == (1, True)
    assert danlu("cluster", "rm", "lab", "-y", "--force").code == 0
    assert [one.one("force") for one in server.requests] == [None, "true"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("add lab", "give credentials: --kubeconfig FILE"),
        ("add lab --in-cluster --kubeconfig FILE", "give --kubeconfig or --in-cluster, not both"),
        ("add lab --context lab", "--context needs --kubeconfig FILE"),
        ("add lab --kubeconfig nowhere", "nowhere cannot be read: No such file"),
        ("add lab --kubeconfig FILE --context clod", "has no context 'clod'. Choose from: lab, cloud, bent"),
        ("add lab --kubeconfig FILE --context bent", "has no user 'nobody'"),
        ("check lab --in-cluster", "not both"),
        ("set lab", "nothing to change"),
        ("add lab --in-cluster --pull-policy always", "did you mean 'Always'?"),
    ],
)
def test_wrong_use_is_told_without_asking_the_server(
    danlu: Danlu, server: FakeServer, kubeconfig: str, line: str, words: str
) -> None:
    result = danlu("cluster", *line.replace("FILE", kubeconfig).split())
    assert (result.code, server.requests) == (2, [])
    assert words in result.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [", "is not YAML"),
        ("just words", "is not a kubeconfig"),
        ("contexts: [{name: a, context: {}}, {name: b, context: {}}]", "has no current context. Choose from: a, b"),
        (yaml.safe_dump({**CONFIG, "current-context": "lab"}), "ca.pem cannot be read: No such file"),
    ],
)  # fmt: skip
def test_a_kubeconfig_that_cannot_be_used_is_told(
    danlu: Danlu, server: FakeServer, text: str, words: str
) -> None:
    result = danlu("cluster", "create", "lab", "--kubeconfig", "-", stdin=text)
    assert (result.code, server.requests) == (2, [])
    assert words in result.err
