"""Whether a bucket can be used as somebody means to."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from danlu.data.objects.store import S3Store
from danlu.data.objects.wire import Wire
from danlu.data.outside import NetworkGuard
from danlu.data.verdicts import Failed, fine, name_step, route_step, tried
from danlu.domain.errors import DanluError, NoSuchBucket, WrongLogin
from danlu.domain.findings import Finding
from danlu.domain.volumes.source import Login, VolumeOutside
from danlu.domain.words import Words
from danlu.ports.objects import ObjectPage


def bucket_steps(guard: NetworkGuard, source: VolumeOutside, login: Login | None) -> Iterator[Finding]:
    address = source.bucket
    wire = Wire(address, login, guard)
    store = S3Store(wire, address.prefix)
    try:
        yield name_step(guard, wire.host, wire.port)
        tried("route", wire.connect)
        yield route_step(wire.host, wire.port)
        first = _first_page(store)
        yield fine("login", _LOGIN if login else _NO_LOGIN)
        yield fine("bucket", _BUCKET.fill(address=str(address)))
        tried("right", lambda: _use(store, first, source.writable))
        yield fine("right", _WRITES if source.writable else _READS)
    finally:
        store.close()


def _first_page(store: S3Store) -> ObjectPage:
    """One request tells three things: who does not know the login does not say whether there is such a bucket."""
    try:
        return store.page(limit=1)
    except WrongLogin as error:
        raise Failed("login", error) from None
    except NoSuchBucket as error:
        raise Failed("bucket", error) from None
    except DanluError as error:
        raise Failed("right", error) from None


def _use(store: S3Store, first: ObjectPage, writable: bool) -> None:
    for one in first.objects:
        if one.size and store.takes(one.key):
            store.read(one.key, 0, 1)
    if writable:
        key = f".danlu-check-{secrets.token_hex(8)}"
        store.write(key, iter([b"danlu"]), 5)
        store.remove(key)


_LOGIN = Words("the login is known there", "登录凭据有效")
_NO_LOGIN = Words("no login is asked for", "无需登录凭据")
_BUCKET = Words("{address} is there", "{address} 存在")
_READS = Words("it may list and read", "可以列出和读取")
_WRITES = Words("it may list, read and write", "可以列出、读取和写入")
