"""The plain manifests in `deploy/`, written from the chart and from what the engine needs; `--check` compares."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from danlu.engines.kubernetes.objects import rbac
from tools.dev.places import ROOT, VENV

CHART = ROOT / "deploy" / "chart"
FOLDER = ROOT / "deploy" / "manifests"
NAME, NAMESPACE, JOBS = "danlu", "danlu", "danlu-jobs"
_GROUP = "rbac.authorization.k8s.io"
_NOTE = "# Written by ./dev docs; change {source}, not this file.\n"


def main() -> int:
    checking = "--check" in sys.argv[1:]
    stale = []
    for name, render in MANIFESTS.items():
        path, text = FOLDER / name, render()
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not checking:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale:
        print(f"{'out of date' if checking else 'written'}: {', '.join(stale)}")
    return 1 if stale and checking else 0


def template(*options: str) -> str:
    """The chart with these options, as Helm renders it."""
    helm = str(VENV / "bin" / "helm")
    command = [helm, "template", NAME, str(CHART), "--namespace", NAMESPACE, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_helm() -> str:
    """The chart as plain manifests: the database is somebody else's, and its address in a secret."""
    home = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": NAMESPACE, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}},
    }
    rendered = template("--set", "database.secret=danlu-database")
    return _NOTE.format(source="deploy/chart") + _text([home, *yaml.safe_load_all(rendered)])


def access_from_outside() -> str:
    home = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": JOBS, "labels": {"pod-security.kubernetes.io/enforce": "baseline"}},
    }
    shut = [one for one in yaml.safe_load_all(template("--show-only", "templates/networkpolicy.yaml")) if one]
    fence = [one for one in shut if one["metadata"]["namespace"] == JOBS]
    return _NOTE.format(source="engines/kubernetes/objects/rbac.py") + _text(
        [home, *account(NAME, JOBS), *fence]
    )


def account(name: str, namespace: str) -> list[dict[str, Any]]:
    """An account for a Danlu that runs elsewhere: in the namespace for jobs, with the least that it needs."""
    subject = {"kind": "ServiceAccount", "name": name, "namespace": namespace}
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": namespace}},
        rbac.cluster_role(name, namespace),
        _binding("ClusterRole", {"name": name}, subject),
        rbac.role(name, namespace),
        _binding("Role", {"name": name, "namespace": namespace}, subject),
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "type": "kubernetes.io/service-account-token",
            "metadata": {
                "name": f"{name}-token",
                "namespace": namespace,
                "annotations": {"kubernetes.io/service-account.name": name},
            },
        },
    ]


def _binding(kind: str, metadata: dict[str, str], subject: dict[str, str]) -> dict[str, Any]:
    return {
        "apiVersion": f"{_GROUP}/v1",
        "kind": f"{kind}Binding",
        "metadata": metadata,
        "roleRef": {"apiGroup": _GROUP, "kind": kind, "name": metadata["name"]},
        "subjects": [subject],
    }


def _text(objects: Iterable[Any]) -> str:
    shown = [yaml.safe_dump(one, sort_keys=False, width=120) for one in objects if one]
    return "---\n" + "---\n".join(shown)


MANIFESTS: dict[str, Callable[[], str]] = {"danlu.yaml": without_helm, "access.yaml": access_from_outside}


if __name__ == "__main__":
    sys.exit(main())
