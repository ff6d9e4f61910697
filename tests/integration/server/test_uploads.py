"""Uploads into volumes, as a program that speaks tus 1.0 sees them."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from danlu.domain.file_names import escaped_path
from danlu.domain.volumes.volume import VolumeKind
from tests.fakes.server import ENGINEER, OTHER, World
from tests.fakes.tus import TYPE, TusClient, breaks_off, checksum
from tests.live import PATIENCE

DATA = os.urandom(3 << 20)


@pytest.fixture(scope="module")
def files(here: World) -> Path:
    made = here.services.volumes.create(here.caller(ENGINEER), "data", VolumeKind.BLOCK, capacity=64 << 20)
    return here.root / "volume-data" / made.id / "files"


@pytest.fixture
def tus(client: httpx.Client, here: World, files: Path) -> TusClient:
    return TusClient(client, "/api/v1/volumes/data/uploads", here.bearer(ENGINEER))


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_server_says_what_it_speaks(tus: TusClient) -> None:
    told = tus.client.request("OPTIONS", tus.uploads, headers=tus.headers)
    assert told.status_code == 204
    assert told.headers["tus-version"] == "1.0.0"
    assert set(told.headers["tus-extension"].split(",")) == {
        "creation",
        "creation-with-upload",
        "termination",
        "checksum",
    }


def test_a_file_comes_in_parts_and_appears_when_it_is_whole(tus: TusClient, files: Path) -> None:
    begun = tus.begin("new/folder/parts.bin", len(DATA), modified="1700000000000", executable="true")
    assert begun.status_code == 201
    place = begun.headers["location"]
    assert tus.offset(place).headers["upload-offset"] == "0"
    first = tus.send(place, 0, DATA[: 1 << 20], checksum(DATA[: 1 << 20]))
    assert (first.status_code, first.headers["upload-offset"]) == (204, str(1 << 20))
    assert not (files / "new").exists()
    told = tus.offset(place).headers
    assert (told["upload-offset"], told["upload-length"]) == (str(1 << 20), str(len(DATA)))
    assert tus.send(place, 1 << 20, DATA[1 << 20 :]).headers["upload-offset"] == str(len(DATA))
    made = files / "new" / "folder" / "parts.bin"
    assert made.read_bytes() == DATA
    assert (made.stat().st_mtime, made.stat().st_mode & 0o100) == (1_700_000_000, 0o100)
    assert tus.offset(place).headers["upload-offset"] == str(len(DATA))


def test_a_small_file_comes_with_the_first_request(tus: TusClient, files: Path) -> None:
    assert tus.begin("small", 3, b"abc").headers["upload-offset"] == "3"
    assert (files / "small").read_bytes() == b"abc"
    assert tus.begin("empty", 0).status_code == 201
    assert (files / "empty").read_bytes() == b""


@pytest.mark.parametrize("name", [b"new\nline", b"\xff\xfe", b"50%.txt", b"-rf", b"x" * 255])
def test_odd_names_are_uploaded(tus: TusClient, files: Path, name: bytes) -> None:
    assert tus.begin(escaped_path(name), 3, b"abc").status_code == 201
    assert (files / os.fsdecode(name)).read_bytes() == b"abc"


def test_a_path_as_long_as_the_kernel_has_them_is_uploaded_and_a_longer_one_told(
    tus: TusClient, files: Path
) -> None:
    deep = "/".join(["d" * 250] * 15)
    assert tus.begin(f"{deep}/file", 3, b"abc").status_code == 201
    assert tus.begin("/".join(["d" * 250] * 17), 3, b"abc").status_code == 422
    assert (files / ("d" * 250)).is_dir()


def test_a_broken_connection_goes_on_where_it_stopped(tus: TusClient, files: Path) -> None:
    place = tus.begin("broken.bin", len(DATA)).headers["location"]
    with contextlib.suppress(httpx.HTTPError, ConnectionError):
        tus.send(place, 0, breaks_off(DATA, 2_500_000))
    until(lambda: tus.offset(place).headers["upload-offset"] == "2500000")
    until(lambda: tus.send(place, 2_500_000, DATA[2_500_000:]).status_code == 204)
    assert (files / "broken.bin").read_bytes() == DATA


def test_two_do_not_write_at_once_and_nobody_elsewhere(tus: TusClient, files: Path) -> None:
    place = tus.begin("twice.bin", len(DATA)).headers["location"]
    go_on, answers = threading.Event(), []

    def slowly() -> Iterator[bytes]:
        yield DATA[: 2 << 20]
        go_on.wait(PATIENCE)
        yield DATA[2 << 20 :]

    def send() -> None:
        with httpx.Client(base_url=tus.client.base_url, timeout=PATIENCE) as other:
            answers.append(TusClient(other, tus.uploads, tus.headers).send(place, 0, slowly()).status_code)

    sender = threading.Thread(target=send)
    sender.start()
    until(lambda: tus.offset(place).headers["upload-offset"] != "0")
    refused = tus.send(place, 0, b"")
    assert (refused.status_code, refused.json()["type"]) == (423, "upload_locked")
    assert tus.give_up(place).status_code == 423
    go_on.set()
    sender.join()
    assert answers == [204]
    assert (files / "twice.bin").read_bytes() == DATA


def test_what_is_wrong_is_told_and_changes_nothing(tus: TusClient, files: Path) -> None:
    place = tus.begin("wrong.bin", 10).headers["location"]
    assert tus.send(place, 0, b"01234").status_code == 204
    wrong = tus.send(place, 4, b"x")
    assert (wrong.status_code, wrong.json()["type"]) == (409, "conflict")
    damaged = tus.send(place, 5, b"5678x", checksum(b"56789"))
    assert (damaged.status_code, damaged.json()["type"]) == (460, "wrong_checksum")
    assert tus.send(place, 5, b"567890").status_code == 413
    assert tus.send(place, 5, iter([b"5678", b"90x"])).status_code == 413
    assert int(tus.offset(place).headers["upload-offset"]) in (5, 9)
    assert tus.give_up(place).status_code == 204
    assert tus.offset(place).status_code == 404
    assert not (files / "wrong.bin").exists()


def test_headers_that_are_missing_or_odd_are_told(tus: TusClient) -> None:
    def begin(**headers: str) -> int:
        return tus.client.post(tus.uploads, headers={**tus.headers, **headers}).status_code

    assert tus.client.post(tus.uploads, headers={**tus.headers, "Tus-Resumable": "0.2"}).status_code == 412
    for length, about in (
        ("x", "path YQ=="),
        ("5", ""),
        ("5", "path Li4vYQ=="),
        ("5", "path ???"),
        ("-1", "path YQ=="),
    ):
        assert begin(**{"Upload-Length": length, "Upload-Metadata": about}) == 422
    assert begin(**{"Upload-Length": str(1 << 60), "Upload-Metadata": "path YQ=="}) == 422
    place = tus.begin("odd.bin", 5).headers["location"]
    plain = tus.client.patch(place, headers={**tus.headers, "Upload-Offset": "0"}, content=b"x")
    assert plain.status_code == 415
    strange = {**tus.headers, "Upload-Offset": "0", "Content-Type": TYPE, "Upload-Checksum": "md4 eA=="}
    assert tus.client.patch(place, headers=strange, content=b"x").status_code == 422


def test_what_exists_is_told_before_anything_is_sent(tus: TusClient, files: Path) -> None:
    (files / "there").write_text("old")
    refused = tus.begin("there", 5)
    assert (refused.status_code, refused.json()["type"]) == (409, "name_taken")
    assert tus.begin("there", 3, b"new", overwrite="true").status_code == 201
    assert (files / "there").read_text() == "new"


def test_more_than_the_capacity_is_told_before_anything_is_sent(tus: TusClient) -> None:
    refused = tus.begin("huge", 65 << 20)
    assert (refused.status_code, refused.json()["type"]) == (413, "too_large")
    first = tus.begin("half", 40 << 20)
    assert first.status_code == 201
    assert tus.begin("other half", 40 << 20).status_code == 413
    tus.give_up(first.headers["location"])


def test_uploads_are_one_s_own(
    tus: TusClient, here: World, client: httpx.Client, ask: Callable[..., httpx.Response]
) -> None:
    shared = {"shares": [{"to": "user", "name": OTHER, "mode": "rw"}]}
    assert ask(ENGINEER, "PUT", "volumes/data/shares", json=shared).status_code == 200
    place = tus.begin("mine.bin", 10).headers["location"]
    other = TusClient(client, f"/api/v1/volumes/{ENGINEER}:data/uploads", here.bearer(OTHER))
    elsewhere = f"{other.uploads}/{place.rpartition('/')[2]}"
    assert other.offset(elsewhere).status_code == 404
    assert other.send(elsewhere, 0, b"x").status_code == 404
    assert other.give_up(elsewhere).status_code == 404
    mine = ask(ENGINEER, "GET", "volumes/data/uploads").json()["items"]
    assert "mine.bin" in [one["path"] for one in mine]
    assert ask(OTHER, "GET", f"volumes/{ENGINEER}:data/uploads").json() == {"items": []}
    ask(ENGINEER, "PUT", "volumes/data/shares", json={"shares": []})
    assert other.begin("x", 1, b"x").status_code == 404


def test_an_upload_into_a_volume_that_was_let_go_of_is_refused(
    tus: TusClient, ask: Callable[..., httpx.Response]
) -> None:
    made = ask(ENGINEER, "POST", "volumes", json={"name": "short", "kind": "block", "capacity": "1MiB"})
    assert made.status_code == 201, made.text
    short = TusClient(tus.client, "/api/v1/volumes/short/uploads", tus.headers)
    place = short.begin("x", 3).headers["location"]
    assert ask(ENGINEER, "DELETE", "volumes/short").status_code == 204
    assert short.send(place, 0, b"abc").status_code == 409
