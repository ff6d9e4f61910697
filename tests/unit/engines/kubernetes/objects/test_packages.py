"""Packages in pods: the script is run as an image's shell would."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.domain.job import Packages
from danlu.domain.reasons import EnvironmentFailed
from danlu.engines.kubernetes.objects.packages import PLACE, with_packages
from danlu.engines.kubernetes.objects.pods import pod_of
from danlu.engines.kubernetes.tasks.ends import exit_reason
from tests.fakes.pods import CLUSTER, attempt_order


def run(folder: Path, packages: Packages, *command: str) -> subprocess.CompletedProcess[str]:
    place = folder / "place"
    place.mkdir()
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    return subprocess.run(
        with_packages(packages, command, str(place)),
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        text=True,
    )


def test_a_pod_with_packages_installs_them_in_its_scratch_first() -> None:
    order = replace(attempt_order(), packages=Packages(pip=("numpy", "scipy<2")))
    spec = pod_of(CLUSTER, order, order.tasks[0], node="a1")["spec"]
    [container] = spec["containers"]
    assert {"name": "packages", "emptyDir": {}} in spec["volumes"]
    assert {"name": "packages", "mountPath": PLACE} in container["volumeMounts"]
    assert "numpy\nscipy<2" in container["command"]


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        (Packages(venv="/nothing/here"), "/nothing/here"),
        (Packages(requirements="missing.txt"), "missing.txt"),
        (Packages(requirements="link.txt"), "link.txt"),
        (Packages(conda="missing.yml"), "missing.yml"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, packages: Packages, said: str) -> None:
    (tmp_path / "link.txt").symlink_to("/etc/hostname")
    ended = run(tmp_path, packages, "echo", "ran")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"danlu: the packages cannot be installed: {said}\n"


def test_an_environment_that_exists_is_used(tmp_path: Path) -> None:
    ended = run(tmp_path, Packages(venv=sys.prefix), "sh", "-c", "echo $VIRTUAL_ENV")
    assert ended.stdout == f"{sys.prefix}\n"


def test_its_last_words_become_the_reason() -> None:
    ended = {"exitCode": 1, "message": "danlu-packages:no_file:a: b.txt\n"}
    assert exit_reason("worker-0", ended, 0, "a1") == EnvironmentFailed("worker-0", "no_file", "a: b.txt")
