"""Buckets attached as volumes with the real application and a real S3 server: checked, listed, read, kept private."""

from __future__ import annotations

import json
import re
import sqlite3
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, world
from tools.testing.s3 import S3Server

VERY_SECRET = "not-what-anybody-may-see"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world"), attach_local=True) as made:
        yield made


@pytest.fixture
def attach(ask, s3: S3Server, bucket: str):
    def attached(name: str, who: str = ENGINEER, /, **more: Any):
        login = more.pop("login", s3.owner._asdict())
        status = more.pop("status", 201)
        source = {"address": f"s3://{bucket}", "endpoint": s3.endpoint, **more.pop("source", {})}
        body = {"name": name, "kind": "bucket", "source": source, **more}
        answer = ask(who, "POST", "volumes", json={**body, **({"login": login} if login else {})})
        assert answer.status_code == status, answer.text
        assert s3.owner.secret not in answer.text
        assert VERY_SECRET not in answer.text
        return answer.json()

    return attached


def codes(findings: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["code"], one["level"]) for one in findings]


def test_a_bucket_is_attached_and_its_files_are_read(ask, attach, s3: S3Server, bucket: str) -> None:
    s3.ask("PUT", f"/{bucket}/train/a.csv", {}, b"x,y\n1,2\n")
    s3.ask("PUT", f"/{bucket}/train/deep/b.bin", {}, bytes(range(256)))
    made = attach("pool")
    assert made["kind"] == "bucket"
    assert made["source"] == {
        "address": f"s3://{bucket}/", "endpoint": s3.endpoint, "region": "us-east-1", "writable": False, "private": True,
    }  # fmt: skip
    assert made["has_login"] is True
    assert made["mode"] == "ro"
    found = ask(ENGINEER, "GET", "volumes/pool/files", params={"path": "train"}).json()
    assert [(one["key"], one["kind"]) for one in found["items"]] == [("deep", "folder"), ("a.csv", "file")]
    part = ask(
        ENGINEER,
        "GET",
        "volumes/pool/file",
        params={"path": "train/deep/b.bin"},
        headers={"Range": "bytes=3-5"},
    )
    assert (part.status_code, part.content) == (206, b"\3\4\5")
    rows = ask(ENGINEER, "GET", "volumes/pool/preview", params={"path": "train/a.csv"}).json()
    assert rows["rows"] == [[1, 2]]
    tar = ask(ENGINEER, "GET", "volumes/pool/file", params={"path": "train"})
    assert b"deep/b.bin" in tar.content
    assert ask(ENGINEER, "GET", "volumes/pool/files", params={"path": "no"}).status_code == 404
    assert ask(ENGINEER, "GET", "volumes/pool/file", params={"path": "no"}).status_code == 404
    refused = ask(ENGINEER, "POST", "volumes/pool/files/mkdir", json={"path": "new"})
    assert refused.status_code == 403


def test_the_verdict_names_the_step_that_fails(ask, attach, s3: S3Server, bucket: str) -> None:
    fine = attach("checked")
    verdict = ask(ENGINEER, "POST", f"volumes/{fine['id']}/check").json()
    assert verdict["ready"]
    assert codes(verdict["findings"]) == [
        (step, "ok") for step in ("name", "route", "login", "bucket", "right")
    ]
    wrong = attach("wrong", login={"key": s3.owner.key, "secret": VERY_SECRET}, status=409)
    assert wrong["type"] == "not_attachable"
    assert codes(wrong["findings"]) == [("name", "ok"), ("route", "ok"), ("login", "missing")]
    assert codes(attach("none", source={"address": "s3://no-such-one"}, status=409)["findings"])[-1] == (
        "bucket", "missing",
    )  # fmt: skip
    reader = s3.reader._asdict()
    attach("reads", login=reader)
    assert codes(attach("writes", login=reader, source={"writable": True}, status=409)["findings"])[-1] == (
        "right", "missing",
    )  # fmt: skip
    assert codes(attach("far", source={"endpoint": "http://127.0.0.1:9"}, status=409)["findings"])[-1] == (
        "route", "missing",
    )  # fmt: skip
    assert ask(ENGINEER, "GET", "volumes/wrong").status_code == 404
    attach("writable", source={"writable": True})
    assert b".danlu-check" not in s3.ask("GET", f"/{bucket}")


def test_what_does_not_go_together_is_refused_at_the_field(ask, attach) -> None:
    def fields(told: dict[str, Any]) -> list[Any]:
        return [one["loc"] for one in told["errors"]]

    assert fields(attach("a", source={"address": "https://x"}, status=422)) == [["source"]]
    assert fields(attach("a", capacity="1GiB", status=422)) == [["capacity"]]
    assert fields(attach("a", kind="filesystem", capacity="1GiB", status=422)) == [["source"], ["login"]]
    assert fields(attach("a", source={"endpoint": "http://me:you@host"}, status=422)) == [["source"]]
    assert fields(attach("a", login={"key": "k", "secret": [VERY_SECRET]}, status=422)) == [
        ["login", "secret"]
    ]
    attach("a", login={"key": "k", "secret": f"{VERY_SECRET}\n"}, status=422)


def test_a_private_bucket_is_its_owners_alone(ask, attach) -> None:
    made = attach("mine")
    assert ask(OTHER, "GET", f"volumes/{made['id']}").status_code == 404
    for path in ("files", "file", "preview"):
        assert ask(OTHER, "GET", f"volumes/{made['id']}/{path}").status_code == 404
    seen = ask(ADMINISTRATOR, "GET", f"volumes/{made['id']}").json()
    assert seen["mode"] is None
    for path in ("files", "file"):
        assert ask(ADMINISTRATOR, "GET", f"volumes/{made['id']}/{path}").status_code == 403
    assert ask(ADMINISTRATOR, "POST", f"volumes/{made['id']}/check").status_code == 403
    share = {"shares": [{"to": "user", "name": OTHER, "mode": "ro"}]}
    assert ask(ENGINEER, "PUT", "volumes/mine/shares", json=share).status_code == 409
    assert ask(ENGINEER, "PATCH", "volumes/mine", json={"public": True}).status_code == 409
    attach("shown", public=True, status=409)
    attach("shown", source={"private": False}, status=403)


def test_administrators_attach_what_can_be_shared(ask, attach, s3: S3Server, bucket: str) -> None:
    s3.ask("PUT", f"/{bucket}/one", {}, b"1")
    made = attach("common", ADMINISTRATOR, source={"private": False}, public=True)
    told = ask(ENGINEER, "GET", f"volumes/{made['id']}").json()
    assert told["mode"] == "ro"
    assert ask(ENGINEER, "GET", f"volumes/{made['id']}/file", params={"path": "one"}).content == b"1"
    assert ask(ENGINEER, "PUT", f"volumes/{made['id']}/login", json=s3.owner._asdict()).status_code == 403


def test_a_login_is_changed_and_never_told(ask, attach, here: World, s3: S3Server, caplog) -> None:
    made = attach("kept")
    wrong = ask(ENGINEER, "PUT", "volumes/kept/login", json={"key": s3.owner.key, "secret": VERY_SECRET})
    assert (wrong.status_code, wrong.json()["type"]) == (409, "not_attachable")
    assert ask(ENGINEER, "PUT", "volumes/kept/login", json=s3.reader._asdict()).json()["has_login"]
    assert ask(ENGINEER, "GET", "volumes/kept/files").status_code == 200
    secrets = [s3.owner.secret, s3.reader.secret, VERY_SECRET]
    places = [
        ask(ENGINEER, "GET", "volumes/kept").text,
        ask(ENGINEER, "GET", "volumes").text,
        ask(ADMINISTRATOR, "GET", "audit", params={"limit": 200}).text,
        caplog.text,
        wrong.text,
    ]
    assert "login changed" in places[2]
    for text in places:
        assert not any(secret in text for secret in secrets)
    database = sqlite3.connect(here.root / "danlu.db")
    assert database.execute("SELECT sealed FROM volume_logins WHERE volume = ?", [made["id"]]).fetchone()
    whole = "\n".join(database.iterdump())
    database.close()
    assert not any(secret in whole or secret.encode().hex().upper() in whole for secret in secrets)
    assert all(secret.encode() not in path.read_bytes() for path in files_of(here.root) for secret in secrets)


def files_of(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]


def test_a_lost_key_closes_and_says_how_to_go_on(ask, attach, here: World, s3: S3Server) -> None:
    attach("sealed")
    key = here.root / "secrets" / "login-key"
    kept = key.read_bytes()
    here.services.volumes.attached._opened.clear()
    for content in (None, b"short", bytes(32)):
        key.unlink()
        if content is not None:
            key.write_bytes(content)
        refused = ask(ENGINEER, "GET", "volumes/sealed/files")
        assert refused.status_code == 503
        assert "danlu volume login" in json.dumps(refused.json())
        if content is None:
            assert not key.exists()
            key.touch()
    key.write_bytes(kept)
    assert ask(ENGINEER, "GET", "volumes/sealed/files").status_code == 200


def test_what_is_deleted_here_stays_outside(ask, attach, s3: S3Server, bucket: str) -> None:
    s3.ask("PUT", f"/{bucket}/stays", {}, b"1")
    made = attach("going", source={"writable": True})
    assert ask(ENGINEER, "DELETE", f"volumes/{made['id']}").status_code == 204
    assert ask(ENGINEER, "DELETE", f"volumes/{made['id']}", params={"forever": True}).status_code == 204
    assert b"stays" in s3.ask("GET", f"/{bucket}")


def test_files_of_a_writable_bucket_are_changed(ask, attach, here: World, s3: S3Server, bucket: str) -> None:
    attach("free", source={"writable": True})

    def send(path: str, content: bytes, **more: str) -> int:
        metadata = ",".join(
            f"{key} {b64encode(value.encode()).decode()}" for key, value in {"path": path, **more}.items()
        )
        headers = {
            "Tus-Resumable": "1.0.0",
            "Upload-Length": str(len(content)),
            "Upload-Metadata": metadata,
            "Content-Type": "application/offset+octet-stream",
        }  # fmt: skip
        status: int = ask(
            ENGINEER, "POST", "volumes/free/uploads", headers=headers, content=content
        ).status_code
        return status

    def act(verb: str, **body: Any) -> int:
        status: int = ask(ENGINEER, "POST", f"volumes/free/files/{verb}", json=body).status_code
        return status

    def keys() -> list[str]:
        return [key.decode() for key in re.findall(rb"<Key>(.*?)</Key>", s3.ask("GET", f"/{bucket}"))]

    assert send("new/one", b"1") == 201
    assert send("new/one", b"2") == 409
    assert send("new/one", b"3", overwrite="true") == 201
    assert s3.ask("GET", f"/{bucket}/new/one") == b"3"
    assert act("mkdir", path="made") == 201
    assert act("mkdir", path="new") == 409
    assert act("copy", path="new", to="twin") == 200
    assert act("move", path="new", to="old") == 200
    assert act("move", path="old", to="twin/one") == 409
    assert keys() == ["made/", "old/one", "twin/one"]
    gone = ask(ENGINEER, "POST", "volumes/free/files/delete", json={"path": "old"}).json()
    assert gone["items"][0]["id"] == ""
    assert act("delete", path="old") == 404
    assert keys() == ["made/", "twin/one"]
    assert ask(ENGINEER, "GET", "volumes/free/trash").json()["items"] == []
    ask(ENGINEER, "POST", "volumes", json={"name": "own", "capacity": "1MiB"})
    assert act("copy", path="twin", to="x", volume="own") == 409
    volume = ask(ENGINEER, "GET", "volumes/free").json()["id"]
    assert not [path for path in (here.root / "volume-data" / volume / "files").rglob("*") if path.is_file()]
