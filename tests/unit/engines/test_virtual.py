"""Nodes that a machine poses as."""

from __future__ import annotations

import pytest

from danlu.engines.virtual import virtual_nodes


def test_a_description_becomes_nodes_with_cards_and_addresses_of_their_own() -> None:
    nodes = virtual_nodes("2x8xA100,4x8xRTX3090,1xcpu")
    assert [node.name for node in nodes] == [
        "a100-0", "a100-1", "rtx3090-0", "rtx3090-1", "rtx3090-2", "rtx3090-3", "cpu-0",
    ]  # fmt: skip
    assert len({node.address for node in nodes}) == 7
    assert all(node.virtual and node.address.startswith("127.") for node in nodes)
    assert [len(node.gpus) for node in nodes] == [8] * 6 + [0]
    assert all(gpu.declared for node in nodes for gpu in node.gpus)


def test_parts_of_one_model_are_numbered_through() -> None:
    assert [node.name for node in virtual_nodes("1x8xA100,1x4xA100")] == ["a100-0", "a100-1"]


def test_addresses_stay_apart_beyond_a_few_hundred_nodes() -> None:
    addresses = {node.address for node in virtual_nodes("1000x8xA100")}
    assert len(addresses) == 1000
    assert all(1 <= int(part) <= 254 for address in addresses for part in address.split(".")[3:])


@pytest.mark.parametrize("text", ["", "8xA100", "2x8", "x8xA100", "2x8xA100;", "2x100xA100", "1x1x"])
def test_what_describes_no_nodes_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="2x8xA100"):
        virtual_nodes(text)
