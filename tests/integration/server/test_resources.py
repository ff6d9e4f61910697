"""The cluster at a glance, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.server.usage.panel_models import Resources
from tests.fakes.server import ENGINEER, OTHER, World, job_file, served, world


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    with world(tmp_path) as made:
        yield made


@pytest.fixture
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


def test_mine_and_everybodys_are_told_apart(ask, here):
    for owner, name, cards in ((ENGINEER, "mine", 2), (OTHER, "theirs", 4)):
        file = job_file(name, env={"SIMULATED_RUN_FOR": "1h"}, resources={"gpus": cards, "gpu": "A100"})
        here.jobs.create(here.caller(owner), file, start=True)
    here.controller.step()

    answer = ask(ENGINEER, "GET", "resources")

    seen = Resources.model_validate(answer.json())
    (a100,) = seen.gpus
    assert (a100.model, a100.total, a100.used, a100.free, a100.mine_used) == ("A100", 16, 6, 10, 2)
    assert (seen.jobs.running, seen.mine.running, seen.nodes) == (2, 1, {"ready": 2})
    single = next(one for one in seen.classes if one.job_class == "single")
    held = single.gpus[0]
    assert len(single.gpus) == 1
    assert (single.running, single.mine_running, single.queued) == (2, 1, 0)
    assert (held.model, held.used, held.mine_used, held.shortage) == ("A100", 6, 2, 0)
    assert [one.running for one in seen.classes if one.job_class != "single"] == [0, 0, 0]
    assert ask(None, "GET", "resources").status_code == 401
