"""What a map of user ids says."""

from __future__ import annotations

from danlu.ports.user_ids import MappedIds, read_map, task_ids

MACHINE = "         0          0 4294967295\n"
ORDINARY = "         0       1000          1\n1879048192     100000      65536\n"
CONTAINER = "         0     100000      65536\n"


def test_only_the_namespace_of_an_ordinary_user_has_ids_to_give() -> None:
    assert task_ids(read_map(MACHINE)) is None
    assert task_ids(read_map(CONTAINER)) is None
    assert task_ids([]) is None
    assert task_ids(read_map("0 1000 1\n")) is None
    assert task_ids(read_map(ORDINARY)) == MappedIds(0x7000_0000, 100_000, 65_536)
