"""What an engine makes, tells and clears away in the life of an attempt."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from danlu.domain.events import TaskStarting
from danlu.domain.node import Foreign, NodeState
from danlu.domain.quantity import MIB
from danlu.domain.reasons import (
    NeverStarted,
    NodeLost,
)
from danlu.engines.kubernetes.watch import mirror
from tests.fakes.kubernetes import Fault, key_of, merged
from tests.unit.engines.kubernetes.room import NODE, RULE, SPACE, Room, order

# ── stopping ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_stop_before_anything_was_made_leaves_a_tombstone(room: Room):
    room.open().stop(order(), 1_000)
    assert room.until_ended() == {"w-0": NeverStarted("w-0")}
    assert "danlu.io/tombstone" in room.server.pods()["job-1-w-0"]["metadata"]["labels"]
    room.engine.start(order())
    room.time.goes_by(10)
    assert room.asked("create pods") == 1


def test_a_stop_that_overtakes_the_start_leaves_nothing_that_could_run(room: Room):
    room.server.obey()
    engine = room.open()
    room.until(engine.inventory)
    with room.server.silence():
        engine.start(order(3))
        engine.stop(order(3), 0)
        room.time.goes_by(0.2)
    assert set(room.until_ended(3).values()) == {NeverStarted(f"w-{rank}") for rank in range(3)}
    room.until(
        lambda: all("danlu.io/tombstone" in one["metadata"]["labels"] for one in room.server.pods().values())
    )


def test_while_there_may_be_a_rival_what_was_stopped_is_buried(room: Room):
    room.server.obey()
    room.open(guard=lambda: True).start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    room.engine.stop(order(), 0)
    room.until_ended()
    room.until(
        lambda: (
            "danlu.io/tombstone" in room.server.pods().get("job-1-w-0", NODE)["metadata"].get("labels", {})
        )
    )


# ── gangs, traces and numbers ────────────────────────────────────────────────────────────────────────


def test_tasks_are_told_each_others_addresses_once_all_have_one(room: Room):
    room.open().start(order(3))
    room.until(lambda: len(room.server.pods()) == 3)
    for rank in (1, 2):
        room.server.run(f"job-1-w-{rank}", f"10.1.0.{rank}")
    room.until_running(2)
    assert room.asked("patch pods") == 0
    room.server.faults["patch pods"] = [Fault(cut=True)]
    room.server.run("job-1-w-0", "10.1.0.9")
    text = "10.1.0.9 w-0\n10.1.0.1 w-1\n10.1.0.2 w-2\n"

    def hosts() -> set[str | None]:
        return {one["metadata"]["annotations"].get("danlu.io/hosts") for one in room.server.pods().values()}

    room.until(lambda: hosts() == {text})
    assert room.asked("patch pods") == 4


def test_a_gang_with_names_has_one_service_and_leaves_none(room: Room):
    room.open(replace(RULE, dns=True)).start(order(8))
    room.until(lambda: len(room.server.pods()) == 8)
    assert room.asked("create services") == 1
    room.engine.forget("job-1")
    room.until(lambda: not room.server.cluster.all("services", SPACE))


def test_a_task_costs_fewer_than_ten_requests_in_its_life(room: Room):
    room.open(kept_ms=200).start(order(32))
    room.until(lambda: len(room.server.pods()) == 32)
    for rank in range(32):
        room.server.run(f"job-1-w-{rank}", f"10.1.0.{rank}")
    room.until_running(32)
    room.until(lambda: room.asked("patch pods") == 32)
    for pod in room.server.pods():
        room.server.end(pod)
    assert room.until_ended(32) == {f"w-{rank}": None for rank in range(32)}
    room.engine.forget("job-1")
    room.until(lambda: not room.server.pods())
    shared = {"list", "watch"}
    asked = Counter(what for what, _ in room.server.requests if what.split()[0] not in shared)
    asked.pop("get readyz", None)
    assert sum(asked.values()) <= 6 * 32, asked


def test_a_sweep_ends_what_runs_at_once_and_keeps_what_is_kept(room: Room):
    room.server.obey()
    engine = room.open(replace(RULE, dns=True))
    for attempt in ("kept-1", "other-1"):
        engine.start(order(2, attempt=attempt))
    room.until(lambda: len(room.server.pods()) == 4)
    for pod in room.server.pods():
        room.server.run(pod)
    engine.close()
    room.open(replace(RULE, dns=True)).sweep({"kept-1"})
    room.until(lambda: set(room.server.pods()) == {"kept-1-w-0", "kept-1-w-1"})
    room.until(
        lambda: [key_of(one) for one in room.server.cluster.all("services")] == [f"{SPACE}/danlu-kept-1"]
    )


def test_nothing_is_collected_before_anybody_said_what_to_keep(room: Room):
    room.open(installation="one").start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.engine.close()
    before = room.asked("list services")  # the last thing that a round of collecting does
    room.open(installation="one", kept_ms=0)
    room.until(lambda: room.asked("list services") > before)
    assert room.asked("delete pods") == 0


def test_one_that_cannot_be_collected_keeps_nobody_from_the_others(room: Room):
    room.server.obey()
    engine = room.open()
    for attempt in ("a-1", "b-1", "c-1"):
        engine.start(order(attempt=attempt))
    room.until(lambda: len(room.server.pods()) == 3)
    engine.close()
    room.server.faults["delete pods"] = [Fault(403, "Forbidden")]
    room.open(kept_ms=100).sweep(())
    room.until(lambda: len(room.server.pods()) == 1)
    room.until(lambda: not room.server.pods())


def test_what_another_danlu_made_in_the_same_namespace_is_left_alone(room: Room):
    room.open(installation="one").start(order(2))
    room.until(lambda: len(room.server.pods()) == 2)
    room.engine.close()
    before = room.asked("list services")  # the last thing that a sweep does
    room.open(installation="two", kept_ms=0).sweep(())
    room.until(lambda: room.asked("list services") > before)
    assert len(room.server.pods()) == 2
    room.engine.close()
    room.open(installation="one").sweep(())
    room.until(lambda: room.server.pods() == {})


def test_what_has_ended_stays_as_proof_for_a_while_after_it_is_forgotten(room: Room):
    room.open(kept_ms=1_500).start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.server.end("job-1-w-0")
    room.until_ended()
    forgotten = room.time.seconds
    room.engine.forget("job-1")
    room.until(lambda: not room.server.pods())
    assert room.time.seconds - forgotten >= 1.5


def test_others_pods_and_our_leftovers_are_foreign_but_not_our_tasks(room: Room):
    held = {"resources": {"requests": {"cpu": "2", "memory": "1Gi", "nvidia.com/gpu": "3"}}}
    spec = {"nodeName": "n1", "containers": [held]}
    room.server.cluster.put("pods", {"metadata": {"namespace": "others", "name": "a"}, "spec": dict(spec)})
    engine = room.open()
    engine.start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()

    def foreign() -> Foreign | None:
        return next((node.foreign for node in engine.inventory()), None)

    room.until(lambda: foreign() == Foreign(2000, 1 << 30, 3))
    change = merged(room.server.cluster.get("pods", "others/a"), {"status": {"phase": "Running"}})
    room.server.cluster.put("pods", change)
    engine.forget("job-1")
    room.until(lambda: foreign() == Foreign(2100, (1 << 30) + 64 * MIB, 3))
    room.server.cluster.remove("pods", "others/a")
    room.until(lambda: foreign() == Foreign(100, 64 * MIB, 0))


def test_what_runs_is_counted_once_also_by_an_engine_that_was_not_asked_for_it_yet(room: Room):
    engine = room.open(installation="one")
    for attempt in ("kept-1", "other-1"):
        engine.start(order(attempt=attempt))
    room.until(lambda: len(room.server.pods()) == 2)
    engine.close()
    for pod in room.server.pods():
        room.server.run(pod)
    engine = room.open(installation="one")
    room.until(lambda: [node.state for node in engine.inventory()] == [NodeState.READY])
    assert engine.inventory()[0].foreign == Foreign(), "nobody has said yet what is left over"
    engine.sweep({"kept-1"})
    room.until(lambda: engine.inventory()[0].foreign == Foreign(100, 64 * MIB))
    engine.start(order(attempt="kept-1"))
    room.until_running()
    assert engine.inventory()[0].foreign == Foreign(100, 64 * MIB)


def test_a_task_that_is_asked_for_late_is_foreign_no_more(room: Room):
    """Made under another name of the cluster: only its attempt says whose it is."""
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.engine.close()
    engine = room.open(installation="one")
    room.until(lambda: engine.inventory() and engine.inventory()[0].foreign == Foreign(100, 64 * MIB))
    engine.start(order())
    room.until(lambda: engine.inventory()[0].foreign == Foreign())


def test_a_node_that_went_away_and_stays_away_loses_its_tasks(room: Room):
    room.open(replace(RULE, lost_time=200)).start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    away = {"status": {"conditions": [{"type": "Ready", "status": "Unknown", "message": "Kubelet stopped"}]}}
    room.server.cluster.change("nodes", "n1", away)
    assert room.until_ended()["w-0"] == NodeLost("w-0", "n1.east")
    room.until(lambda: "deletionTimestamp" in room.server.pods()["job-1-w-0"]["metadata"])
    room.until(lambda: any(node.why == "Kubelet stopped" for node in room.engine.inventory()))


def test_nothing_is_judged_by_time_while_the_cluster_is_silent(room: Room, monkeypatch: pytest.MonkeyPatch):
    room.open(replace(RULE, lost_time=200)).start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    monkeypatch.setattr(mirror, "_FRESH_S", 0.0)
    away = {"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}}
    room.server.cluster.change("nodes", "n1", away)
    room.until(lambda: any(node.state is NodeState.UNREACHABLE for node in room.engine.inventory()))
    room.time.goes_by(0.5)
    room.until(lambda: True)
    assert not room.ends()
    monkeypatch.undo()
    assert room.until_ended()["w-0"] == NodeLost("w-0", "n1.east")


def test_steps_come_from_the_clusters_events(room: Room):
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.set("job-1-w-0", phase="Pending")
    uid = room.server.pods()["job-1-w-0"]["metadata"]["uid"]
    about = {"kind": "Pod", "namespace": SPACE, "name": "job-1-w-0", "uid": uid}
    event = {
        "metadata": {"namespace": SPACE, "name": "e1"},
        "involvedObject": about,
        "reason": "Pulling",
        "lastTimestamp": "2026-03-01T00:00:00Z",
    }
    room.server.cluster.put("events", event)
    room.until(lambda: [one.step for one in room.seen if isinstance(one, TaskStarting)][-1:] == ["pulling"])


def test_nodes_are_remembered_until_the_cluster_was_read(room: Room):
    room.open()
    room.until(lambda: room.engine.inventory())
    before = room.engine.inventory()
    room.engine.close()
    room.server.stop()
    gone = replace(before[0], name="n0.east")
    engine = room.open(remembered=(gone, *before))
    nodes = engine.inventory()
    assert [node.name for node in nodes] == ["n0.east", "n1.east"]
    assert {(node.state, node.why) for node in nodes} == {
        (NodeState.UNREACHABLE, "the cluster has not been read yet")
    }
    room.server.start()
    room.until(lambda: engine.inventory() == before)


def test_what_is_forgotten_at_the_last_moment_is_still_ended(room: Room):
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    room.engine.forget("job-1")
    room.engine.close()
    assert "deletionTimestamp" in room.server.pods()["job-1-w-0"]["metadata"]
