"""The WebSocket client against a server that speaks raw frames."""

from __future__ import annotations

import json
import queue
import struct

import pytest

from danlu.sdk.http import errors
from danlu.sdk.http.websocket import BINARY, TEXT, Closed, masked, open_websocket
from tests.fakes.http_server import Reply, problem


def test_masking_twice_gives_the_same_back():
    for size in (0, 1, 3, 4, 5, 1000):
        payload = bytes(range(256)) * 4
        assert masked(masked(payload[:size], b"\x01\x02\x03\xff"), b"\x01\x02\x03\xff") == payload[:size]
    assert masked(b"\x00\x00", b"\xaa\xbb\xcc\xdd") == b"\xaa\xbb"


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 200_000])
def test_messages_of_every_length_pass_both_ways(server, client, size):
    def echo(side):
        opcode, payload = side.receive()
        side.send(opcode, payload)

    server.on("GET", "echo", Reply(talk=echo))
    socket = open_websocket(client.http, "echo")
    socket.send(b"x" * size)
    assert socket.receive() == (BINARY, b"x" * size)
    socket.close()


def test_fragments_are_joined_and_pings_between_them_answered(server, client):
    answered = []

    def talk(side):
        side.send(TEXT, "hé".encode()[:2], final=False)
        side.send(0x9, b"are you there")
        answered.append(side.receive())
        side.send(0x0, "hé".encode()[2:], final=True)

    server.on("GET", "talk", Reply(talk=talk))
    socket = open_websocket(client.http, "talk")
    assert socket.receive() == (TEXT, "hé".encode())
    assert answered == [(0xA, b"are you there")]
    socket.close()


def test_a_close_is_answered_and_told(server, client):
    answered: queue.Queue[tuple[int, bytes]] = queue.Queue()

    def talk(side):
        side.send(0x8, struct.pack("!H", 4001) + b"enough")
        answered.put(side.receive())

    server.on("GET", "talk", Reply(talk=talk))
    socket = open_websocket(client.http, "talk")
    with pytest.raises(Closed) as caught:
        socket.receive()
    assert (caught.value.code, caught.value.reason) == (4001, "enough")
    socket.close()
    assert answered.get(timeout=10) == (0x8, struct.pack("!H", 4001))


@pytest.mark.parametrize(
    "frame",
    [b"\xc1\x00", b"\x81\x80abcd", b"\x83\x00", b"\x80\x00", b"\x09\x00", b"\x82\x7f" + b"\xff" * 8],
    ids=["extension", "masked", "unknown kind", "continues nothing", "split ping", "endless"],
)
def test_a_server_that_breaks_the_rules_is_left(server, client, frame):
    def talk(side):
        side.connection.sendall(frame)
        side.stream.read()

    server.on("GET", "talk", Reply(talk=talk))
    socket = open_websocket(client.http, "talk")
    with pytest.raises(Closed) as caught:
        socket.receive()
    assert caught.value.code == 1002


def test_a_connection_that_dies_is_1006(server, client):
    server.on("GET", "talk", Reply(talk=lambda side: None))
    socket = open_websocket(client.http, "talk")
    with pytest.raises(Closed) as caught:
        socket.receive()
    assert caught.value.code == 1006
    socket.close()


def test_a_refused_handshake_is_the_error_it_tells_of(server, client):
    server.on("GET", "jobs/train/exec", problem(409, "wrong_state", "the job does not run"))
    with pytest.raises(errors.WrongState, match="does not run"):
        client.exec("train", ["ls"])


def test_something_that_does_not_switch_is_not_danlu(server, client):
    server.on("GET", "jobs/train/exec", Reply(101, b"", {"Sec-WebSocket-Accept": "wrong"}))
    with pytest.raises(errors.Unreachable, match="is not Danlu"):
        client.exec("train", ["ls"])


def test_exec_carries_bytes_both_ways_and_the_exit_code(server, client):
    heard = []

    def talk(side):
        heard.append(side.receive())
        heard.append(side.receive())
        side.send(BINARY, b"out\n")
        side.send(TEXT, json.dumps({"exit": 3}).encode())

    server.on("GET", "jobs/train/exec", Reply(talk=talk))
    with client.exec("train", ["cat", "-"], task="worker-1", tty=True, cols=100, rows=30) as running:
        running.resize(90, 20)
        running.send(b"in")
        assert b"".join(running) == b"out\n"
        assert running.exit_code == 3
    assert heard == [(TEXT, b'{"resize": [90, 20]}'), (BINARY, b"in")]
    asked = server.requests[0]
    assert json.loads(asked.one("command")) == ["cat", "-"]
    assert (asked.one("task"), asked.one("tty"), asked.one("cols")) == ("worker-1", "true", "100")


def test_exec_tells_what_the_server_says_went_wrong(server, client):
    server.on(
        "GET", "jobs/train/exec", Reply(talk=lambda side: side.send(TEXT, b'{"error": "no such task"}'))
    )
    with pytest.raises(errors.DanluError, match="no such task"), client.exec("train", ["ls"]) as running:
        list(running)
