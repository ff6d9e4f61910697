"""Flavors made from a node."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.control.flavors.generated import System, proposals
from danlu.domain.errors import Invalid
from danlu.domain.node import Node
from danlu.domain.quantity import GIB, show_milli, show_size
from danlu.domain.resources import Resources
from danlu.domain.rules import Flavor
from tests.fakes.queue import node, others

USUAL = System()


def made(one: Node, *counts: int, known: tuple[Flavor, ...] = (), system: System = USUAL) -> dict[str, str]:
    found, _ = proposals(one, system, counts, {flavor.name: flavor for flavor in known})
    return {
        f"{each.flavor.name}{' exists' if each.exists else ''}": _shown(each.flavor.resources)
        for each in found
    }


def _shown(size: Resources) -> str:
    gpus = f"{show_milli(size.gpu_milli)} {size.gpu_model}, " if size.gpu_milli else ""
    return f"{gpus}{show_milli(size.cpu_milli)} CPUs, {show_size(size.memory)}"


TABLE: dict[str, Any] = {
    "by powers of two, up to all": (
        node("n", 8, cpus=128, memory=1024), (), {},
        {"a100-1": "1 A100, 15 CPUs, 121GiB", "a100-2": "2 A100, 30 CPUs, 243GiB", "a100-4": "4 A100, 60.5 CPUs, 486GiB",
         "a100-8": "8 A100, 121.5 CPUs, 972GiB"},
    ),
    "all of them even where that is no power of two": (
        node("n", 6, cpus=64, memory=256), (), {},
        {"a100-1": "1 A100, 10 CPUs, 40GiB", "a100-2": "2 A100, 20 CPUs, 81GiB", "a100-4": "4 A100, 40.5 CPUs, 162GiB",
         "a100-6": "6 A100, 60.5 CPUs, 243GiB"},
    ),
    "the counts that one asks for": (node("n", 8, cpus=128, memory=1024), (2, 2), {}, {"a100-2": "2 A100, 30 CPUs, 243GiB"}),
    "a small node leaves the system half a CPU and 1 GiB": (node("n", 1, cpus=4, memory=8), (), {}, {"a100-1": "1 A100, 3.5 CPUs, 7GiB"}),
    "what the system has can be said": (
        node("n", 1, cpus=4, memory=8), (), {"system": System(0, 4 * GIB)}, {"a100-1": "1 A100, 4 CPUs, 4GiB"},
    ),
    "what others hold is not taken off": (
        node("n", 1, cpus=4, memory=8, foreign=others(1, 2, 4)), (), {}, {"a100-1": "1 A100, 3.5 CPUs, 7GiB"},
    ),
    "without GPUs it is divided by CPUs": (
        node("n", 0, cpus=7, memory=14), (), {},
        {"cpu-1": "1 CPUs, 2GiB", "cpu-2": "2 CPUs, 4GiB", "cpu-4": "4 CPUs, 8GiB", "cpu-6": "6 CPUs, 13GiB"},
    ),
    "a model's name becomes a plain word": (
        node("n", 1, "NVIDIA H100/80GB", cpus=4, memory=8), (), {}, {"nvidia-h100-80gb-1": "1 NVIDIA H100/80GB, 3.5 CPUs, 7GiB"},
    ),
    "parts too small to be anything are left out": (
        node("n", 8, cpus=128, memory=8), (), {}, {"a100-2": "2 A100, 30 CPUs, 1GiB", "a100-4": "4 A100, 60.5 CPUs, 3GiB", "a100-8": "8 A100, 121.5 CPUs, 7GiB"},
    ),
    "one of the same size is there already, whatever its name": (
        node("n", 1, cpus=4, memory=8), (), {"known": (Flavor("mine", Resources(3500, 7 * GIB, 1000, "A100")),)},
        {"mine exists": "1 A100, 3.5 CPUs, 7GiB"},
    ),
    "the name belongs to another size": (
        node("n", 1, cpus=4, memory=8), (), {"known": (Flavor("a100-1"), Flavor("a100-1-3.5c"))},
        {"a100-1-3.5c-7g": "1 A100, 3.5 CPUs, 7GiB"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE)
def test_a_node_is_divided(case):
    one, counts, more, expected = TABLE[case]
    assert made(one, *counts, **more) == expected


@pytest.mark.parametrize(
    ("counts", "system", "place"),
    [
        ((1, 9), System(), ("counts", 1)),
        ((), System(cpu_milli=64_000), ("system", "cpus")),
        ((), System(memory=512 * GIB), ("system", "memory")),
    ],
)
def test_what_the_node_does_not_have_is_refused(counts, system, place):
    with pytest.raises(Invalid) as caught:
        proposals(node("n", 8), system, counts, {})
    assert [error.loc for error in caught.value.errors] == [place]


def test_how_they_were_made_is_told_in_both_languages():
    _, text = proposals(node("n", 8, cpus=128, foreign=others(1, 2, 4)), System(), (), {})
    assert text.en == (
        "6.4 CPUs and 25.60GiB of n are kept for the system; the rest is divided by 8 GPUs; what workloads outside Danlu use there now "
        "(2 CPUs, 4GiB, 1 GPUs) is not subtracted"
    )
    assert text.zh.startswith("n 为系统保留 6.4 核 CPU")


def test_all_that_a_node_gives_fits_on_it_together():
    one = node("n", 8, cpus=100, memory=333)
    for flavor, _ in ((each.flavor, each) for each in proposals(one, System(), (), {})[0]):
        times = 8 // flavor.resources.whole_gpus
        assert flavor.resources.cpu_milli * times <= one.cpu_milli
        assert flavor.resources.memory * times <= one.memory
