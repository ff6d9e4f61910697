"""Flavors made from a node: what is left after the system's part, divided by its GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from danlu.control.jobs.gpu_parts import kept_for_system
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.node import Node
from danlu.domain.quantity import GIB, show_milli, show_size
from danlu.domain.resources import Resources
from danlu.domain.rules import Flavor
from danlu.domain.words import Words, say

_HALF = 500
_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class System:
    """What is kept for the system on a node; None is 5 %, at least half a CPU and 1 GiB."""

    cpu_milli: int | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class FlavorProposal:
    """A flavor for a node; with `exists` there already is one of its size, which is shown instead."""

    flavor: Flavor
    exists: bool


def proposals(
    node: Node, system: System, counts: Sequence[int], known: Mapping[str, Flavor]
) -> tuple[tuple[FlavorProposal, ...], Words]:
    """One flavor for each count of GPUs (of CPUs on a node without GPUs), and how they were made.

    No counts means 1, 2, 4 and so on, up to all. What workloads outside Danlu use on the node is not subtracted: a
    flavor outlives it. Memory is rounded down to GiB, CPUs to halves, and what is less than one of these is no flavor.
    Invalid when nothing is left, or for a count that the node does not have."""
    cpu_milli, memory = _left(node, system)
    units = len(node.gpus) or cpu_milli // 1000
    sizes = [_size(node, count, units, cpu_milli, memory) for count in _counts(counts, units, node)]
    by_size = {flavor.resources: flavor for flavor in known.values()}
    taken = set(known)
    found = []
    for size in filter(None, dict.fromkeys(sizes)):
        same = by_size.get(size)
        name = next(name for name in _names(node, size) if name not in taken) if same is None else same.name
        taken.add(name)
        found.append(FlavorProposal(same or Flavor(name, size), same is not None))
    return tuple(found), _told(node, cpu_milli, memory, units)


def _left(node: Node, system: System) -> tuple[int, int]:
    usual_cpus, usual_memory = kept_for_system(node)
    cpus = usual_cpus if system.cpu_milli is None else system.cpu_milli
    memory = usual_memory if system.memory is None else system.memory
    left = (node.cpu_milli - cpus, node.memory - memory)
    keys = (("cpus", left[0], _HALF), ("memory", left[1], GIB))
    wrong = tuple(
        FieldError(
            ("system", key),
            "out_of_range",
            say("{name} would have nothing left for jobs", "{name} 上将没有资源供任务使用", name=node.name),
        )
        for key, rest, least in keys
        if rest < least
    )
    if wrong:
        raise Invalid(wrong)
    return left


def _counts(wanted: Sequence[int], units: int, node: Node) -> Iterable[int]:
    if not wanted:
        return sorted(
            {*(1 << power for power in range(units.bit_length()) if 1 << power <= units), units} - {0}
        )
    what = Words("GPUs", "卡") if node.gpus else Words("CPUs to divide", "核可用 CPU")
    wrong = tuple(
        FieldError(
            ("counts", place),
            "out_of_range",
            say(
                "{name} has {units} {what}",
                "{name} 有 {units} {what}",
                name=node.name,
                units=units,
                what=what,
            ),
            count,
            units,
        )
        for place, count in enumerate(wanted)
        if count > units
    )
    if wrong:
        raise Invalid(wrong)
    return sorted(set(wanted))


def _size(node: Node, count: int, units: int, cpu_milli: int, memory: int) -> Resources | None:
    """None where so small a part is less than half a CPU or 1 GiB."""
    cpus = (cpu_milli if node.gpus else 1000 * units) * count // units // _HALF * _HALF
    part = memory * count // units // GIB * GIB
    gpus, model = (1000 * count, node.gpu_model) if node.gpus else (0, None)
    return Resources(cpus, part, gpus, model) if cpus and part else None


def _names(node: Node, size: Resources) -> Iterator[str]:
    """`a100-1`; where that is the name of another size, `a100-1-8c`, `a100-1-8c-64g`, and then numbers."""
    count = size.whole_gpus or size.cpu_milli // 1000
    name = f"{_word(node.gpu_model) if node.gpus else 'cpu'}-{count}"
    yield name
    if node.gpus:
        name += f"-{show_milli(size.cpu_milli)}c"
        yield name
    name += f"-{size.memory // GIB}g"
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _word(model: str | None) -> str:
    word = re.sub(r"[^a-z0-9]+", "-", (model or "").lower()).strip("-")[:_NAME_LENGTH].strip("-")
    return word or "gpu"


def _told(node: Node, cpu_milli: int, memory: int, units: int) -> Words:
    kept = {
        "name": node.name,
        "cpus": show_milli(node.cpu_milli - cpu_milli),
        "memory": show_size(node.memory - memory),
        "units": units,
    }
    text = Words(
        "{cpus} CPUs and {memory} of {name} are kept for the system; the rest is divided by {units} ",
        "{name} 为系统保留 {cpus} 核 CPU 和 {memory} 内存，其余按 {units} ",
    ).fill(**kept)
    by = Words("GPUs", "卡均分") if node.gpus else Words("CPUs", "核 CPU 均分")
    foreign = node.foreign
    held = Words("", "")
    if foreign.cpu_milli or foreign.memory or foreign.gpus:
        held = Words(
            "; what workloads outside Danlu use there now ({cpus} CPUs, {memory}, {gpus} GPUs) is not subtracted",
            "；丹炉以外的负载当前占用的部分（{cpus} 核 CPU、{memory} 内存、{gpus} 卡）未扣除",
        ).fill(cpus=show_milli(foreign.cpu_milli), memory=show_size(foreign.memory), gpus=foreign.gpus)
    return Words(text.en + by.en + held.en, text.zh + by.zh + held.zh)
