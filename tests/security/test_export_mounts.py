"""A real server and a real NFS server: exports are attached, browsed and mounted, and are nobody else's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from danlu.sdk import Client, Conflict, Invalid, NotAllowed, NotAttachable, NotFound
from tests.live import PATIENCE, LiveServer, live_server, training
from tools.testing.nfs import NfsServer

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    options = ("--virtual-nodes", "1x4xA100")
    with live_server(tmp_path_factory.mktemp("live"), *options, DANLU_ATTACH_LOCAL="true") as one:
        yield one


@pytest.fixture(scope="module")
def people(server: LiveServer) -> dict[str, Client]:
    with server.client() as client:
        for name in ("ann", "eve"):
            client.people.create(name, password=PASSWORD)
    return {name: _as(server, name) for name in ("ann", "eve")}


def _as(server: LiveServer, name: str) -> Client:
    with httpx.Client(base_url=f"{server.url}/api/v1/") as browser:
        session = browser.post("session", json={"username": name, "password": PASSWORD}).json()
        made = browser.post("tokens", json={"name": "test"}, headers={"X-CSRF-Token": session["csrf"]})
        return Client(url=server.url, token=made.json()["secret"])


@pytest.fixture
def ann(people: dict[str, Client]) -> Client:
    return people["ann"]


def ran(client: Client, name: str, command: str, mount: dict[str, Any]) -> tuple[str, str]:
    asked = training(
        name,
        command,
        resources={"cpus": 0.1, "memory": "64MiB"},
        mounts=[{"path": "/data", **mount}],
    )
    done = client.wait(client.submit(asked).id, timeout=PATIENCE)
    return done.state, "\n".join(line.text for line in client.logs(done.id))


def test_an_export_is_attached_and_its_files_are_read(ann: Client, nfs: NfsServer, exported: Path) -> None:
    (exported / "deep").mkdir()
    (exported / "deep" / "a.csv").write_text("x,y\n1,2\n")
    made = ann.volumes.attach("pool", nfs.address(exported))
    assert (made.kind, made.mode, made.has_login) == ("nfs", "ro", False)
    assert made.source is not None
    assert (made.source.address, made.source.private) == (nfs.address(exported), True)
    verdict = ann.volumes.check("pool")
    assert [one.code for one in verdict.findings] == ["name", "route", "export", "right"]
    assert verdict.ready
    files = ann.volumes.files("pool")
    assert [one.name for one in files.ls("deep")] == ["a.csv"]
    assert files.read("deep/a.csv") == b"x,y\n1,2\n"
    with pytest.raises(NotAllowed) as refused:
        files.mkdir("new")
    assert "only reads" in str(refused.value)
    with pytest.raises(Conflict):
        ann.volumes.set_login("pool", "key", "secret")
    ann.datasets.create("kept")
    with pytest.raises(Conflict) as outside:
        ann.datasets.snapshot("kept", "pool:/deep")
    assert "attached from outside" in str(outside.value)
    with pytest.raises(Invalid) as unread:
        ann.transfers.create("pool:/deep", "personal:/x")
    assert [(one.loc, one.code) for one in unread.value.errors] == [(("source",), "nfs")]


def test_jobs_read_a_copy_and_what_is_the_same_is_not_fetched_again(
    server: LiveServer, ann: Client, nfs: NfsServer, exported: Path
) -> None:
    (exported / "deep").mkdir()
    (exported / "deep" / "b").write_bytes(b"beta")
    (exported / "a").write_bytes(b"alpha")
    (exported / "out").symlink_to("/etc/passwd")
    made = ann.volumes.attach("mounted", nfs.address(exported))
    look = "cat /data/a /data/deep/b; ls /data; echo x > /data/new; true"
    state, said = ran(ann, "first", look, {"volume": "mounted"})
    assert state == "completed", said
    assert "alphabeta" in said
    assert "Read-only" in said
    assert "out" not in said.split()
    kept = {path: path.stat().st_ino for path in server.data.glob(f"bucket-cache/content/{made.id}/*")}
    assert len(kept) == 2
    (exported / "a").write_bytes(b"changed")
    state, said = ran(ann, "second", "cat /data/a", {"volume": "mounted"})
    assert (state, "changed" in said) == ("completed", True)
    again = {path: path.stat().st_ino for path in server.data.glob(f"bucket-cache/content/{made.id}/*")}
    assert kept.items() <= again.items()
    assert len(again) == 3
    with pytest.raises(Invalid) as refused:
        ran(ann, "writes", "true", {"volume": "mounted", "mode": "rw"})
    assert [one.code for one in refused.value.errors] == ["bucket_mounted_rw"]


def test_a_job_whose_export_is_closed_fails_and_says_where(
    ann: Client, nfs: NfsServer, exported: Path
) -> None:
    (exported / "closed").mkdir(mode=0o700)
    ann.volumes.attach("partly", nfs.address(exported))
    done = ann.wait(
        ann.submit(training("partly", "true", mounts=[{"path": "/data", "volume": "partly"}])).id,
        timeout=PATIENCE,
    )
    assert done.state == "failed"
    assert f"{exported.name}/closed" in str(done.reason)


def test_a_private_export_is_its_owners_alone(
    server: LiveServer, people: dict[str, Client], nfs: NfsServer, exported: Path
) -> None:
    eve = people["eve"]
    made = people["ann"].volumes.attach("mine", nfs.address(exported))
    for ref in (made.id, "ann:mine"):
        with pytest.raises(NotFound):
            eve.volumes.get(ref)
        with pytest.raises(NotFound):
            eve.volumes.check(ref)
        with pytest.raises(NotFound):
            list(eve.volumes.files(ref).ls())
        with pytest.raises(Invalid) as refused:
            ran(eve, "tries", "true", {"volume": ref})
        assert [one.code for one in refused.value.errors] == ["no_such_volume"]
    with pytest.raises(Conflict):
        people["ann"].volumes.share("mine", user="eve")
    with server.client() as administrator:
        assert administrator.volumes.get(made.id).mode is None
        with pytest.raises(NotAllowed):
            list(administrator.volumes.files(made.id).ls())


def test_only_administrators_read_as_somebody_and_share_it(
    server: LiveServer, people: dict[str, Client], nfs: NfsServer, exported: Path
) -> None:
    (exported / "own").write_bytes(b"own")
    (exported / "own").chmod(0o600)
    os.chown(exported / "own", 4711, 4712)
    address = nfs.address(exported)
    ann = people["ann"]
    with pytest.raises(NotAttachable) as closed:
        ann.volumes.attach("own", address)
    assert [one.code for one in closed.value.findings if one.level != "ok"] == ["right"]
    for more in ({"uid": 4711}, {"gid": 4712}, {"private": False}):
        with pytest.raises(NotAllowed):
            ann.volumes.attach("own", address, **more)
    with pytest.raises(NotAllowed):
        ann.volumes.attach("own", f"{address}?uid=4711&gid=4712")
    with server.client() as administrator:
        made = administrator.volumes.attach("own", address, uid=4711, gid=4712, private=False)
        administrator.volumes.share("own", user="ann")
    assert ann.volumes.files(made.id).read("own") == b"own"


def test_what_does_not_go_together_is_refused_at_the_field(
    server: LiveServer, ann: Client, nfs: NfsServer, exported: Path
) -> None:
    headers = {"Authorization": f"Bearer {ann.http.target.token}"}
    source = {"address": nfs.address(exported)}
    for more, field in (
        ({"source": {**source, "writable": True}}, "source"),
        ({"source": {**source, "endpoint": "https://x"}}, "source"),
        ({"source": {"address": "s3://data"}}, "source"),
        ({"source": {"address": "nfs://nas/../x"}}, "source"),
        ({"login": {"key": "k", "secret": "s"}}, "login"),
        ({"capacity": "1GiB"}, "capacity"),
        ({"kind": "bucket"}, "source"),
    ):
        body = {"name": "no", "kind": "nfs", "source": source, **more}
        answer = httpx.post(f"{server.url}/api/v1/volumes", json=body, headers=headers)
        assert answer.status_code == 422, answer.text
        assert [one["loc"][0] for one in answer.json()["errors"]] == [field]
