"""Tasks that are started again: further pods, which the others are told of."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain.reasons import ExitCode, NeverStarted
from danlu.ports.engine import AttemptOrder
from tests.unit.engines.kubernetes.room import Room, order

HOSTS = "danlu.io/hosts"


def again(first: AttemptOrder, *, held: bool = False) -> AttemptOrder:
    """The second of two tasks is to run once more."""
    one, two = first.tasks
    return replace(
        first, tasks=(replace(one, seen=True), replace(two, name="w-1-r1", host="w-1", seen=False, held=held))
    )


def hosts(room: Room, pod: str) -> str:
    told: str = (room.server.pods()[pod]["metadata"].get("annotations") or {}).get(HOSTS, "")
    return told


def run_both(room: Room) -> AttemptOrder:
    engine = room.open()
    engine.start(order(2))
    room.until(lambda: len(room.server.pods()) == 2)
    room.server.run("job-1-w-0", "10.1.0.1")
    room.server.run("job-1-w-1", "10.1.0.2")
    room.until_running(2)
    return order(2)


def test_the_others_are_told_the_new_address_of_a_task_that_came_back(room: Room):
    first = run_both(room)
    room.until(lambda: hosts(room, "job-1-w-0") == "10.1.0.1 w-0\n10.1.0.2 w-1\n")
    room.server.end("job-1-w-1", 3)
    assert room.until_ended() == {"w-1": ExitCode("w-1", 3)}
    room.engine.start(again(first))
    room.until(lambda: "job-1-w-1-r1" in room.server.pods())
    assert room.server.pods()["job-1-w-1-r1"]["spec"]["hostname"] == "w-1"
    room.server.run("job-1-w-1-r1", "10.1.0.3")
    told = "10.1.0.1 w-0\n10.1.0.3 w-1\n"
    room.until(lambda: {hosts(room, pod) for pod in ("job-1-w-0", "job-1-w-1-r1")} == {told})
    assert hosts(room, "job-1-w-1") != told, "what is over needs to know nothing more"


def test_what_is_over_and_has_left_no_address_keeps_nobody_waiting(room: Room):
    engine = room.open()
    one, two = order(2).tasks
    engine.start(replace(order(2), tasks=(replace(one, seen=True), two)))
    room.until_ended()
    room.until(lambda: "job-1-w-1" in room.server.pods())
    room.server.run("job-1-w-1", "10.1.0.2")
    room.until(lambda: hosts(room, "job-1-w-1") == "10.1.0.2 w-1\n")


def test_a_held_task_has_no_pod_until_it_is_due_and_none_if_it_is_stopped(room: Room):
    first = run_both(room)
    room.server.end("job-1-w-1", 3)
    room.until_ended()
    room.seen.clear()
    room.engine.start(again(first, held=True))
    room.until_running(1)
    assert "job-1-w-1-r1" not in room.server.pods()
    room.server.obey()
    room.engine.stop(again(first, held=True), 1_000)
    assert room.until_ended(2)["w-1-r1"] == NeverStarted("w-1-r1")
