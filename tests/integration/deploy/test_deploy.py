"""The chart and the manifests: they render, they are valid, and they ask for no more than they need."""

from __future__ import annotations

import subprocess
from typing import Any

import kubernetes_validate
import pytest
import yaml

from danlu.engines.kubernetes.objects import rbac
from danlu.files.settings import Settings
from tools.dev.manifests import CHART, FOLDER, MANIFESTS, template
from tools.dev.places import ROOT, VENV

VARIANTS = {
    "as it is": (),
    "own database": ("--set", "database.secret=mine"),
    "one machine": (
        *("--set", "server.replicas=1,controller.replicas=1,data.accessMode=ReadWriteOnce"),
        *("--set", "data.storageClass=local-path,postgres.storageClass=local-path"),
    ),
    "ingress": (
        *("--set", "ingress.enabled=true,ingress.tlsSecret=tls,ingress.className=nginx"),
        *("--set", "publicUrl=https://danlu.example.org"),
    ),
    "placed": (
        *("--set", "nodeSelector.role=infra,image.pullSecrets={a,b},image.tag=v9"),
        *("--set-json", 'tolerations=[{"key":"infra","operator":"Exists"}]'),
    ),
    "bare": ("--set", "networkPolicy.enabled=false,jobs.createNamespace=false,data.claim=mine"),
    "settings": ("--set-json", 'settings={"DANLU_SCORE_TIME":"12h","DANLU_SIGN_IN_ATTEMPTS":5}'),
}
VERSIONS = ("1.25", "1.37")
"""The oldest and the newest whose schemas can be had offline; 1.20 itself is asked by the tests on a cluster."""


def objects(*options: str) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(template(*options)) if one]


def of_kind(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [one for one in found if one["kind"] == kind]


def test_helm_finds_nothing_to_complain_about():
    done = subprocess.run([VENV / "bin" / "helm", "lint", "--strict", CHART], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_valid_to_the_letter(variant, version):
    found = objects(*VARIANTS[variant])
    assert {"Deployment", "Service", "Role", "ClusterRole"} <= {one["kind"] for one in found}
    for one in found:
        kubernetes_validate.validate(one, version, strict=True)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", MANIFESTS)
def test_plain_manifests_are_valid_to_the_letter(name, version):
    for one in yaml.safe_load_all((FOLDER / name).read_text()):
        kubernetes_validate.validate(one, version, strict=True)


@pytest.mark.parametrize("name", MANIFESTS)
def test_plain_manifests_say_what_the_chart_and_the_engine_say(name):
    assert (FOLDER / name).read_text() == MANIFESTS[name](), "run ./dev docs"


def test_the_chart_grants_what_the_engine_needs_and_nothing_else():
    found = objects()
    assert of_kind(found, "ClusterRole")[0]["rules"] == rbac.cluster_role("danlu", "danlu-jobs")["rules"]
    assert of_kind(found, "Role")[0]["rules"] == rbac.role("danlu", "danlu-jobs")["rules"]
    assert len(of_kind(found, "ClusterRole")) == len(of_kind(found, "Role")) == 1


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet"])
def test_danlu_runs_under_the_restricted_standard(kind):
    for one in of_kind(objects(), kind):
        pod = one["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
        assert all("hostPath" not in volume for volume in pod.get("volumes", []))
        for container in pod["containers"]:
            security = container["securityContext"]
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert "limits" in container["resources"]


def test_both_halves_are_probed_and_told_the_same():
    halves = of_kind(objects(), "Deployment")
    assert [one["metadata"]["name"] for one in halves] == ["danlu-controller", "danlu-server"]
    told = []
    for one in halves:
        container = one["spec"]["template"]["spec"]["containers"][0]
        assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
        assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
        told.append({item["name"] for item in container["env"]})
    assert told[0] == told[1]


def test_every_variable_is_a_setting_that_exists():
    [container] = of_kind(objects(), "Deployment")[0]["spec"]["template"]["spec"]["containers"]
    known = {f"DANLU_{name.upper()}" for name in Settings.model_fields}
    assert {item["name"] for item in container["env"]} - {"HOME"} <= known


def test_a_password_is_made_up_when_none_is_given():
    first, second = (of_kind(objects(), "Secret")[0]["stringData"]["password"] for _ in range(2))
    assert first != second
    assert len(first) == 32


def test_a_misspelt_value_is_refused_with_its_name():
    with pytest.raises(subprocess.CalledProcessError) as refused:
        template("--set", "server.replica=3")
    assert "replica" in refused.value.stderr


def test_the_image_is_built_from_what_the_repository_pins():
    text = (ROOT / "deploy" / "Containerfile").read_text()
    assert text.count("tools/dev/locked.py") == 3
    assert "pip install" not in text
    assert "USER 10001" in text
