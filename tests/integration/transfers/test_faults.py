"""What goes wrong half-way, by every way that data comes: nothing half written is seen, nothing is mixed, and it goes on."""

from __future__ import annotations

import os
import subprocess
import tarfile
import threading
import time
from io import BytesIO
from typing import Any

import pytest

from danlu.data.objects import S3Stores
from danlu.data.objects.store import S3Store
from danlu.data.outside import NetworkGuard
from danlu.domain.volumes.source import BucketAddress, Login
from tests.fakes.web_source import Served, WebPlace
from tests.integration.transfers.conftest import Place
from tests.integration.transfers.test_git import GitPlace, repository  # noqa: F401 (a fixture)
from tests.integration.transfers.test_volumes import HOSTILE, other, small  # noqa: F401 (fixtures)
from tests.lines import BreakingLine
from tests.live import eventually
from tools.testing.s3 import S3Server

MIB = 1 << 20


@pytest.fixture
def there(s3: S3Server, bucket: str) -> dict[str, Any]:
    return {"bucket": BucketAddress(bucket, "", s3.endpoint, s3.region), "key": Login(*s3.owner)}


@pytest.fixture
def store(there: dict[str, Any]) -> S3Store:
    return S3Stores(NetworkGuard(local=True)).open(there["bucket"], there["key"])


def through(line: BreakingLine, there: dict[str, Any]) -> dict[str, Any]:
    one: BucketAddress = there["bucket"]
    assert isinstance(line.address, tuple)
    return {
        **there,
        "bucket": BucketAddress(one.bucket, "", f"http://127.0.0.1:{line.address[1]}", one.region),
    }


def half_written(place: Place) -> list[str]:
    return [name for name in place.tree() if ".danlu" in name or name.endswith(".part")]


# ── the network is cut ───────────────────────────────────────────────────────────────────────────────


def test_an_object_comes_whole_over_a_network_that_breaks(
    place: Place, s3: S3Server, store: S3Store, there: dict[str, Any]
) -> None:
    data = os.urandom(12 * MIB)
    store.write("large", BytesIO(data))
    line = BreakingLine(("127.0.0.1", s3.port), 5 * MIB, 3 * MIB)
    try:
        for _ in range(3):  # it tries again by itself, or says that it may be tried again
            problem = place.carry("bucket:/large", "data:/", **through(line, there)).problem()
            if problem is None:
                break
            assert problem.kind.retried, problem
            assert place.tree() == {}
    finally:
        line.close()
    assert line.broken == 2
    assert place.tree() == {"large": data}


def test_a_repository_comes_whole_after_its_connection_broke(
    place: Place,
    repository: GitPlace,  # noqa: F811
) -> None:
    (repository.work / "big.bin").write_bytes(os.urandom(4 * MIB))
    repository.commit("big")
    repository.git("push", "-q", str(repository.bare), "main")
    port = int(repository.url.rpartition(":")[2])
    line = BreakingLine(("127.0.0.1", port), 2 * MIB)
    assert isinstance(line.address, tuple)
    address = f"git+http://127.0.0.1:{line.address[1]}/set.git"
    try:
        problem = place.carry(address, "data:/set/").problem()
        if problem is not None:
            assert problem.kind.retried, problem
            assert place.tree() == {}
            place.done(address, "data:/set/")
    finally:
        line.close()
    assert line.broken == 1
    assert place.tree()["set/big.bin"] == (repository.work / "big.bin").read_bytes()


# ── a worker is killed ───────────────────────────────────────────────────────────────────────────────


def test_a_worker_that_is_killed_with_a_repository_leaves_nothing_half_and_the_next_goes_on(
    place: Place,
    repository: GitPlace,  # noqa: F811
) -> None:
    for number in range(300):
        (repository.work / f"f{number}").write_bytes(os.urandom(4_000))
    repository.commit("many")
    repository.git("push", "-q", str(repository.bare), "main")
    address = f"git+{repository.url}/set.git"
    run = place.begin(address, "data:/")
    eventually(lambda: (place.root / "transfers" / "t1").exists())
    run.stop()
    assert half_written(place) == []
    for name, data in place.tree().items():
        if name.startswith("f"):
            assert data == (repository.work / name).read_bytes()
    place.done(address, "data:/")
    assert {name for name in place.tree() if name.startswith("f")} == {f"f{number}" for number in range(300)}


def test_a_worker_that_is_killed_between_volumes_goes_on(
    place: Place,
    other: Place,  # noqa: F811
) -> None:
    for number in range(300):
        (other.files / f"s{number}").write_bytes(b"%d" % number)
    data = os.urandom(64 * MIB)
    (other.files / "z-large").write_bytes(data)
    run = place.begin("src:/", "data:/", from_place=other)
    eventually(lambda: (place.files / "s0").exists() or run.ended())
    run.stop()
    assert half_written(place) == []
    assert place.tree().get("z-large", data) == data
    place.done("src:/", "data:/", from_place=other)
    assert place.tree() == other.tree()


# ── the source changes ───────────────────────────────────────────────────────────────────────────────


def test_an_object_that_is_replaced_meanwhile_is_never_mixed(
    place: Place, s3: S3Server, store: S3Store, there: dict[str, Any]
) -> None:
    store.write("x", BytesIO(b"a" * 12 * MIB))
    line = BreakingLine(("127.0.0.1", s3.port), 7 * MIB)

    def replace() -> None:
        eventually(lambda: line.broken)
        store.write("x", BytesIO(b"b" * 12 * MIB))

    writer = threading.Thread(target=replace)
    writer.start()
    try:
        problem = place.carry("bucket:/x", "data:/", **through(line, there)).problem()
        writer.join()
        seen = place.tree().get("x")
        assert (problem is None) == (seen is not None)
        assert seen is None or len(set(seen)) == 1  # all of the one or all of the other
        # Overwritten: of one size and one second, they might be the same to a look.
        place.done("bucket:/x", "data:/", name="t2", existing="overwrite", **there)
    finally:
        line.close()
    assert place.tree() == {"x": b"b" * 12 * MIB}


def test_a_file_that_is_written_while_it_is_copied_is_told_or_comes_as_it_was(
    place: Place,
    other: Place,  # noqa: F811
) -> None:
    path = other.files / "log"
    path.write_bytes(b"a" * 64 * MIB)
    over = threading.Event()

    def grow() -> None:
        while not over.is_set():
            with path.open("ab") as file:
                file.write(b"b" * 4096)
            time.sleep(0.001)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        problem = place.carry("src:/", "data:/", from_place=other).problem()
    finally:
        over.set()
        writer.join()
    if problem is not None:
        assert place.tree() == {}
    place.done("src:/", "data:/", from_place=other, name="t2")
    assert place.tree() == other.tree()


# ── the disk is full ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", ["web", "archive", "git", "bucket"])
def test_a_disk_that_fills_up_is_told_and_what_is_there_is_whole(
    small: Place,  # noqa: F811
    web: WebPlace,
    repository: GitPlace,  # noqa: F811
    store: S3Store,
    there: dict[str, Any],
    way: str,
) -> None:
    data, more = os.urandom(6 * MIB), {}
    match way:
        case "web":
            web.files["/x"] = Served(data)
            source = f"{web.url}/x"
        case "archive":
            packed = BytesIO()
            with tarfile.open(fileobj=packed, mode="w:gz") as tar:
                for name in ("a", "b"):
                    info = tarfile.TarInfo(name)
                    info.size = 3 * MIB
                    tar.addfile(info, BytesIO(bytes(3 * MIB)))
            web.files["/x.tgz"] = Served(packed.getvalue())
            source, more = f"{web.url}/x.tgz", {"unpack": True}
        case "git":
            (repository.work / "big").write_bytes(data)
            repository.commit("big")
            repository.git("push", "-q", str(repository.bare), "main")
            source = f"git+{repository.url}/set.git"
        case _:
            store.write("x", BytesIO(data))
            source, more = "bucket:/x", there
    assert small.refused(source, "data:/", **more) == "disk_full"
    assert half_written(small) == []
    assert all(len(content) in (3 * MIB, 0) or len(content) < MIB for content in small.tree().values())
    subprocess.run(["mount", "-o", "remount,size=64m", small.root], check=True)
    small.done(source, "data:/", **more)
    assert sum(map(len, small.tree().values())) >= 6 * MIB


# ── names ────────────────────────────────────────────────────────────────────────────────────────────


def test_keys_of_a_bucket_lead_nowhere_and_odd_ones_arrive(
    place: Place, s3: S3Server, bucket: str, store: S3Store, there: dict[str, Any]
) -> None:
    fine = ["set/-rf", "set/new\nline", "set/$(touch x)", "set/50%", "set/训练", f"set/{'k' * 250}"]
    for key in fine:
        store.write(key, BytesIO(key.encode()))
    for key in ("set/../../out", "set/./dot", "set//twice"):
        s3.ask("PUT", f"/{bucket}/{key}", body=b"evil")
    run = place.carry("bucket:/set", "data:/in/", **there)
    assert not (place.root / "out").exists()
    assert not list(place.root.parent.glob("out"))
    assert run.problem() is None
    assert place.tree() == {f"in/{key[4:]}": key.encode() for key in fine}
    assert run.progress().left_out == 3


def test_what_is_downloaded_under_an_odd_name_stays_in_its_folder(place: Place, web: WebPlace) -> None:
    web.files["/-rf"] = web.files["/..%2F..%2Fout"] = web.files["/a%0Ab"] = Served(b"1")
    for number, path in enumerate(("-rf", "..%2F..%2Fout", "a%0Ab")):
        place.carry(f"{web.url}/{path}", "data:/", name=f"t{number}")
    assert not (place.root / "out").exists()
    assert not (place.root.parent / "out").exists()
    assert "-rf" in place.tree()


def test_hostile_names_of_an_archive_arrive_as_they_are(place: Place, web: WebPlace) -> None:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w", encoding="utf-8", errors="surrogateescape") as tar:
        for name in HOSTILE:
            info = tarfile.TarInfo(os.fsdecode(name))
            info.size = len(name)
            tar.addfile(info, BytesIO(name))
    web.files["/a.tar"] = Served(packed.getvalue())
    place.done(f"{web.url}/a.tar", "data:/", unpack=True)
    assert {os.fsencode(name): data for name, data in place.tree().items()} == {
        name: name for name in HOSTILE
    }
