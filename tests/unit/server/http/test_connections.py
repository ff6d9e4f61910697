"""Who is connected: counted by address, proxies apart."""

from __future__ import annotations

import asyncio

import pytest

from danlu.server.http.connections import ConnectionBounds, Connections


def test_an_address_has_so_many_until_it_leaves():
    connections = Connections(ConnectionBounds(connections=3, per_address=2))
    first, second, third, other = (asyncio.BaseTransport() for _ in range(4))
    assert [connections.enter(one, "192.0.2.1") for one in (first, second)] == [None, None]
    refusal = connections.enter(third, "192.0.2.1")
    assert refusal is not None
    assert (refusal.code, refusal.retry_after) == ("too_many_at_once", 5)
    assert refusal.detail.startswith("192.0.2.1 has 2 connections open")
    assert not connections.full
    assert connections.enter(other, "192.0.2.2") is None
    assert connections.full
    for one in (first, third, third, other):
        connections.leave(one)
    assert connections.enter(first, "192.0.2.1") is None


@pytest.mark.parametrize(
    ("proxies", "is_one"),
    [
        ((), False),
        (("192.0.2.1",), True),
        (("198.51.100.1", "192.0.2.0/24"), True),
        (("192.0.3.0/24", "proxy.example"), False),
        (("*",), True),
    ],
)
def test_a_proxy_that_is_trusted_bounds_those_behind_it(proxies: tuple[str, ...], is_one: bool):
    connections = Connections(ConnectionBounds(per_address=1), proxies)
    connections.enter(asyncio.BaseTransport(), "192.0.2.1")
    assert (connections.enter(asyncio.BaseTransport(), "192.0.2.1") is None) is is_one
    assert connections.enter(asyncio.BaseTransport(), "unix") is None


def test_half_of_the_files_that_may_be_open_are_left_for_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("resource.getrlimit", lambda _: (100, 100))
    assert Connections(ConnectionBounds()).most == 50
    assert Connections(ConnectionBounds(connections=10)).most == 10
