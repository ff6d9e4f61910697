"""Claims that an attempt needs and nobody has made are made before its first pod, once."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain.reasons import NotAdmitted, StartFailed
from danlu.engines.kubernetes.objects.claims import personal_claim_name
from danlu.ports.engine import AttemptOrder, ClaimOrder, MountOrder
from tests.fakes.kubernetes import Fault
from tests.unit.engines.kubernetes.room import RULE, SPACE, Room, order

EACH = replace(RULE, filesystem_class="nfs")
NEW = ClaimOrder("danlu-volume-0v1", "nfs", 2**30, True, "lin", "0v1")


def mounting(tasks: int = 1) -> AttemptOrder:
    return replace(order(tasks), mounts=(MountOrder("/data", False, "0v1", claim=NEW.name, new=NEW),))


def test_a_person_gets_a_claim_with_their_first_job_and_keeps_it(room: Room):
    room.open(EACH).start(order(3))
    room.until(lambda: len(room.server.pods()) == 3)
    [made] = room.server.cluster.all("persistentvolumeclaims", SPACE)
    assert made["metadata"]["name"] == personal_claim_name("lin")
    assert room.asked("create persistentvolumeclaims") == 1
    room.engine.start(order(1, attempt="job-2"))
    room.until(lambda: len(room.server.pods()) == 4)
    assert room.server.cluster.all("persistentvolumeclaims", SPACE) == [made]


def test_a_volume_that_nobody_has_made_a_claim_for_gets_it_before_the_pod(room: Room):
    room.open().start(mounting())
    room.until(lambda: room.server.pods())
    [made] = room.server.cluster.all("persistentvolumeclaims", SPACE)
    assert made["metadata"]["labels"]["danlu.io/volume"] == "0v1"
    whats = [what for what, _ in room.server.requests if what.startswith("create")]
    assert whats.index("create persistentvolumeclaims") < whats.index("create pods")


def test_a_claim_of_the_name_that_is_anothers_is_not_mounted(room: Room):
    foreign = {
        "metadata": {"namespace": SPACE, "name": NEW.name, "labels": {"danlu.io/volume": "0v2"}},
        "spec": {},
    }
    room.server.cluster.put("persistentvolumeclaims", foreign)
    room.open().start(mounting())
    why = room.until_ended()["w-0"]
    assert isinstance(why, StartFailed)
    assert NEW.name in why.message
    assert not room.server.pods()


def test_a_claim_that_the_namespace_has_no_room_for_sends_the_job_back(room: Room):
    message = b'{"code": 403, "reason": "Forbidden", "message": "exceeded quota: storage"}'
    room.server.faults["create persistentvolumeclaims"] = [Fault(403, body=message)]
    room.open().start(mounting())
    assert isinstance(room.until_ended()["w-0"], NotAdmitted)
