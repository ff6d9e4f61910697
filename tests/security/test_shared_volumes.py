"""A real server of root, and one of an ordinary user with subordinate ids: people share a volume, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from danlu.sdk import Client, Invalid, VolumeTaken
from tests.live import PATIENCE, LiveServer, eventually, live_server, training
from tests.ordinary import ordinary_user
from tests.security.test_subordinate_ids import OrdinaryServer

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module", params=["root", "subordinate"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    if request.param == "root":
        with live_server(tmp_path_factory.mktemp("live"), "--virtual-nodes", "1x4xA100") as one:
            yield one
        return
    with ordinary_user() as user:
        ordinary = OrdinaryServer(user)
        ordinary.start()
        try:
            yield ordinary
        finally:
            ordinary.clean_up()


@pytest.fixture(scope="module")
def people(server: LiveServer) -> dict[str, Client]:
    """Ann owns the volumes, Bob and Eve are others."""
    with server.client() as client:
        for name in ("ann", "bob", "eve"):
            client.people.create(name, password=PASSWORD)
    return {name: _as(server, name) for name in ("ann", "bob", "eve")}


def _as(server: LiveServer, name: str) -> Client:
    with httpx.Client(base_url=f"{server.url}/api/v1/") as browser:
        session = browser.post("session", json={"username": name, "password": PASSWORD}).json()
        made = browser.post("tokens", json={"name": "test"}, headers={"X-CSRF-Token": session["csrf"]})
        return Client(url=server.url, token=made.json()["secret"])


def mounting(volume: str, mode: str = "ro", **more: Any) -> dict[str, Any]:
    return {"resources": {"cpus": 0.1, "memory": "64MiB"}, "mounts": [{"volume": volume, "path": "/data", "mode": mode, **more}]}  # fmt: skip


def ran(client: Client, name: str, command: str, **keys: Any) -> tuple[str, str]:
    """How it ended and what it printed."""
    job = client.wait(client.submit(training(name, command, **keys)).id, timeout=PATIENCE)
    return job.state, "\n".join(line.text for line in client.logs(job.id))


def test_two_jobs_of_two_people_share_a_volume(people: dict[str, Client]) -> None:
    ann, bob = people["ann"], people["bob"]
    ann.volumes.create("data", "1GiB")
    ann.volumes.share("data", user="bob", mode="rw")
    state, said = ran(
        ann, "writes", "umask 077; echo from ann > /data/hers; mkdir /data/d", **mounting("data", "rw")
    )
    assert state == "completed", said
    state, said = ran(bob, "reads", "cat /data/hers && echo more >> /data/hers && echo x > /data/d/y", **mounting("ann:data", "rw"))  # fmt: skip
    assert (state, "from ann" in said) == ("completed", True), said
    state, said = ran(ann, "again", "cat /data/hers /data/d/y && rm -r /data/d", **mounting("data", "rw"))
    assert (state, "more" in said) == ("completed", True), said


def test_whom_it_is_not_shared_with_learns_and_reaches_nothing(
    server: LiveServer, people: dict[str, Client]
) -> None:
    ann, eve = people["ann"], people["eve"]
    ann.volumes.create("private", "1GiB")
    ran(ann, "secret", "echo my secret > /data/secret", **mounting("private", "rw"))
    with pytest.raises(Invalid) as refusal:
        eve.submit(training("tries", "true", **mounting("ann:private")))
    assert [one.code for one in refusal.value.errors] == ["no_such_volume"]
    folder = server.data / "volume-data"
    _, said = ran(
        eve, "looks", f"cat {folder}/*/files/secret; ls -R {folder}; find / -name secret 2>/dev/null; true"
    )
    assert "my secret" not in said
    assert "/files" not in said.replace(f"{folder}/*/files", "")


def test_a_read_only_share_is_not_written_to(people: dict[str, Client]) -> None:
    ann, bob = people["ann"], people["bob"]
    ann.volumes.create("looked-at", "1GiB")
    ann.volumes.share("looked-at", user="bob", mode="ro")
    ran(ann, "fills", "echo as it was > /data/file", **mounting("looked-at", "rw"))
    with pytest.raises(Invalid) as refusal:
        bob.submit(training("writes", "true", **mounting("ann:looked-at", "rw")))
    assert [one.code for one in refusal.value.errors] == ["read_only_share"]
    state, said = ran(
        bob, "overwrites", "cat /data/file; echo mine > /data/file", **mounting("ann:looked-at")
    )
    assert (state, "as it was" in said) == ("failed", True)


def test_block_volumes_have_one_writer_and_are_not_deleted_while_it_runs(people: dict[str, Client]) -> None:
    ann = people["ann"]
    ann.volumes.create("disk", "1GiB", kind="block")
    first = ann.submit(training("first", "sleep 600", max_time="1h", **mounting("disk", "rw")))
    eventually(lambda: ann.get(first.id).state == "running")
    second = ann.submit(training("second", "echo done > /data/done", **mounting("disk", "rw")))
    eventually(lambda: (why := ann.get(second.id).waiting) is not None and why.code == "volume_busy")
    with pytest.raises(VolumeTaken, match="volume ann:disk is written by job first until about"):
        ann.submit(training("third", "true", **mounting("disk", busy="refuse")))
    with pytest.raises(Exception, match="in use by job"):
        ann.volumes.delete("disk")
    ann.stop(first.id)
    assert ann.wait(second.id, timeout=PATIENCE).state == "completed"
    ann.volumes.delete("disk")
    with pytest.raises(Invalid) as refusal:
        ann.start(second.id)
    assert [one.code for one in refusal.value.errors] == ["volume_in_trash"]


def test_an_archive_and_a_folder_on_the_nodes_disk_need_no_volume(people: dict[str, Client]) -> None:
    mounts = [{"local": "100MiB", "path": "/scratch"}]
    command = "echo x > /scratch/x && cp /scratch/x /archives/bob/kept"
    state, said = ran(people["bob"], "scratches", command, mounts=mounts)
    assert state == "completed", said
    state, said = ran(
        people["bob"], "finds", 'test -z "$(ls -A /scratch)" && cat /archives/bob/kept', mounts=mounts
    )
    assert state == "completed", said
