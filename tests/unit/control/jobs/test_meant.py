"""Mistakes in job files that everybody makes are understood, or answered with what was meant."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.control.jobs.admission import Admission
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Invalid
from danlu.domain.job import JobSpec
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import BUILT_IN, Policy, Rule
from tests.fakes.builders import node
from tests.fakes.clock import FakeClock
from tests.simulation.world import NoCode

NODES = [
    node("a", 8, "A100-SXM4-80GB"),
    node("b", 8, "A100-PCIE"),
    node("h", 8, "H100"),
    node("r", 4, "RTX3090"),
]
FILE = {"kind": "training", "name": "some-job", "command": "true"}


class Rulebook:
    def rules(self) -> tuple[Rule, ...]:
        return BUILT_IN


def read(**keys: Any) -> JobSpec:
    door = Admission(lambda: NODES, NoCode(), Registry(Rulebook(), FakeClock()), None, Policy())  # type: ignore[arg-type]
    return door.read({**FILE, **keys}, Caller(User("lin", UserRole.ENGINEER, 0)))


def refused(**keys: Any) -> list[tuple[str, str | None, str | None]]:
    with pytest.raises(Invalid) as error:
        read(**keys)
    return [
        (".".join(map(str, one.loc)), one.suggestion, one.hint.en if one.hint else None)
        for one in error.value.errors
    ]


@pytest.mark.parametrize(
    ("written", "model"),
    [
        ("h100", "H100"),
        ("rtx3090", "RTX3090"),
        ("3090", "RTX3090"),
        ("sxm4", "A100-SXM4-80GB"),
        ("h100|3090", "H100|RTX3090"),
        ("A100-PCIE", "A100-PCIE"),
    ],
)
def test_a_model_is_found_in_any_case_and_by_a_part_of_its_name(written: str, model: str) -> None:
    assert read(resources={"gpus": 1, "gpu": written}).roles[0].resources.gpu_model == model


def test_a_part_of_several_names_is_refused_with_all_of_them() -> None:
    ((place, _, hint),) = refused(resources={"gpus": 1, "gpu": "a100"})
    assert (place, hint) == ("resources.gpu", "name one of them, or all: gpu: A100-PCIE|A100-SXM4-80GB")


def test_a_size_at_the_top_is_led_below_resources() -> None:
    (gpus,) = refused(gpus=2)
    assert gpus[:2] == ("gpus", "resources.gpus")


def test_more_gpus_than_a_node_has_are_led_to_several_nodes() -> None:
    ((place, _, hint),) = refused(resources={"gpus": 16, "gpu": "H100"})
    assert place == "resources.gpus"
    assert hint == "a task runs on one node: use nodes: 2 with gpus: 8, or nodes: auto with the total"


def test_numbers_and_switches_are_text_in_variables() -> None:
    spec = read(env={"LR": 0.1, "STEPS": 100, "FAST": True, "NAME": "x"})
    assert dict(spec.env) == {"LR": "0.1", "STEPS": "100", "FAST": "true", "NAME": "x"}
    assert refused(env={"LR": [1]})[0][0] == "env.LR"


@pytest.mark.parametrize("memory", [64, "64"])
def test_a_number_alone_is_no_memory_and_the_likely_one_is_offered(memory: object) -> None:
    assert refused(resources={"memory": memory})[0][:2] == ("resources.memory", "64GiB")


def test_a_text_as_code_is_a_folder() -> None:
    ((place, _, _),) = refused(code="./src")
    assert place == "code.path"  # which a client uploads
