"""What `danlu volume attach`, `check` and `login` send and print; a secret comes from nowhere that others see."""

from __future__ import annotations

import pytest

from tests.fakes.http_server import FakeServer, problem
from tests.unit.cli.conftest import Danlu
from tests.unit.cli.test_volumes import WHOLE

SOURCE = {
    "address": "s3://data/", "endpoint": "https://s3.example.org", "region": "us-east-1", "writable": False, "private": True,
}  # fmt: skip
ATTACHED = {**WHOLE, "kind": "bucket", "capacity": 0, "used": None, "source": SOURCE, "has_login": True}
FINE = {"code": "name", "level": "ok", "text": {"en": "it leads there", "zh": "可以解析"}, "fix": None}
WRONG = {"code": "login", "level": "missing", "text": {"en": "not known", "zh": "无效"}, "fix": None}


def test_a_bucket_is_attached_with_the_secret_of_the_environment(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DANLU_BUCKET_SECRET", "hush")
    server.on("POST", "volumes", ATTACHED)
    done = danlu(
        "volume", "attach", "pool", "s3://data", "--endpoint", "https://s3.example.org", "--key", "K"
    )
    assert "Attached s3://data as volume pool." in done.err
    assert "hush" not in done.out + done.err
    assert server.requests[-1].json() == {
        "name": "pool",
        "kind": "bucket",
        "source": {"address": "s3://data", "endpoint": "https://s3.example.org", "writable": False, "private": True},
        "description": "",
        "login": {"key": "K", "secret": "hush"},
    }  # fmt: skip


def test_an_export_is_attached_as_whom_it_is_read(danlu: Danlu, server: FakeServer) -> None:
    server.on("POST", "volumes", {**ATTACHED, "kind": "nfs", "has_login": False})
    done = danlu("volume", "attach", "pool", "nfs://nas/sets", "--uid", "1001", "--gid", "7", "--shareable")
    assert "Attached nfs://nas/sets?uid=1001&gid=7 as volume pool." in done.err
    assert server.requests[-1].json() == {
        "name": "pool",
        "kind": "nfs",
        "source": {"address": "nfs://nas/sets?uid=1001&gid=7", "writable": False, "private": False},
        "description": "",
    }
    refused = danlu("volume", "attach", "pool", "s3://data", "--uid", "1001")
    assert (refused.code, "for NFS exports" in refused.err) == (2, True)


def test_a_verdict_is_a_list_of_steps_and_an_exit_code(danlu: Danlu, server: FakeServer) -> None:
    server.on("POST", "volumes/pool/check", {"ready": False, "findings": [FINE, WRONG]})
    done = danlu("volume", "check", "pool")
    assert done.code == 1
    assert done.out.splitlines() == ["✓ name: it leads there", "✗ login: not known"]
    server.on("POST", "volumes", problem(409, "not_attachable", "not known", findings=[FINE, WRONG]))
    done = danlu("volume", "attach", "pool", "s3://data")
    assert done.code == 1
    assert "✗ login: not known" in done.out
    assert "Nothing was changed." in done.err


def test_a_login_is_changed_or_removed(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DANLU_BUCKET_SECRET", "hush")
    server.on("PUT", "volumes/pool/login", ATTACHED)
    server.on("DELETE", "volumes/pool/login", {**ATTACHED, "has_login": False})
    assert "Changed the login" in danlu("volume", "login", "pool", "--key", "K").err
    assert server.requests[-1].json() == {"key": "K", "secret": "hush"}
    assert "Changed the login" in danlu("volume", "login", "pool", "--remove").err
    assert danlu("volume", "login", "pool").code == 2


def test_an_attached_volume_shows_where_it_is_and_no_size(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "volumes/pool", ATTACHED)
    said = danlu("volume", "show", "pool").out
    assert "s3://data/" in said
    assert "kept sealed" in said
    assert "capacity" not in said
