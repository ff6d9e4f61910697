"""How far pods are with what they mount is told while it is news, and what no node could hold is never tried."""

from __future__ import annotations

import json
from dataclasses import replace

from danlu.domain.events import TaskStarting
from danlu.domain.quantity import GIB
from danlu.domain.reasons import DatasetNotCopied
from danlu.engines.kubernetes.objects.names import pod_name
from danlu.ports.engine import AttemptOrder, MountOrder
from tests.unit.engines.kubernetes.room import SPACE, Room, order

VERSION = MountOrder("/data", True, title="lin:x@v1", tree="ab" * 32, size=10 * GIB, files=3)
FILLING = [{"name": "mounts", "state": {"running": {"startedAt": "2026-03-01T00:00:00Z"}}}]


def mounting(mount: MountOrder = VERSION) -> AttemptOrder:
    return replace(order(1), mounts=(mount,))


def printed(percent: int) -> bytes:
    told = {"kind": "dataset", "title": "lin:x@v1", "percent": percent, "size": 10 * GIB}
    return f"danlu-filling {json.dumps(told)}\n".encode()


def test_each_tenth_is_told_once_until_the_task_begins(room: Room):
    wanted = mounting()
    room.open().start(wanted)
    room.until(lambda: room.server.pods())
    name = pod_name(wanted.attempt_id, wanted.tasks[0].name)
    log = room.server.logs[f"{SPACE}/{name}"] = [printed(10)]
    room.server.set(name, phase="Pending", initContainerStatuses=FILLING)

    def told() -> list[tuple[str, int]]:
        return [(one.step, one.percent) for one in room.seen if isinstance(one, TaskStarting)]

    room.until(lambda: ("dataset_copied", 10) in told())
    asked = room.asked("get pods/log")
    room.until(lambda: room.asked("get pods/log") >= asked + 2)
    log[:] = [b"retrying\n", printed(80)]
    room.until(lambda: ("dataset_copied", 80) in told())
    assert [one for one in told() if one[1]] == [("dataset_copied", 10), ("dataset_copied", 80)]
    assert ("mounts", 0) in told()
    log.clear()
    room.server.run(name)
    room.server.end(name)
    assert list(room.until_ended().values()) == [None]


def test_a_version_larger_than_the_nodes_disk_makes_no_pod(room: Room):
    allocatable = {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8", "ephemeral-storage": "5Gi"}
    room.server.cluster.change("nodes", "n1", {"status": {"allocatable": allocatable}})
    room.open().start(mounting())
    [reason] = room.until_ended().values()
    assert isinstance(reason, DatasetNotCopied)
    assert (reason.why, reason.bound) == ("too_large", 5 * GIB)
    assert room.server.pods() == {}
