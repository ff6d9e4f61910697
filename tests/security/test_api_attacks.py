"""Attacks on the API of a running server: whoever sends much, slowly, or everything at once stops nobody else."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.server import ENGINEER, served, world
from tests.live import LiveServer, eventually, live_server, training

pytestmark = [pytest.mark.xdist_group("api"), pytest.mark.timeout(300)]

SOON = 20.0
"""A busy machine is no defect; what these attacks held up came after minutes, or never."""
ATTACKER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
BOUNDS = {
    "DANLU_HEADER_TIME": "1s",
    "DANLU_BODY_TIME": "1s",
    "DANLU_READER_TIME": "2s",
    "DANLU_CONNECTIONS_PER_ADDRESS": "40",
    "DANLU_STREAMS_PER_PERSON": "30",
}
SPARSE = """
printf '%s\\n' '[1000,1,{"loss":0.5}]' '[2000,2,{"loss":0.25}]' > $DANLU_REPORTS/metrics.jsonl
truncate -s 4T $DANLU_REPORTS/metrics.jsonl
"""


class Target:
    """The server under attack, and a job whose metrics file is terabytes of nothing."""

    def __init__(self, live: LiveServer) -> None:
        self.port, self.token, self.sparse = live.port, live._token(), ""

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self._ask("GET", path, headers=self.bearer, **more)

    def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        return self._ask("POST", f"/api/v1/{path}", json=body, **{"headers": self.bearer, **more})

    def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Who sends nothing for a second is disconnected, which on a busy machine may be us: again then."""
        address = f"http://127.0.0.1:{self.port}{path}"
        for _ in range(5):
            with contextlib.suppress(httpx.RemoteProtocolError):
                return httpx.request(method, address, timeout=SOON, **more)
        return httpx.request(method, address, timeout=SOON, **more)

    def connect(self, source: str = ATTACKER, receive: int = 0) -> socket.socket:
        made = socket.socket()
        if receive:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        made.settimeout(SOON)
        made.bind((source, 0))
        made.connect(("127.0.0.1", self.port))
        return made

    def request(self, path: str, source: str = ATTACKER, **headers: str) -> socket.socket:
        """A connection with a request on its way, of which nobody reads the answer."""
        made = self.connect(source)
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.token}"]
        made.sendall(
            "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers.items()), "", ""]).encode()
        )
        return made


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with live_server(tmp_path_factory.mktemp("api"), "--virtual-nodes", "1x1xA100", **BOUNDS) as live:
        found = Target(live)
        with live.client() as client:
            job = client.submit(training("sparse", SPARSE))
            eventually(lambda: client.get(job.id).state == "completed")
        found.sparse = f"/api/v1/jobs/{job.id}/metrics"
        yield found


def everything(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(1 << 16):
            data += piece
    return data


def answered(connection: socket.socket) -> tuple[int, dict[str, Any], dict[str, str]]:
    """The one answer on a connection that the server then closes: status, problem and headers."""
    head, _, body = everything(connection).partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]) if first else 0, json.loads(body) if body else {}, headers


def closed(connection: socket.socket) -> bool:
    """Whether the server closed it, having said nothing."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@contextlib.contextmanager
def many(made: Iterator[socket.socket]) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(one) for one in made]


def test_exports_of_terabytes_of_nothing_take_no_threads_from_others(target: Target):
    export = f"{target.sparse}?format=csv"
    with many(target.request(export, Connection="close") for _ in range(24)) as exports:
        assert target.get("/readyz").status_code == 200
        assert target.get("/api/v1/jobs").status_code == 200
        answers = [everything(one) for one in exports]
    rows = [b"step,time,name,task,value\r\n", b"1,1000,loss,worker-0,0.5\r\n2,2000,loss,worker-0,0.25\r\n"]
    assert [[row in answer for row in rows] for answer in answers] == [[True, True]] * 24


def test_a_chart_of_terabytes_of_nothing_is_drawn_at_once(target: Target):
    (line,) = target.get(target.sparse).json()["series"]
    assert (line["steps"], line["values"]) == ([1, 2], [0.5, 0.25])


def test_thousands_of_unknown_keys_are_told_in_bounds_while_others_are_answered(target: Target):
    file = {**training("flood", "true"), **{f"comand{number}": 1 for number in range(60_000)}}
    with ThreadPoolExecutor(1) as pool:
        checking = pool.submit(target.post, "jobs/check", file)
        assert target.get("/readyz").status_code == 200
        told = checking.result().json()
    assert [one["code"] for one in told["errors"]] == ["unknown_key"] * 50 + ["more_mistakes"]
    assert told["errors"][-1]["params"] == {"count": 59_950}
    assert [bool(one.get("hint")) for one in told["errors"]] == [True] * 10 + [False] * 41
    refused = target.post("jobs", file)
    assert (refused.status_code, refused.json()["detail"]) == (422, "60000 errors in the request")


@pytest.mark.parametrize(("keys", "status"), [(10_000, 413), (1_000, 422)])
def test_without_a_sign_in_little_may_be_sent(target: Target, keys: int, status: int):
    body = {"username": "eve", "password": "x", **{f"u{number}": 1 for number in range(keys)}}
    refused = target.post("session", body, headers={})
    assert (refused.status_code, len(refused.json()["errors"])) == (status, 51 if status == 422 else 0)


def test_who_sends_nothing_is_disconnected(target: Target):
    with many(target.connect() for _ in range(10)) as silent:
        assert all(closed(one) for one in silent)


def test_headers_that_never_end_are_ended(target: Target):
    with target.connect() as slow, target.connect() as long:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        status, told, _ = trickled(slow, b"X-One: more\r\n")
        assert (status, told["type"]) == (408, "too_slow")
        assert "1s" in told["detail"]
        long.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        with contextlib.suppress(ConnectionError):
            for _ in range(64):
                long.sendall(b"x" * (1 << 20))
        assert answered(long)[0] in (413, 0)  # its answer may be lost, if it goes on sending


def test_trailers_that_never_end_are_ended(target: Target):
    with target.connect() as chunked:
        head = (
            f"POST /api/v1/jobs/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {target.token}\r\n"
        )
        chunked.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n".encode())
        with pytest.raises(ConnectionError):
            chunked.sendall((b"X-Trailer: " + b"x" * (1 << 10) + b"\r\n") * (64 << 10))


def test_a_body_that_hardly_comes_is_refused(target: Target):
    with target.connect() as slow:
        slow.sendall(b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n")
        status, told, _ = trickled(slow, b" ")
    assert (status, told["type"]) == (408, "too_slow")
    assert "bytes of the body" in told["detail"]
    assert "请求内容" in told["text"]["zh"]


def trickled(connection: socket.socket, piece: bytes) -> tuple[int, dict[str, Any], dict[str, str]]:
    """What is answered to somebody who goes on sending a little at a time."""
    over = threading.Event()

    def send() -> None:
        with contextlib.suppress(OSError):
            while not over.wait(0.1):
                connection.sendall(piece)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        return answered(connection)
    finally:
        over.set()
        sender.join()


def test_who_asks_and_does_not_read_is_disconnected(target: Target):
    asked = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    size = len(target.get("/api/v1/openapi.json").content)
    eventually(lambda: open_requests(target) == 1)
    with target.connect(receive=4096) as idle:
        idle.sendall(asked * 100)
        eventually(lambda: open_requests(target) == 2)
        eventually(lambda: open_requests(target) == 1)
        assert len(everything(idle)) < 100 * size


def open_requests(target: Target) -> float:
    """With the one that asks."""
    found = re.search(r"^danlu_http_requests_open (\S+)", target.get("/metrics").text, re.MULTILINE)
    assert found
    return float(found[1])


def test_an_address_has_so_many_connections_and_its_neighbour_is_answered(target: Target):
    with many(target.request("/api/v1/events") for _ in range(25)), many(keep_asking(target, 15)):
        with target.request("/healthz") as refused:
            status, told, headers = answered(refused)
        assert (status, told["type"], headers["retry-after"]) == (429, "too_many_at_once", "5")
        assert "40 connections" in told["detail"]
        assert "上限 40" in told["text"]["zh"]
        assert healthy(target, NEIGHBOUR)
    assert eventually(lambda: healthy(target, ATTACKER))


def healthy(target: Target, source: str) -> bool:
    with target.request("/healthz", source, Connection="close") as asked:
        return answered(asked)[0] == 200


def keep_asking(target: Target, count: int) -> Iterator[socket.socket]:
    """Connections that are kept alive."""
    for _ in range(count):
        made = target.request("/healthz")
        assert made.recv(1 << 16)
        yield made


def test_a_person_has_so_many_streams_and_everything_else_goes_on(target: Target):
    with many(target.request("/api/v1/events", NEIGHBOUR) for _ in range(30)) as streams:
        for one in streams:
            assert one.recv(15).startswith(b"HTTP/1.1 200")
        for path in ("/api/v1/events", f"{target.sparse}?format=csv"):
            refused = target.get(path)
            assert (refused.status_code, refused.json()["type"]) == (429, "too_many_at_once")
            assert refused.headers["retry-after"] == "10"
            assert "30 streams" in refused.json()["detail"]
        assert target.get("/api/v1/jobs").status_code == 200
    assert eventually(lambda: target.get(f"{target.sparse}?format=csv").status_code == 200)


def test_behind_a_proxy_it_is_the_address_that_the_proxy_names(tmp_path: Path):
    with (
        world(tmp_path, connections_per_address=2) as here,
        served(here.app, proxies=("127.0.0.1",)) as url,
        httpx.Client(base_url=url, headers=here.bearer(ENGINEER)) as client,
        contextlib.ExitStack() as streams,
    ):
        crowd, other = {"X-Forwarded-For": "203.0.113.7"}, {"X-Forwarded-For": "203.0.113.8"}
        for _ in range(2):
            streams.enter_context(client.stream("GET", "/api/v1/events", headers=crowd))
        refused = client.get("/healthz", headers=crowd)
        assert (refused.status_code, refused.json()["type"]) == (429, "too_many_at_once")
        assert "203.0.113.7 has 2 connections" in refused.json()["detail"]
        assert client.get("/healthz", headers=other).status_code == 200
