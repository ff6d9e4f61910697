"""Controllers that die, stand still or are cut off while others take over: no task ever runs twice.

The judge is the API server: its own record of the pods that were created and came to a node."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from danlu.bootstrap.clock import SystemClock
from danlu.control.plane.leadership import LIFE_MS
from danlu.data.directory import DataDirectory
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes import KubernetesEngine
from danlu.ports.clusters import ClusterCredentials
from danlu.sdk import Client
from danlu.sdk.http.errors import Unavailable
from danlu.telemetry.logs import log_path
from tests.effort import rounds, seed
from tests.kubernetes.contest import NAME, SMALL, Contender, Contest, contest_on
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.live import eventually, training
from tools.cluster.cluster import Cluster

pytestmark = [pytest.mark.own_cluster, pytest.mark.timeout(420)]

JOBS, GANGS = rounds(36, 60), rounds(12, 20)
SENDING_S = 48.0  # about as long as the hardships take
GANG = 8
TRIES = 10
A_POD_A_SECOND = 64  # kilobits: what the request for one pod weighs
LEASE_S = LIFE_MS / 1000


@pytest.fixture
def contest(tmp_path: Path, postgres_url: str, cluster: Cluster, kube: Kube) -> Iterator[Contest]:
    with contest_on(tmp_path, postgres_url, cluster, kube) as made:
        yield made


@pytest.fixture
def client(contest: Contest, place: Place) -> Client:
    """At the one server, when two controllers stand ready and the cluster's nodes are known.

    Pods get all the time they want to be admitted: the machine is busy, and every job shall need one attempt only."""
    made = contest.client(contest.open(place, 2, admission_time="10m"))
    contest.wait_for_nodes(made)
    return made


# ── the fight ────────────────────────────────────────────────────────────────────────────────────────

Hardship = Callable[[Contender, random.Random], None]


def stands_still(leader: Contender, chance: random.Random) -> None:
    """Longer than its lease, so that it wakes up as a former leader that does not know."""
    leader.now.pause()
    time.sleep(LEASE_S + chance.uniform(1, 3))
    leader.now.go_on()


def hesitates(leader: Contender, chance: random.Random) -> None:
    """About as long as it may lead without asking."""
    leader.now.pause()
    time.sleep(chance.uniform(4, LEASE_S))
    leader.now.go_on()


def dies(leader: Contender, chance: random.Random) -> None:
    leader.now.kill()
    time.sleep(chance.uniform(0, 2))
    leader.start()


def loses_the_cluster(leader: Contender, chance: random.Random) -> None:
    """It leads on and cannot act."""
    leader.guest.cut()
    time.sleep(chance.uniform(3, 8))
    leader.guest.mend()


def loses_the_database(leader: Contender, chance: random.Random) -> None:
    """It could act and leads no more; what it has already written there arrives late."""
    leader.line.cut()
    time.sleep(LEASE_S + chance.uniform(1, 3))
    leader.line.mend()


HARDSHIPS: tuple[Hardship, ...] = (stands_still, hesitates, dies, loses_the_cluster, loses_the_database, dies)


def logged(client: Client, name: str, rank: int) -> list[str]:
    return [line.text for line in client.logs(name, task=f"worker-{rank}")]


def test_controllers_that_fight_for_the_lead_start_every_task_once(
    contest: Contest, client: Client, place: Place, tmp_path: Path
) -> None:
    chance = random.Random(seed())
    jobs = [job(number, place, chance) for number in range(JOBS)]
    sending = threading.Thread(target=submit_all, args=(client, jobs, random.Random(seed())))
    sending.start()
    for hardship in chance.sample(HARDSHIPS, len(HARDSHIPS)):
        in_the_middle_of_something(contest)
        hardship(contest.leading(), chance)
    sending.join()

    for one in jobs:
        found = client.wait(one["name"])
        assert found.state == "completed", (one["name"], found.state, found.reason)
        for rank in range(one.get("nodes", 1)):
            # An end does not wait for ever for the rest of its log, which comes when the kubelet answers.
            assert eventually(partial(logged, client, one["name"], rank)) == ["begins"], one["name"]
    seen = contest.seen()
    assert (seen.bound_twice(), seen.created_twice()) == ({}, {})
    assert sorted(seen.attempts().values()) == sorted(one.get("nodes", 1) for one in jobs)
    assert contest.epoch() >= 5, "the lead hardly ever changed hands"
    contest.assert_only_leaders_wrote()

    assert [contender.now.interrupt() for contender in contest.contenders] == [0, 0]
    assert {pod["status"]["phase"] for pod in contest.pods()} == {"Succeeded"}
    collect_at_once(contest, tmp_path)


def job(number: int, place: Place, chance: random.Random) -> dict[str, Any]:
    """A short one; every third is a gang of two, which cannot go on before its controller tells one of the other."""
    size = {"nodes": 2} if number % (JOBS // GANGS) == 0 else {}
    command = f"echo begins; sleep {chance.uniform(0, 2):.1f}"
    return training(f"job-{number}", command, image=place.busybox, resources=SMALL, **size)


def submit_all(client: Client, jobs: list[dict[str, Any]], chance: random.Random) -> None:
    for one in jobs:
        eventually(lambda job=one: submitted(client, job))
        time.sleep(chance.uniform(0, 2 * SENDING_S / JOBS))


def submitted(client: Client, job: dict[str, Any]) -> bool:
    """A leader that stands still in the middle of writing keeps the others from it: they are told to try again."""
    try:
        client.submit(job)
    except Unavailable:
        return False
    return True


def in_the_middle_of_something(contest: Contest) -> None:
    """Until another pod was made, as long as any are."""
    before, deadline = len(contest.pods()), time.monotonic() + 5
    while len(contest.pods()) == before and time.monotonic() < deadline:
        time.sleep(0.01)


def collect_at_once(contest: Contest, root: Path) -> None:
    """What ended stays for a while as proof. Its time is up now: nothing is left of anything."""
    rule = KubernetesCluster(NAME, namespace=contest.kube.namespace, dns=False)
    access = ClusterCredentials(contest.kube.kubeconfig.read_text())
    engine = KubernetesEngine(
        rule,
        access,
        log_path=lambda key: log_path(root, key),
        clock=SystemClock(),
        kept_ms=500,
        installation=DataDirectory(root / "data", shared=True).id,
    )
    try:
        engine.sweep(())
        eventually(lambda: contest.pods() == [])
    finally:
        engine.close()


# ── a gang cut in two ────────────────────────────────────────────────────────────────────────────────


def test_a_gang_whose_controller_died_between_its_pods_is_completed_by_another(
    contest: Contest, client: Client, place: Place
) -> None:
    for tried in range(1, TRIES + 1):
        name = f"gang-{tried}"
        leader = contest.leading()
        leader.guest.narrow(A_POD_A_SECOND)
        made = pods_made_before_the_death_of(leader, contest, client, gang(name, place))
        if made < GANG:
            break
        leader.start()  # it was too quick for us: all of them were made
        assert client.wait(name).state == "completed"
    assert 0 < made < GANG, "no controller was killed in the middle of a gang"

    assert client.wait(name).state == "completed"
    seen = contest.seen()
    assert (seen.created_twice(), seen.bound_twice()) == ({}, {})
    assert sorted(seen.attempts().values()) == [GANG] * tried
    contest.assert_only_leaders_wrote()


def gang(name: str, place: Place) -> dict[str, Any]:
    return training(name, "sleep 1", image=place.busybox, nodes=GANG, resources=SMALL)


def pods_made_before_the_death_of(
    leader: Contender, contest: Contest, client: Client, job: dict[str, Any]
) -> int:
    """Kill the leader as soon as the first pod is seen; how many there are once what it had sent is through."""
    before = len(contest.pods())
    killing = threading.Thread(target=kill_at_the_first_pod, args=(leader, contest.kube))
    killing.start()
    client.submit(job)
    killing.join()
    made = -1
    while (now := len(contest.pods())) != made:
        made = now
        time.sleep(0.5)
    return made - before


def kill_at_the_first_pod(leader: Contender, known: Kube) -> None:
    with Kube(known.kubeconfig, known.namespace) as kube:
        version = kube.get(kube.path("pods"))["metadata"]["resourceVersion"]
        params = {"watch": "1", "resourceVersion": version, "timeoutSeconds": "60"}
        with kube.http.stream("GET", kube.path("pods"), params=params, timeout=70) as answer:
            for line in answer.iter_lines():
                if json.loads(line)["type"] == "ADDED":
                    leader.now.kill()
                    return
