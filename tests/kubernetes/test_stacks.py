"""Where the processes of real pods are."""

from __future__ import annotations

import pytest

from danlu.domain.errors import NotFound
from danlu.domain.job import Task
from danlu.engines.kubernetes.objects.wrapper import wrapped
from danlu.engines.kubernetes.ways.ways import KubernetesShells
from tests.kubernetes.kube import Kube, wait_for
from tests.kubernetes.places import Place
from tests.kubernetes.tasks import ATTEMPT, access_to, make_task, name_of

SLEEPS = "import time; print('ready', flush=True); time.sleep(3600)"
SPY = 'printf "%s\\n" "#!/bin/sh" "echo the stack by \\$*" >/usr/bin/py-spy; chmod +x /usr/bin/py-spy; '


@pytest.fixture
def ways(kube: Kube) -> KubernetesShells:
    return KubernetesShells(lambda _: access_to(kube))


def running(kube: Kube, image: str, command: str) -> Task:
    task = make_task(kube, image, wrapped(command, addresses_come=False))
    kube.wait_pod(name_of(task), "Running")
    wait_for(lambda: {"log": kube.log(name_of(task))}, lambda read: "ready" in read["log"], 60)
    return task


def test_without_py_spy_it_is_told_what_the_kernel_knows(kube: Kube, place: Place, ways: KubernetesShells):
    task = running(kube, place.python, f'sleep 1000 & exec python3 -c "{SLEEPS}"')
    told = ways.stacks(ATTEMPT, task)
    processes = [part for part in told.split("\n\n") if part.startswith("process ")]
    program = next(part for part in processes if "python3 -c import time" in part)
    assert "\nsleeping" in program
    assert "threads: 1" in program
    assert any("sleep 1000" in part for part in processes)
    assert len(processes) == 2, "what Danlu itself runs there is left out"
    assert "Install py-spy in the image" in told


def test_with_py_spy_in_the_image_the_stacks_are_told(kube: Kube, place: Place, ways: KubernetesShells):
    task = running(kube, place.python, f'{SPY}exec python3 -c "{SLEEPS}"')
    told = ways.stacks(ATTEMPT, task)
    pid = told.split("process ")[1].partition(":")[0]
    assert f"the stack by dump --pid {pid}\n" in told
    assert "not in the image" not in told


def test_a_pod_that_is_gone_is_not_found(ways: KubernetesShells):
    with pytest.raises(NotFound, match="the pod of worker-7 no longer exists"):
        ways.stacks(ATTEMPT, Task("worker", 7, "node.cluster", ""))
