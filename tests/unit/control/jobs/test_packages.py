"""What packages and frameworks lack is known before the start, where it can be known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.jobs.packages import package_misfits
from danlu.domain.node import Node
from danlu.files.reading import read_job_file
from tests.fakes.builders import node
from tests.simulation.world import NoCode

BARE, RICH = replace(node("a1", 8), has=()), replace(node("a2", 8), has=("conda", "torch"))
UNKNOWN = node("a3", 8)


class SomeCode(NoCode):
    def holds(self, digest: str, path: str) -> bool | None:
        return {"requirements.txt": True, "missing.txt": False}.get(path)


def wrong(*nodes: Node, **keys: Any) -> list[str]:
    file = {"kind": "training", "name": "some-job", "command": "python train.py", **keys}
    spec = read_job_file(file).result()
    return [".".join(map(str, one.loc)) for one in package_misfits(spec, "eve", nodes, SomeCode())]


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"framework": "pytorch"}, ["framework"]),
        ({"framework": "pytorch", "command": ["torchrun", "train.py"]}, ["framework"]),
        ({"framework": "pytorch", "command": ". /mnt/eve/env/bin/activate; torchrun train.py"}, []),
        ({"framework": "pytorch", "env": {"PATH": "/mnt/eve/env/bin:/usr/bin"}}, []),
        ({"framework": "pytorch", "packages": {"pip": ["torch"]}}, []),
        ({"framework": "pytorch", "packages": {"venv": "/mnt/eve/env"}}, []),
        ({"framework": "pytorch", "image": "pytorch:2"}, []),
        ({"framework": "none"}, []),
    ],
)
def test_a_framework_that_no_node_has_is_refused_unless_something_may_bring_it(
    keys: dict[str, Any], place: list[str]
) -> None:
    assert wrong(BARE, **keys) == place
    assert wrong(BARE, RICH, **keys) == []
    assert wrong(BARE, UNKNOWN, **keys) == []


def test_the_remedy_can_be_copied() -> None:
    spec = read_job_file(
        {"kind": "training", "name": "some-job", "command": "python a.py", "framework": "pytorch"}
    ).result()
    [error] = package_misfits(spec, "eve", [BARE], NoCode())
    assert error.hint is not None
    assert "packages: {pip: [torch]}" in error.hint.en
    assert "packages: {pip: [torch]}" in error.hint.zh


def test_files_of_the_code_are_looked_for_where_that_is_possible() -> None:
    code = {"archive": "0" * 64}
    assert wrong(code=code, packages={"pip": "missing.txt"}) == ["packages.pip"]
    assert wrong(code=code, packages={"pip": "requirements.txt"}) == []
    assert wrong(code=code, packages={"pip": "unknown.txt"}) == []
    assert wrong(code={"git": "https://example.org/a.git"}, packages={"pip": "missing.txt"}) == []


def test_environments_of_others_are_refused() -> None:
    assert wrong(packages={"venv": "/mnt/otto/env"}) == ["packages.venv"]
    assert wrong(packages={"venv": "/mnt/eve/env"}) == []
    assert wrong(packages={"venv": "/opt/lab/env"}) == []


def test_conda_is_refused_where_no_node_has_it() -> None:
    code = {"archive": "0" * 64}
    assert wrong(BARE, code=code, packages={"conda": "e.yml"}) == ["packages.conda"]
    assert wrong(BARE, RICH, code=code, packages={"conda": "e.yml"}) == []
