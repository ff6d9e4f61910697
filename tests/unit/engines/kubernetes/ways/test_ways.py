"""Ways into tasks against a server that plays a cluster: what it says, refuses and breaks off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import WSMsgType, web

from danlu.domain.errors import DanluError, NotFound, Unavailable
from danlu.domain.job import Task
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import same
from danlu.engines.kubernetes.ways import forward as forward_module
from danlu.engines.shells import Shells
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import Connection, Shell

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("loop_time")]

Script = Callable[[web.WebSocketResponse, list[str]], Awaitable[None]]
ATTEMPT, TASK = "Attempt1", Task("worker", 0, "node-1.east", "10.0.0.1")
SUCCESS = b'\x03{"status":"Success"}'


class PodServer:
    """Serves exec and portforward of one pod by scripts, used up in turn; a number is a refusal."""

    def __init__(self) -> None:
        self.scripts: list[Script | int] = []
        self.asked: list[tuple[str, list[tuple[str, str]]]] = []
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.asked.append((request.path, list(request.query.items())))
        script = self.scripts.pop(0)
        if isinstance(script, int):
            return web.json_response({"message": "no"}, status=script)
        socket = web.WebSocketResponse(protocols=["v4.channel.k8s.io"])
        await socket.prepare(request)
        await script(socket, request.query.getall("command", []))
        return socket


@pytest.fixture
async def server() -> AsyncIterator[PodServer]:
    server = PodServer()
    application = web.Application()
    application.router.add_get("/api/v1/namespaces/jobs/pods/attempt1-worker-0/{part}", server.serve)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


@pytest.fixture
def shells(server: PodServer) -> Shells:
    return Shells(None, lambda name: cluster(server.url) if name == "east" else None)


def cluster(url: str) -> tuple[KubernetesCluster, ClusterCredentials]:
    kubeconfig = {
        "current-context": "main",
        "contexts": [{"name": "main", "context": {"cluster": "main", "user": "main"}}],
        "clusters": [{"name": "main", "cluster": {"server": url}}],
        "users": [{"name": "main", "user": {"token": "secret"}}],
    }
    return KubernetesCluster(name="east", namespace="jobs"), ClusterCredentials(json.dumps(kubeconfig))


def says(*frames: bytes) -> Script:
    async def script(socket: web.WebSocketResponse, _: list[str]) -> None:
        for frame in frames:
            await socket.send_bytes(frame)
        await socket.close()

    return script


async def all_of(source: Shell | Connection) -> bytes:
    out = b""
    while data := await source.read():
        out += data
    return out


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_command_is_asked_for_and_its_output_read(server: PodServer, shells: Shells) -> None:
    status = json.dumps(
        {"status": "Failure", "details": {"causes": [{"reason": "ExitCode", "message": "5"}]}}
    )
    server.scripts = [
        says(b"\x01", b"\x014", b"\x012\nfirst", b"\x01", b"\x02second", b"\x03" + status.encode())
    ]
    shell = await shells.exec(ATTEMPT, TASK, ["train", "--fast"], None)
    assert (await all_of(shell), await shell.wait()) == (b"firstsecond", 5)
    await shell.close()
    ((path, query),) = server.asked
    assert path.endswith("/exec")
    assert [value for name, value in query if name == "command"][-2:] == ["train", "--fast"]
    assert {("container", "task"), ("tty", "false"), ("stdin", "true")} <= set(query)


async def test_credentials_that_have_just_run_out_are_renewed(server: PodServer, shells: Shells) -> None:
    server.scripts = [401, says(b"\x014\nhere", SUCCESS)]
    shell = await shells.exec(ATTEMPT, TASK, ["true"], None)
    assert (await all_of(shell), await shell.wait()) == (b"here", 0)
    await shell.close()


async def test_input_sizes_and_the_end_of_input_reach_the_command(server: PodServer, shells: Shells) -> None:
    heard: list[bytes] = []

    async def script(socket: web.WebSocketResponse, _: list[str]) -> None:
        await socket.send_bytes(b"\x0177\r\n")
        async for message in socket:
            assert message.type is WSMsgType.BINARY
            heard.append(message.data)
            if message.data == b"\x00\x04":
                await socket.send_bytes(SUCCESS)
                return

    server.scripts = [script]
    shell = await shells.exec(ATTEMPT, TASK, ["sh"], (80, 24))
    await shell.write(b"ls\n")
    shell.resize(100, 30)
    await asyncio.sleep(0)
    await shell.write(b"")
    assert (await all_of(shell), await shell.wait()) == (b"", 0)
    await shell.write(b"too late")
    await shell.close()
    assert heard[:2] == [b'\x04{"Width": 80, "Height": 24}', b"\x00ls\n"]
    assert b'\x04{"Width": 100, "Height": 30}' in heard


async def test_closing_has_what_still_runs_ended(server: PodServer, shells: Shells) -> None:
    over = asyncio.Event()

    async def runs_on(socket: web.WebSocketResponse, _: list[str]) -> None:
        await socket.send_bytes(b"\x01123\n")
        await over.wait()

    async def killer(socket: web.WebSocketResponse, command: list[str]) -> None:
        assert command[-2:] == ["TERM", "123"]
        over.set()
        await socket.send_bytes(SUCCESS)
        await socket.close()

    server.scripts = [runs_on, killer]
    shell = await shells.exec(ATTEMPT, TASK, ["sleep", "9"], None)
    await shell.close()
    assert over.is_set()
    assert await shell.wait() == 137
    assert await shell.read() == b""


async def test_closing_is_bounded_by_nothing_the_cluster_does(server: PodServer, shells: Shells) -> None:
    async def runs_on(socket: web.WebSocketResponse, _: list[str]) -> None:
        await socket.send_bytes(b"\x01123\n")
        await asyncio.sleep(30)

    server.scripts = [runs_on, 500]
    shell = await shells.exec(ATTEMPT, TASK, ["sleep", "9"], None)
    async with asyncio.timeout(10):
        await shell.close()


async def test_a_lost_connection_is_told_where_the_output_is(server: PodServer, shells: Shells) -> None:
    server.scripts = [says(b"\x0112\nhalf")]
    shell = await shells.exec(ATTEMPT, TASK, ["train"], None)
    out = await all_of(shell)
    assert out.startswith(b"half")
    assert b"connection to the task was lost" in out
    assert await shell.wait() == 255
    await shell.close()


@pytest.mark.parametrize(
    ("script", "error", "words"),
    [
        (404, NotFound, "the pod of worker-0 no longer exists"),
        (403, Unavailable, "does not allow Danlu to use pods/exec in namespace jobs"),
        (500, Unavailable, "worker-0 cannot be reached"),
        (says(), Unavailable, "cannot run commands in worker-0: the cluster closed"),
        (says(b'\x03{"status":"Failure","message":"no such container"}'), Unavailable, "no such container"),
    ],
)
async def test_what_cannot_be_entered_is_said_in_our_words(
    server: PodServer, shells: Shells, script: Script | int, error: type[DanluError], words: str
) -> None:
    server.scripts = [script]
    with pytest.raises(error, match=words):
        await shells.exec(ATTEMPT, TASK, ["sh"], None)


async def test_a_cluster_that_does_not_answer_is_unavailable(server: PodServer) -> None:
    shells = Shells(None, lambda _: cluster("http://127.0.0.1:9"))
    with pytest.raises(Unavailable, match="cluster east cannot be reached"):
        await shells.exec(ATTEMPT, TASK, ["sh"], None)
    with pytest.raises(Unavailable, match="cannot sign in to cluster east"):
        await Shells(None, lambda _: (cluster("")[0], ClusterCredentials("{}"))).connect(ATTEMPT, TASK, 80)


# ── connections ──────────────────────────────────────────────────────────────────────────────────────

PORT = (8888).to_bytes(2, "little")
OPENED = (b"\x00" + PORT, b"\x01" + PORT)


async def test_bytes_go_both_ways_over_a_connection(server: PodServer, shells: Shells) -> None:
    async def echo(socket: web.WebSocketResponse, _: list[str]) -> None:
        for frame in (*OPENED, b"\x00hello "):
            await socket.send_bytes(frame)
        message = await socket.receive()
        await socket.send_bytes(message.data)
        await socket.close()

    server.scripts = [echo]
    connection = await shells.connect(ATTEMPT, TASK, 8888)
    await connection.write(b"")
    await connection.write(b"you")
    assert await all_of(connection) == b"hello you"
    assert await connection.read() == b""
    with pytest.raises(Unavailable, match="worker-0 closed the connection to its port 8888"):
        await connection.write(b"more")
    await connection.close()
    await connection.close()
    assert server.asked[0][1] == [("ports", "8888")]


async def test_a_refusal_that_comes_at_once_is_the_connections(server: PodServer, shells: Shells) -> None:
    refused = b"\x01error forwarding port 8888: dial tcp4 127.0.0.1:8888: connect: connection refused"
    server.scripts = [says(*OPENED, refused)]
    with pytest.raises(Unavailable, match="nothing listens on port 8888 of worker-0"):
        await shells.connect(ATTEMPT, TASK, 8888)


async def test_a_refusal_that_comes_late_is_told_by_the_first_read(
    server: PodServer, shells: Shells, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward_module, "_REFUSED_WITHIN_S", 0.01)
    connected = asyncio.Event()

    async def slow(socket: web.WebSocketResponse, _: list[str]) -> None:
        for frame in OPENED:
            await socket.send_bytes(frame)
        await connected.wait()
        await socket.send_bytes(b"\x01pod sandbox not found")
        await socket.close()

    server.scripts = [slow]
    connection = await shells.connect(ATTEMPT, TASK, 8888)
    connected.set()
    with pytest.raises(Unavailable, match="port 8888 of worker-0 cannot be reached: pod sandbox not found"):
        await connection.read()
    await connection.close()


# ── which way ────────────────────────────────────────────────────────────────────────────────────────


class Here:
    """Ways into tasks on this machine."""

    async def exec(self, *_: object) -> Shell:
        raise Unavailable(same("here"))

    async def connect(self, *_: object) -> Connection:
        raise Unavailable(same("here"))

    def stacks(self, *_: object) -> str:
        raise Unavailable(same("here"))


async def test_tasks_on_this_machine_are_entered_there_and_others_in_their_cluster(server: PodServer) -> None:
    shells = Shells(Here(), lambda name: cluster(server.url) if name == "east" else None)
    for node in ("gpu-1", "gpu-1.lab"):
        with pytest.raises(Unavailable, match="here"):
            await shells.exec(ATTEMPT, Task("worker", 0, node, "127.0.0.1"), ["sh"], None)
        with pytest.raises(Unavailable, match="here"):
            await shells.connect(ATTEMPT, Task("worker", 0, node, "127.0.0.1"), 80)
    server.scripts = [404]
    with pytest.raises(NotFound):
        await shells.exec(ATTEMPT, TASK, ["sh"], None)


async def test_without_a_machine_of_its_own_only_clusters_are_known(shells: Shells) -> None:
    for node in ("gpu-1", "gpu-1.west"):
        with pytest.raises(Unavailable, match=f"the cluster of {node}"):
            await shells.exec(ATTEMPT, Task("worker", 0, node, ""), ["sh"], None)


async def test_new_credentials_are_used_from_the_next_visit_on(server: PodServer) -> None:
    accesses = [cluster("http://127.0.0.1:9"), cluster(server.url)]
    shells = Shells(None, lambda _: accesses.pop(0))
    with pytest.raises(Unavailable):
        await shells.exec(ATTEMPT, TASK, ["sh"], None)
    server.scripts = [says(b"\x011\n", SUCCESS)]
    shell = await shells.exec(ATTEMPT, TASK, ["true"], None)
    assert await all_of(shell) == b""
    await shell.close()
