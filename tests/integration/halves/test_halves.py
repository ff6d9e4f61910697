"""Two servers and two controllers on one PostgreSQL: one Danlu, whoever dies or stands still."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.control.plane.leadership import LIFE_MS
from danlu.sdk import Client
from tests.halves import Halves, halves
from tests.live import PATIENCE, eventually, live_server, training

SMALL = {"cpus": 0.1, "memory": "64MiB"}


@pytest.fixture
def them(tmp_path: Path, postgres_url: str) -> Iterator[Halves]:
    with halves(tmp_path, postgres_url) as started:
        yield started


MARK = 'echo started >> "$DANLU_PERSONAL_DIR/$DANLU_JOB_NAME"'
ENDLESS = (
    f"{MARK}; n=0; until [ -e $DANLU_PERSONAL_DIR/enough ]; do n=$((n+1)); echo line $n; sleep 0.05; done"
)


def counting(lines: int) -> str:
    return f"{MARK}; for n in $(seq 1 {lines}); do echo line $n; sleep 0.05; done"


def end_endless(them: Halves, client: Client) -> None:
    """Whoever counts without end may stop; not a line of it was lost or doubled."""
    assert client.get("goes-on").state == "running"
    (them.root / "data" / "volumes" / "admin" / "enough").touch()
    assert client.wait("goes-on").state == "completed"
    lines = [line.text for line in client.logs("goes-on")]
    assert lines == [f"line {n}" for n in range(1, len(lines) + 1)]


def test_what_is_done_at_one_server_is_seen_live_at_the_other_and_prometheus_is_told_who_leads(
    them: Halves,
) -> None:
    first, second = them.server("server_1"), them.server("server_2")
    controller = them.controller("controller_1")
    them.leader()
    here, there = them.client(first), them.client(second)
    assert [half.said().count("sign in once") for half in (first, second)] == [1, 0]
    assert first.readiness() == {"status": "ready", "half": "server"}
    assert controller.readiness() == {"status": "ready", "half": "controller", "leader": True}
    with urllib.request.urlopen(f"{controller.url}/metrics", timeout=PATIENCE) as answer:
        figures = answer.read().decode()
    assert "danlu_leader 1.0" in figures
    assert "danlu_lease_epoch 1.0" in figures
    eventually(lambda: len(there.machines.nodes.list()) == len(here.machines.nodes.list()) == 2)

    heard: list[str] = []
    stream = there.stream_events(after=them.latest_event())
    listener = threading.Thread(
        target=lambda: heard.extend(event.kind for event in _until_completed(stream)), daemon=True
    )
    listener.start()
    job = here.submit(training("shared", counting(60), resources=SMALL))
    followed = [line.text for line in there.logs(job.id, follow=True)]
    listener.join(PATIENCE)

    assert followed == [f"line {n}" for n in range(1, 61)]
    assert heard[0] == "job_created"
    assert "task_running" in heard
    assert there.get("shared").state == "completed"
    assert (them.root / "data" / "volumes" / "admin" / "shared").exists()

    # A rule made at one server holds at the other and for the controller.
    here.machines.nodes.edit("a100-1", cordoned=True)
    eventually(lambda: there.machines.nodes.get("a100-1").state == "cordoned")
    big = training("waits", "true", nodes=2, resources={"gpus": 8})
    there.submit(big)
    eventually(lambda: here.get("waits").waiting)
    assert [place["name"] for place in there.pages("queue", None, {})] == ["waits"]
    there.machines.nodes.edit("a100-1", cordoned=False)
    assert here.wait("waits").state == "completed"
    them.assert_only_leaders_wrote()


def _until_completed(stream):
    for event in stream:
        yield event
        if event.data.get("to") == "completed":
            return


@pytest.mark.timeout(240)
def test_a_killed_leader_is_followed_and_its_jobs_go_on_and_start_once(them: Halves) -> None:
    client = them.client(them.server("server_1"))
    them.controller("controller_1")
    them.controller("controller_2")
    leader = them.leader()
    standby = next(half for half in them.controllers() if half is not leader)
    eventually(client.machines.nodes.list)  # a new leader tells of them a moment after it leads
    client.submit(training("goes-on", ENDLESS, resources=SMALL))
    eventually(lambda: client.get("goes-on").state == "running")
    leader.kill()
    began = time.monotonic()
    client.submit(training("asked-meanwhile", counting(1), resources=SMALL))
    eventually(standby.leads)
    assert time.monotonic() - began < LIFE_MS / 1000 + 30, (
        "by the lease, with all the time that a busy machine may want"
    )

    assert client.wait("asked-meanwhile").state == "completed"
    end_endless(them, client)
    assert (them.starts("goes-on"), them.starts("asked-meanwhile")) == (1, 1)
    assert them.epoch() == 2
    them.assert_only_leaders_wrote()


@pytest.mark.timeout(300)
def test_a_leader_that_stood_still_past_its_lease_writes_nothing_more_and_stands_by(them: Halves) -> None:
    client = them.client(them.server("server_1"))
    them.controller("controller_1")
    them.controller("controller_2")
    leader = them.leader()
    standby = next(half for half in them.controllers() if half is not leader)
    eventually(client.machines.nodes.list)  # a new leader tells of them a moment after it leads
    client.submit(training("goes-on", ENDLESS, resources=SMALL))
    # Under load, so that it is stopped in the middle of something.
    names = [f"many-{number}" for number in range(12)]
    for name in names[:6]:
        client.submit(training(name, counting(2), resources=SMALL))
    leader.pause()
    for name in names[6:]:
        client.submit(training(name, counting(2), resources=SMALL))
    eventually(standby.leads)
    for name in names:
        assert client.wait(name).state == "completed"
    leader.go_on()

    eventually(lambda: not leader.leads() and "no longer the leader" in leader.said())
    assert standby.leads()
    client.submit(training("afterwards", counting(1), resources=SMALL))
    assert client.wait("afterwards").state == "completed"
    end_endless(them, client)
    assert [them.starts(name) for name in (*names, "goes-on", "afterwards")] == [1] * 14
    assert them.epoch() == 2
    them.assert_only_leaders_wrote()

    # It stands by in earnest: it leads again when the other ends, at once.
    assert standby.interrupt() == 0
    eventually(leader.leads)
    assert them.epoch() == 3


@pytest.mark.parametrize("half", ["server", "controller"])
def test_a_half_needs_a_database_that_can_be_shared(tmp_path: Path, half: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "danlu.cli.main", half, "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("database: separate processes need a PostgreSQL database")
    assert "danlu up" in refused.stderr


@pytest.mark.timeout(240)
def test_up_leads_at_once_after_its_death_and_is_refused_while_another_leads(
    tmp_path: Path, postgres_url: str
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with live_server(tmp_path / "one", DANLU_DATABASE=postgres_url) as server:
        refused = server.cli("up", "--data", str(tmp_path / "other" / "data"), "--port", "0")
        assert refused.returncode == 1
        assert "another Danlu already uses this database" in refused.stderr
        server.kill()
        server.start()
        assert server.client().wait(server.client().submit(training("first", "true")).id).state == "completed"
    with halves(tmp_path / "other", postgres_url) as them:
        them.controller("controller_1")
        them.leader()
        with pytest.raises(AssertionError, match="another Danlu already uses this database"):
            server.start()
