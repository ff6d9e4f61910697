"""Virtual nodes, simulated by one machine: `2x8xA100,4x8xRTX3090`."""

from __future__ import annotations

import re

from danlu.domain.node import Gpu, Node
from danlu.domain.quantity import GIB
from danlu.domain.words import BadValue, Words, say

_PART = re.compile(r"([0-9]{1,5})x([0-9]{1,2})x([A-Za-z0-9][A-Za-z0-9._-]*)|([0-9]{1,5})xcpu")
_MAX_NODES = 60_000
FORM = Words(
    "nodes × GPUs × model, separated by commas: 2x8xA100,4x8xRTX3090; 3xcpu for nodes without GPUs",
    "“节点数 × GPU 数 × 型号”，以逗号分隔：2x8xA100,4x8xRTX3090；没有 GPU 的节点写作 3xcpu",
)


def virtual_nodes(text: str, cpu_milli: int = 64_000, memory: int = 512 * GIB) -> tuple[Node, ...]:
    """The nodes described, each with a loopback address of its own; ValueError says what is wrong."""
    nodes: list[Node] = []
    for part in text.replace("×", "x").split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise BadValue(
                say(
                    "'{part}' does not describe nodes; write {form}",
                    "“{part}”不是有效的节点描述；请写成{form}",
                    part=part.strip(),
                    form=FORM,
                )
            )
        count = int(match[1] or match[4])
        model = match[3] or "cpu"
        cards = int(match[2] or 0)
        first = sum(node.name.startswith(f"{model.lower()}-") for node in nodes)
        if len(nodes) + count > _MAX_NODES:
            raise BadValue(
                say(
                    "'{text}' describes more than {most} nodes",
                    "“{text}”描述的节点超过 {most} 个",
                    text=text,
                    most=_MAX_NODES,
                )
            )
        for number in range(first, first + count):
            nodes.append(_node(f"{model.lower()}-{number}", len(nodes), model, cards, cpu_milli, memory))
    if not nodes:
        raise BadValue(
            say(
                "'{text}' describes no nodes; write {form}",
                "“{text}”没有描述任何节点；请写成{form}",
                text=text,
                form=FORM,
            )
        )
    return tuple(nodes)


def _node(name: str, place: int, model: str, cards: int, cpu_milli: int, memory: int) -> Node:
    gpus = tuple(Gpu(index, f"virtual-{name}-{index}", model, declared=True) for index in range(cards))
    high, low = divmod(place + 1, 250)
    return Node(
        name=name,
        address=f"127.77.{high}.{low + 1}",
        cpu_milli=cpu_milli,
        memory=memory,
        gpus=gpus,
        labels={"danlu/virtual": "true", **({"gpu": model} if cards else {})},
        virtual=True,
    )
