"""The engine against an API server that lets it down in every way a real one does only once in a while."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.events import TaskDelayed, TaskEnded
from danlu.domain.job import NetworkPolicy
from danlu.domain.node import NodeState
from danlu.domain.reasons import (
    DeletedElsewhere,
    ExitCode,
    NodeLost,
    NotAdmitted,
    Reason,
    Signal,
    StartFailed,
)
from danlu.engines.kubernetes.objects.pods import pod_of
from danlu.engines.kubernetes.tasks import acting, attempts
from danlu.engines.kubernetes.watch import mirror
from tests.fakes.kubernetes import Fault, Json
from tests.unit.engines.kubernetes.room import SPACE, Room, order

# ── answers that are lost, wrong or late ─────────────────────────────────────────────────────────────


def test_a_create_whose_answer_was_lost_makes_one_pod(room: Room):
    room.server.lost["POST pods"] = 1
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    assert room.asked("create pods") <= 2
    assert len(room.server.pods()) == 1


def test_a_conflict_is_adopted_when_it_is_the_same_task(room: Room):
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    uid = room.server.pods()["job-1-w-0"]["metadata"]["uid"]
    room.engine.close()
    room.open().start(order())
    room.until_running()
    assert room.server.pods()["job-1-w-0"]["metadata"]["uid"] == uid
    assert room.asked("create pods") == 1


def test_a_conflict_with_somebody_elses_pod_fails_the_task(room: Room):
    room.server.cluster.put("pods", {"metadata": {"namespace": SPACE, "name": "job-1-w-0"}, "spec": {}})
    room.open().start(order())
    why = room.until_ended()["w-0"]
    assert why == StartFailed(
        "w-0", "the cluster already has a pod job-1-w-0, which does not belong to this task"
    )
    assert "job-1-w-0" in room.server.pods(), "what is not ours is not touched"


def test_a_network_that_nothing_would_enforce_is_refused(room: Room):
    room.open().start(replace(order(), network=NetworkPolicy.NONE))
    assert room.until_ended()["w-0"] == StartFailed(
        "w-0", "network: none is not available on Kubernetes; leave it out, or use this machine's nodes"
    )
    assert not room.server.pods()


@pytest.mark.parametrize(
    ("status", "message", "reason"),
    [
        (403, 'pods "x" is forbidden: exceeded quota: few, requested: pods=1', NotAdmitted),
        (403, 'pods "x" is forbidden: status unknown for quota: few', NotAdmitted),
        (403, "pods is forbidden: unable to create new content because it is being terminated", NotAdmitted),
        (403, "pods is forbidden: User cannot create resource", StartFailed),
        (404, 'namespaces "jobs" not found', StartFailed),
        (422, "Pod is invalid: spec.containers[0].image: Required value", StartFailed),
    ],
)
def test_a_refusal_for_good_is_told_in_the_servers_words(
    room: Room, status: int, message: str, reason: type[Reason]
):
    body = json.dumps({"kind": "Status", "code": status, "message": message}).encode()
    room.server.faults["create pods"] = [Fault(status, body=body)]
    room.open().start(order())
    why = room.until_ended()["w-0"]
    assert isinstance(why, reason)
    assert getattr(why, "message") == message  # noqa: B009
    room.time.goes_by(10)
    assert room.asked("create pods") == 1


def test_a_storm_of_refusals_for_now_delays_and_loses_nothing(room: Room):
    room.server.faults["create pods"] = [Fault(429, "TooManyRequests", 0), Fault(503, "Unavailable")] * 6
    room.open().start(order(4))
    room.until(lambda: len(room.server.pods()) == 4)
    for pod in room.server.pods():
        room.server.run(pod)
    room.until_running(4)
    delayed = [event for event in room.seen if isinstance(event, TaskDelayed)]
    assert delayed
    assert all("503" in event.why for event in delayed)
    assert not room.ends()


def test_what_is_made_only_after_it_was_forgotten_is_ended_at_once(room: Room):
    room.server.obey()
    room.server.faults["create pods"] = [Fault(429, "TooManyRequests", 1)]
    room.open().start(order())
    room.until(lambda: room.asked("create pods") == 1)
    room.engine.forget("job-1")
    room.until(lambda: room.asked("create pods") == 2)
    room.until(lambda: room.asked("delete pods") == 1)
    room.until(lambda: not room.server.pods())


def test_a_delete_that_fails_is_repeated_until_the_task_has_ended(room: Room):
    room.server.obey()
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    room.server.faults["delete pods"] = [Fault(cut=True), Fault(500, "Internal"), Fault(cut=True)]
    room.engine.stop(order(), 0)
    assert room.until_ended()["w-0"] == Signal("w-0", "SIGTERM")


def test_a_fault_of_our_own_holds_up_one_task_and_only_for_a_while(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    faults = [KeyError("unforeseen")]

    def faulty(*args: Any, **more: Any) -> Json:
        if faults and args[2].name == "w-0":
            raise faults.pop()
        return pod_of(*args, **more)

    monkeypatch.setattr(acting, "pod_of", faulty)
    monkeypatch.setattr(attempts, "_AFTER_A_FAULT_S", 0.05)
    room.open().start(order(2))
    room.until(lambda: len(room.server.pods()) == 2)
    assert "job-1-w-0 could not be handled" in caplog.text


# ── what is not known is not acted on ────────────────────────────────────────────────────────────────


def test_nothing_is_done_before_the_cluster_was_read(room: Room):
    room.server.faults["list pods"] = [Fault(503, "Unavailable")] * 6
    room.open().start(order())
    room.until(lambda: room.asked("list pods") >= 2)
    assert room.asked("create pods") == 0
    room.until(lambda: room.server.pods())


def test_what_ended_while_the_watch_was_broken_and_forgotten_is_told_after_it(room: Room):
    room.open().start(order(2))
    room.until(lambda: len(room.server.pods()) == 2)
    for pod in room.server.pods():
        room.server.run(pod)
    room.until_running(2)
    room.server.stop()
    room.server.end("job-1-w-0", 3)
    room.server.cluster.remove("pods", f"{SPACE}/job-1-w-1")
    room.server.cluster.forget()
    room.server.start()
    ends = room.until_ended(2)
    assert ends["w-0"] == ExitCode("w-0", 3)
    assert ends["w-1"] == DeletedElsewhere("w-1")
    assert room.asked("create pods") == 2


def test_a_watch_that_forgot_its_place_reads_anew_and_goes_on(room: Room):
    room.open().start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    room.server.cluster.forget()
    room.server.cut(b'{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n')
    room.server.end("job-1-w-0")
    assert room.until_ended() == {"w-0": None}
    assert len([event for event in room.seen if isinstance(event, TaskEnded)]) == 1


def test_what_was_seen_is_asked_for_once_more_before_it_is_lost(room: Room):
    room.open().start(order(seen=True))
    assert room.until_ended()["w-0"] == NodeLost("w-0", "n1.east")
    assert room.asked("get pods") == 1
    assert room.asked("create pods") == 0


def test_tasks_say_that_the_api_server_does_not_answer(room: Room):
    engine = room.open()
    room.until(engine.inventory)
    room.server.stop()
    engine.start(order())
    room.until(lambda: any(isinstance(event, TaskDelayed) for event in room.seen))
    room.server.start()
    room.until(lambda: room.server.pods())


def test_a_silent_api_server_makes_all_nodes_unreachable(room: Room, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mirror, "_SILENCE_S", 0.1)
    engine = room.open()
    room.until(lambda: [node.state for node in engine.inventory()] == [NodeState.READY])
    room.server.stop()
    room.until(lambda: [node.state for node in engine.inventory()] == [NodeState.UNREACHABLE])
    assert engine.inventory()[0].why.startswith("the cluster does not answer: ")
    room.server.start()
    room.until(lambda: [node.state for node in engine.inventory()] == [NodeState.READY])


def test_who_does_not_lead_changes_nothing_and_goes_on_when_the_lead_was_only_renewed_late(room: Room):
    leads, asked = [True], []

    def guard() -> bool:
        asked.append(leads[0])
        return leads[0]

    engine = room.open(guard=guard)
    room.server.obey()
    engine.start(order())
    room.until(lambda: room.server.pods())
    room.server.run("job-1-w-0")
    room.until_running()
    leads[0] = False
    asked.clear()
    engine.stop(order(), 0)
    engine.start(order(attempt="other-1"))
    engine.sweep(())
    room.until(lambda: len(asked) >= 4)
    assert list(room.server.pods()) == ["job-1-w-0"]
    assert (room.asked("create pods"), room.asked("delete pods")) == (1, 0)

    leads[0] = True
    room.until_ended()
    room.until(lambda: "other-1-w-0" in room.server.pods())
