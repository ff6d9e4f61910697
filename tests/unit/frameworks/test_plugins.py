"""Frameworks that installed packages bring along."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from danlu.control.jobs.training import completed, mistakes
from danlu.control.plane.orders import order_of
from danlu.domain.job import Attempt, Job, Remedy, Task, Trouble
from danlu.files.reading import read_job_file
from danlu.frameworks.catalog import frameworks
from danlu.ports.engine import addressed

Installer = Callable[[str, str], None]
GUIDE = Path(__file__).parents[3] / "docs/guides/training.md"
FILE = {
    "kind": "training",
    "name": "ring-of-two",
    "framework": "ring",
    "command": "python train.py",
    "nodes": 2,
}


def documented() -> str:
    """The plugin that the guide shows."""
    (text,) = re.findall(r"```python\n(\"\"\"Ring.*?)```", GUIDE.read_text(), re.DOTALL)
    return str(text)


def test_the_documented_plugin_works_from_the_job_file_to_the_order(install: Installer) -> None:
    install(documented(), "danlu_ring:Ring")
    reading = read_job_file(FILE)
    assert reading.spec is not None
    spec = completed(reading.spec, FILE)
    assert not [*mistakes(spec, FILE)]
    assert (spec.strategy, spec.restarts, spec.hang_after) == ("ring", 5, 600_000)
    assert spec.on == {Trouble.NODE_LOST: Remedy.REQUEUE, Trouble.HUNG: Remedy.RESTART_JOB}
    tasks = tuple(Task("worker", index, f"n{index}", f"127.0.0.{index + 2}") for index in range(2))
    job = Job("j1", "lin", spec, 0, attempt=Attempt(1, tasks, 0), attempts=1)
    first, second = order_of(job, "http://danlu").tasks
    assert second.command == "ring-launch train.py"
    addresses = {"worker-0": "127.0.0.2", "worker-1": "127.0.0.3"}
    assert addressed(second.env["RING_NEXT"], addresses) == f"127.0.0.2:{first.env['RING_PORT']}"
    assert second.env["RING_PLACE"] == "1/2"


def test_the_bounds_of_a_plugin_hold(install: Installer) -> None:
    install(documented(), "danlu_ring:Ring")
    file = {**FILE, "nodes": 1}
    reading = read_job_file(file)
    assert reading.spec is not None
    (wrong,) = mistakes(completed(reading.spec, file), file)
    assert (wrong.loc, wrong.message) == (
        ("nodes",),
        "worker: at least 2, one per machine is usual; you asked for 1",
    )


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("raise RuntimeError('broken')", "broken:Broken"),
        ("class Other:\n    name = 'other'\n    strategies = ()\n", "other:Missing"),
        (
            "from danlu.frameworks.jax import Jax\n"
            "class Silent(Jax):\n    name = 'silent'\n    def given(self, gang, seat):\n        raise KeyError(seat)\n",
            "silent:Silent",
        ),
    ],
    ids=["fails to load", "names nothing", "has no answers"],
)
def test_a_plugin_that_does_not_work_is_left_out_and_the_log_says_so(
    install: Installer, caplog: pytest.LogCaptureFixture, text: str, target: str
) -> None:
    before = set(frameworks())
    install(text, target)
    assert set(frameworks()) == before
    assert f"framework plugin {target.partition(':')[0]} could not be loaded" in caplog.text


def test_a_plugin_takes_no_name_that_danlu_has(install: Installer) -> None:
    own = frameworks()["jax"]
    install("from danlu.frameworks.jax import Jax\nclass Mine(Jax):\n    pass\n", "mine:Mine")
    assert type(frameworks()["jax"]) is type(own)
