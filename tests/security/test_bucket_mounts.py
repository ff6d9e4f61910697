"""A real server and a real S3 server: jobs read copies of buckets, and nothing escapes, leaks or is anybody else's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from danlu.sdk import Client, Invalid, NotAttachable, NotFound
from tests.live import PATIENCE, LiveServer, eventually, live_server, training
from tools.testing.s3 import S3Server

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("live"), "--virtual-nodes", "1x4xA100", DANLU_ATTACH_LOCAL="true", DANLU_BUCKET_CACHE="40MiB"
    ) as one:  # fmt: skip
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
def put(s3: S3Server, bucket: str):
    def stored(key: str, content: bytes) -> None:
        s3.ask("PUT", f"/{bucket}/{quote(key)}", {}, content)

    return stored


@pytest.fixture
def attached(people: dict[str, Client], s3: S3Server, bucket: str):
    def attach(name: str) -> str:
        key, secret = s3.owner
        people["ann"].volumes.attach(name, f"s3://{bucket}", s3.endpoint, key=key, secret=secret)
        return name

    return attach


def job(name: str, command: str, mount: dict[str, Any]) -> dict[str, Any]:
    mounts = [{"path": "/data", **mount}]
    return training(name, command, resources={"cpus": 0.1, "memory": "64MiB"}, mounts=mounts)


def ran(client: Client, *what: Any) -> tuple[str, str]:
    done = client.wait(client.submit(job(*what)).id, timeout=PATIENCE)
    return done.state, "\n".join(line.text for line in client.logs(done.id))


def test_jobs_read_a_bucket_and_what_was_fetched_once_is_not_fetched_again(
    server: LiveServer, people: dict[str, Client], put, attached
) -> None:
    put("train/a", b"alpha")
    put("train/deep/b", b"beta")
    put("other", b"gamma")
    ann = people["ann"]
    attached("pool")
    look = "cat /data/train/a /data/train/deep/b; echo; env; echo x > /data/new; true"
    state, said = ran(ann, "first", look, {"volume": "pool"})
    assert state == "completed", said
    assert "alphabeta" in said
    assert "Read-only" in said
    kept = {path: path.stat().st_ino for path in server.data.glob("bucket-cache/content/*/*")}
    assert len(kept) == 3
    put("train/a", b"changed")
    state, said = ran(ann, "second", "cat /data/a; ls /data", {"bucket": "pool/train"})
    assert (state, "changed" in said, "deep" in said) == ("completed", True, True)
    again = {path: path.stat().st_ino for path in server.data.glob("bucket-cache/content/*/*")}
    assert kept.items() <= again.items()
    assert len(again) == 4
    eventually(lambda: not list(server.data.glob("bucket-cache/views/*")))


def test_a_login_is_nowhere_but_sealed(
    server: LiveServer, people: dict[str, Client], s3: S3Server, put, attached
) -> None:
    put("one", b"1")
    attached("sealed")
    _, said = ran(people["ann"], "looks", "env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null; mount; ls -R /data", {"volume": "sealed"})  # fmt: skip
    assert s3.owner.secret not in said
    key, secret = s3.owner
    with pytest.raises(NotAttachable) as refused:
        people["ann"].volumes.attach("no", "s3://no-such-bucket", s3.endpoint, key=key, secret=secret)
    assert secret not in f"{refused.value} {refused.value.findings}"
    holding = [path for path in files_of(server.data) if secret.encode() in path.read_bytes()]
    assert holding == []


def files_of(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]


def test_hostile_names_stay_in_the_copy(server: LiveServer, people: dict[str, Client], put, attached) -> None:
    for key in (
        "x/../../../../escaped",
        "a//b",
        "/abs",
        "./dot",
        "dir/",
        "both",
        "both/in",
        "new\nline",
        "-rf",
        "k" * 1000,
    ):
        put(key, b"data")  # fmt: skip
    before = set(server.data.parent.rglob("*escaped*"))
    attached("odd")
    state, said = ran(
        people["ann"],
        "odd-names",
        "find /data -type f | sort | tr '\\n' '|'; cat /data/-rf",
        {"volume": "odd"},
    )
    assert state == "completed", said
    assert "/data/-rf|/data/both/in|/data/new|line|data" in said
    assert set(server.data.parent.rglob("*escaped*")) == before
    assert not Path("/abs").exists()


def test_nobody_else_mounts_a_private_bucket(people: dict[str, Client], put, attached) -> None:
    put("one", b"1")
    attached("mine")
    for mount in (
        {"volume": "ann:mine"},
        {"bucket": "ann:mine"},
        {"volume": people["ann"].volumes.get("mine").id},
    ):
        with pytest.raises(Invalid) as refused:
            people["eve"].submit(job("tries", "true", mount))
        assert [one.code for one in refused.value.errors] == ["no_such_volume"]
    with pytest.raises(NotFound):
        people["eve"].volumes.check("ann:mine")
    with pytest.raises(Invalid) as refused:
        people["ann"].submit(job("writes", "true", {"volume": "mine", "mode": "rw"}))
    assert [one.code for one in refused.value.errors] == ["bucket_mounted_rw"]


def test_what_does_not_fit_or_cannot_be_fetched_says_so(
    people: dict[str, Client], s3: S3Server, put, attached
) -> None:
    put("large", bytes(41 * 2**20))
    ann = people["ann"]
    attached("large")
    refused = ann.wait(ann.submit(job("large", "true", {"volume": "large"})).id, timeout=PATIENCE)
    assert refused.state == "failed"
    assert "bucket_cache" in str(refused.reason)
    refused = ann.wait(ann.submit(job("none", "true", {"bucket": "large/no"})).id, timeout=PATIENCE)
    assert refused.state == "failed"
    assert "nothing is below" in str(refused.reason)


SHOW = "printenv | grep AWS_; printf secret=%s $(printenv AWS_SECRET_ACCESS_KEY | rev); true"
"""The secret is printed backwards: the log of this test's own job must not hold it either."""


def test_a_login_reaches_its_owners_tasks_and_no_record(
    server: LiveServer, people: dict[str, Client], put, attached, s3: S3Server
) -> None:
    put("a", b"alpha")
    ann = people["ann"]
    attached("opened")
    told = ann.submit(
        job("asked-for", SHOW.replace("grep AWS_", "grep AWS_[^S]"), {"volume": "opened", "login": "env"})
    )
    done = ann.wait(told.id, timeout=PATIENCE)
    said = "\n".join(line.text for line in ann.logs(told.id))
    assert done.state == "completed", said
    assert f"AWS_ACCESS_KEY_ID={s3.owner.key}" in said
    assert f"AWS_ENDPOINT_URL={s3.endpoint}" in said
    assert "AWS_REGION=us-east-1" in said
    assert f"secret={s3.owner.secret[::-1]}" in said

    state, plain = ran(ann, "not-asked-for", "printenv | grep AWS_; true", {"volume": "opened"})
    assert (state, "AWS_" in plain) == ("completed", False)

    secret = s3.owner.secret.encode()
    shown = [server.cli("show", told.id), server.cli("events", told.id), server.cli("audit", "ls")]
    shown += [server.cli("show", told.id, "--json"), server.cli("logs", told.id)]
    assert all(s3.owner.secret not in one.stdout + one.stderr for one in shown)
    assert "login_given" in shown[2].stdout
    kept = [path for path in server.data.rglob("*") if path.is_file() and not path.is_symlink()]
    holding = [path for path in kept if secret in path.read_bytes()]
    assert all(path.name == "task.json" for path in holding), holding
    assert all(path.stat().st_mode & 0o077 == 0 for path in holding)
    assert secret not in (server.root / "up.log").read_bytes()


def test_a_login_is_nobody_elses_whoever_may_read_the_bucket(
    server: LiveServer, people: dict[str, Client], put, s3: S3Server, bucket: str
) -> None:
    """Neither by a job file of one's own nor by a copy of the owner's job; not even an administrator's."""
    put("a", b"alpha")
    with server.client() as admin:
        key, secret = s3.owner
        admin.volumes.attach(
            "shared-pool", f"s3://{bucket}", s3.endpoint, key=key, secret=secret, private=False
        )
        admin.volumes.share_with("shared-pool", [{"to": "user", "name": "eve", "mode": "ro"}])
        eve = people["eve"]
        assert ran(eve, "reads-it", "cat /data/a", {"volume": "admin:shared-pool"}) == ("completed", "alpha")
        wish = {"volume": "admin:shared-pool", "login": "env"}
        with pytest.raises(Invalid, match="admin's alone"):
            eve.submit(job("steals-it", SHOW, wish))
        eve.volumes.create("plain", "1GiB")
        with pytest.raises(Invalid, match="is no bucket"):
            eve.submit(job("no-bucket", SHOW, {"volume": "plain", "login": "env"}))
        with pytest.raises(Invalid, match="only a bucket has a login"):
            eve.submit(job("no-login", SHOW, {"local": "1MiB", "login": "env"}))
        ann = people["ann"]
        ann.volumes.attach("anns", f"s3://{bucket}", s3.endpoint, key=key, secret=secret)
        with pytest.raises(Invalid, match=r"ann:anns|no volume"):
            admin.submit(job("governs-it", SHOW, {"volume": "ann:anns", "login": "env"}))
        owned = admin.submit(job("admins-own", "true", {"volume": "shared-pool", "login": "env"}))
        admin.wait(owned.id, timeout=PATIENCE)
        with pytest.raises((Invalid, NotFound)):
            eve.clone(owned.id)


def test_several_logins_have_their_buckets_names(people: dict[str, Client], put, attached) -> None:
    put("a", b"alpha")
    ann = people["ann"]
    attached("first-one")
    attached("second")
    mounts = [{"volume": name, "path": f"/{name}", "login": "env"} for name in ("first-one", "second")]
    file = training("two-logins", "printenv | grep -c 'ACCESS_KEY_ID='; printenv", mounts=mounts)
    done = ann.wait(ann.submit({**file, "resources": {"cpus": 0.1, "memory": "64MiB"}}).id, timeout=PATIENCE)
    said = "\n".join(line.text.partition("=")[0] for line in ann.logs(done.id))
    assert "FIRST_ONE_AWS_SECRET_ACCESS_KEY" in said
    assert "SECOND_AWS_ACCESS_KEY_ID" in said
