"""Buckets of a real S3 server: brought in, taken out, gone on with, and refused."""

from __future__ import annotations

import os
from io import BytesIO
from typing import Any

import pytest

from danlu.data.objects import S3Stores
from danlu.data.objects.store import S3Store
from danlu.data.outside import NetworkGuard
from danlu.domain.volumes.source import BucketAddress, Login
from danlu.ports.objects import pages
from tests.integration.transfers.conftest import Place
from tests.live import eventually
from tools.testing.s3 import S3Server

MIB = 1 << 20


@pytest.fixture
def there(s3: S3Server, bucket: str) -> dict[str, Any]:
    return {"bucket": BucketAddress(bucket, "", s3.endpoint, s3.region), "key": Login(*s3.owner)}


@pytest.fixture
def store(there: dict[str, Any]) -> S3Store:
    return S3Stores(NetworkGuard(local=True)).open(there["bucket"], there["key"])


def test_what_is_below_a_prefix_comes_into_a_folder(
    place: Place, store: S3Store, there: dict[str, Any]
) -> None:
    for key in ("set/a b", "set/训练/x.png", "set/训练/y.txt", "other"):
        store.write(key, BytesIO(key.encode()))
    store.write("set/", BytesIO(b""))
    store.write("set//evil", BytesIO(b"1"))
    run = place.done("bucket:/set", "data:/in/", exclude=("*.txt",), **there)
    assert place.tree() == {"in/a b": b"set/a b", "in/训练/x.png": "set/训练/x.png".encode()}
    assert run.progress().left_out == 1
    again = place.done("bucket:/set", "data:/in/", exclude=("*.txt",), name="t2", **there)
    assert again.progress().skipped == 2
    place.done("bucket:/other", "data:/one", name="t3", **there)
    assert place.tree()["one"] == b"other"


def test_a_worker_that_was_killed_goes_on_within_an_object(
    place: Place, store: S3Store, there: dict[str, Any]
) -> None:
    data = os.urandom(96 * MIB)
    store.write("large", BytesIO(data))
    run = place.begin("bucket:/large", "data:/", **there)
    parts = place.root / "transfers" / "t1" / "parts"
    eventually(lambda: any(part.stat().st_size >= 8 * MIB for part in parts.glob("*")) or run.ended())
    run.stop()
    had = max((part.stat().st_size for part in parts.glob("*") if part.suffix != ".json"), default=0)
    run = place.done("bucket:/large", "data:/", **there)
    assert place.tree() == {"large": data}
    assert run.progress().bytes == len(data)
    assert had > 0


def test_a_folder_goes_to_a_bucket_and_only_what_differs_goes_again(
    place: Place, store: S3Store, there: dict[str, Any]
) -> None:
    large = os.urandom(20 * MIB)
    (place.files / "sub").mkdir()
    (place.files / "sub" / "large").write_bytes(large)
    (place.files / "small").write_bytes(b"1")
    (place.files / "link").symlink_to("small")
    for name in ("sub/large", "small"):
        os.utime(place.files / name, (1_700_000_000, 1_700_000_000))
    target = Place(place.root / "unused")
    run = target.done("data:/", "bucket:/out/", from_place=place, **there)
    assert (run.progress().files, run.progress().left_out) == (2, 1)
    assert {one.key: one.size for page in pages(store) for one in page} == {
        "out/small": 1,
        "out/sub/large": len(large),
    }
    assert b"".join(store.stream("out/sub/large")) == large
    again = target.done("data:/", "bucket:/out/", from_place=place, name="t2", **there)
    assert again.progress().skipped == 2
    (place.files / "small").write_bytes(b"22")
    third = target.done("data:/", "bucket:/out/", from_place=place, name="t3", **there)
    assert third.progress().skipped == 1
    assert store.read("out/small", 0, 9) == b"22"


def test_a_wrong_login_and_a_missing_object_say_so(place: Place, s3: S3Server, there: dict[str, Any]) -> None:
    assert place.refused("bucket:/nothing", "data:/", **there) == "nothing_there"
    wrong = {**there, "key": Login(s3.owner.key, "wrong")}
    assert place.refused("bucket:/", "data:/", **wrong) == "bucket_refused"
    assert place.tree() == {}
