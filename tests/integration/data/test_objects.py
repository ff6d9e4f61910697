"""Object stores over a real S3 server, and over one that lies."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from urllib.parse import quote

import pytest

from danlu.data.objects import S3Stores
from danlu.data.objects.store import S3Store
from danlu.data.outside import NetworkGuard
from danlu.domain.errors import (
    BadAnswer,
    DanluError,
    ForbiddenAddress,
    Invalid,
    LoginMayNot,
    NoSuchBucket,
    NotFound,
    Stale,
    UnknownHost,
    Unreachable,
    WrongLogin,
)
from danlu.domain.volumes.source import BucketAddress, Login
from danlu.ports.objects import pages
from tools.testing.s3 import S3Login, S3Server

HERE = NetworkGuard(local=True)


def opened(
    s3: S3Server, bucket: str, login: S3Login | None = None, prefix: str = "", endpoint: str = ""
) -> S3Store:
    key, secret = login or s3.owner
    address = BucketAddress(bucket, prefix, endpoint or s3.endpoint, s3.region)
    return S3Stores(HERE).open(address, Login(key, secret))


def test_what_is_written_is_read_listed_copied_and_removed(s3: S3Server, bucket: str) -> None:
    store = opened(s3, bucket)
    said = store.write("folder/a b%41.txt", BytesIO(b"0123456789"))
    assert (said.key, said.size) == ("folder/a b%41.txt", 10)
    assert said.etag
    assert store.read("folder/a b%41.txt", 3, 4, said.etag) == b"3456"
    assert store.read("folder/a b%41.txt", 8, 100) == b"89"
    assert store.read("folder/a b%41.txt", 10, 1) == b""
    store.write("folder/a b%41.txt", iter([b"another"]))
    with pytest.raises(Stale):
        store.read("folder/a b%41.txt", 0, 4, said.etag)
    store.copy("folder/a b%41.txt", "中 文")
    assert b"".join(store.stream("中 文", 2)) == b"other"
    assert [one.key for page in pages(store) for one in page] == ["folder/a b%41.txt", "中 文"]
    store.remove("中 文")
    store.remove("中 文")
    with pytest.raises(NotFound):
        store.head("中 文")


def test_an_empty_object_is_an_object(s3: S3Server, bucket: str) -> None:
    store = opened(s3, bucket)
    assert store.write("empty", BytesIO(b"")).size == 0
    assert store.read("empty", 0, 100) == b""
    assert b"".join(store.stream("empty")) == b""


def test_folders_are_listed_by_pages(s3: S3Server, bucket: str) -> None:
    store = opened(s3, bucket)
    for key in ("a", "b/1", "b/2", "c/d/e", "f"):
        store.write(key, BytesIO(b"x"))
    first = store.page(folders=True, limit=2)
    second = store.page(folders=True, limit=2, after=first.next)
    names = [one.key for page in (first, second) for one in page.objects]
    assert names == ["a", "f"]
    assert [*first.folders, *second.folders] == ["b/", "c/"]
    assert second.next == ""
    below = opened(s3, bucket, prefix="c/")
    assert [one.key for page in pages(below) for one in page] == ["d/e"]


def test_a_large_object_goes_in_parts_and_one_that_breaks_off_leaves_nothing(
    s3: S3Server, bucket: str
) -> None:
    store = opened(s3, bucket)
    content = bytes(range(256)) * (140 * 1024)  # 35 MiB: three parts

    def pieces(most: int) -> Iterator[bytes]:
        for start in range(0, most, 1_000_000):
            yield content[start : start + 1_000_000]

    assert store.write("large", pieces(len(content)), len(content)).size == len(content)
    assert b"".join(store.stream("large")) == content

    def broken() -> Iterator[bytes]:
        yield from pieces(20_000_000)
        raise RuntimeError("cut")

    with pytest.raises(RuntimeError):
        store.write("half", broken())
    with pytest.raises(DanluError):
        store.write("half", BytesIO(content), len(content) + 1)
    with pytest.raises(NotFound):
        store.head("half")


def test_odd_keys_are_told_as_they_are_and_hide_no_others(s3: S3Server, bucket: str) -> None:
    odd = ["a//b", "both", "both/in", "dir/", "new\nline", "k" * 1000, "/abs", "x/../y", "&<>\x01"]
    for key in odd:
        s3.ask("PUT", f"/{bucket}/{quote(key)}", {}, b"data")
    store = opened(s3, bucket)
    assert {one.key for page in pages(store) for one in page} == set(odd)
    assert store.read("new\nline", 0, 4) == b"data"
    for bad in ("", "..", "x/../y", "k" * 1025):
        with pytest.raises(Invalid):
            store.head(bad)


def test_refusals_say_what_is_wrong_and_nothing_that_was_sent(s3: S3Server, bucket: str) -> None:
    secret = "very-secret-indeed"

    def refused(act: Callable[[], object]) -> DanluError:
        with pytest.raises(DanluError) as caught:
            act()
        told = f"{caught.value!r} {caught.value.text}"
        assert secret not in told
        assert s3.owner.secret not in told
        assert caught.value.__cause__ is None
        return caught.value

    wrong = opened(s3, bucket, S3Login(s3.owner.key, secret))
    assert isinstance(refused(wrong.page), WrongLogin)
    assert isinstance(refused(opened(s3, bucket, S3Login("nobody", secret)).page), WrongLogin)
    assert isinstance(refused(lambda: opened(s3, bucket, s3.reader).write("x", BytesIO(b""))), LoginMayNot)
    assert isinstance(refused(opened(s3, s3.bucket(readable=False), s3.reader).page), LoginMayNot)
    assert isinstance(refused(opened(s3, "no-such-bucket").page), NoSuchBucket)
    assert isinstance(refused(opened(s3, bucket, endpoint="http://127.0.0.1:9").page), Unreachable)
    assert isinstance(refused(opened(s3, bucket, endpoint="http://nothing.invalid").page), UnknownHost)
    tls = s3.endpoint.replace("http:", "https:")
    assert isinstance(refused(opened(s3, bucket, endpoint=tls).page), Unreachable)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"])
def test_danlus_own_machine_is_no_place_to_go(s3: S3Server, bucket: str, host: str) -> None:
    address = BucketAddress(bucket, "", f"http://{host}:{s3.port}", s3.region)
    with pytest.raises(ForbiddenAddress):
        S3Stores(NetworkGuard()).open(address, None).page()


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "100.100.100.200", "[fe80::1]", "[fd00:ec2::254]", "224.0.0.1"]
)
def test_metadata_of_clouds_is_no_place_to_go_whatever_the_setting(host: str) -> None:
    with pytest.raises(ForbiddenAddress):
        S3Stores(HERE).open(BucketAddress("bucket", "", f"http://{host}"), None).page()


@contextmanager
def answering(status: int, headers: dict[str, str], body: bytes = b"") -> Iterator[tuple[str, list[str]]]:
    """A server that gives one answer to everything; which paths were asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815 (as the base class names it)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_store_that_sends_elsewhere_is_not_followed(s3: S3Server, bucket: str) -> None:
    with answering(200, {}, b"inside") as (inner, asked), answering(302, {"Location": inner}) as (lying, _):
        store = opened(s3, bucket, endpoint=lying)
        with pytest.raises(BadAnswer):
            store.read("key", 0, 10)
        with pytest.raises(BadAnswer):
            b"".join(store.stream("key"))
        assert asked == []


@pytest.mark.parametrize(
    "body",
    [
        b"<html>hello</html>",
        b"<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult>&a;</ListBucketResult>",
        b"<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
        b"<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        b"<ListBucketResult>" + b"<a/>" * 5_000_000,
    ],
    ids=["a page", "entities", "negative", "no continuation", "too much"],
)
def test_what_is_no_list_is_refused(s3: S3Server, bucket: str, body: bytes) -> None:
    length = {"Content-Length": str(len(body))}
    with answering(200, length, body) as (lying, _), pytest.raises((BadAnswer, Unreachable)):
        opened(s3, bucket, endpoint=lying).page()


def test_an_answer_that_ends_early_is_not_taken_for_whole(s3: S3Server, bucket: str) -> None:
    with answering(200, {"Content-Length": "100"}, b"half") as (lying, _):
        store = opened(s3, bucket, endpoint=lying)
        with pytest.raises(Unreachable):
            store.read("key", 0, 100)
        with pytest.raises((Unreachable, BadAnswer)):
            b"".join(store.stream("key"))
