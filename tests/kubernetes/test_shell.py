"""Commands and connections inside real pods."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from danlu.domain.errors import NotFound, Unavailable
from danlu.domain.job import Task
from danlu.engines.shells import Shells
from danlu.ports.engine import Connection, Shell
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.kubernetes.tasks import ATTEMPT, access_to, farewells, make_task, name_of

pytestmark = pytest.mark.anyio

SIZE = (100, 30)


@pytest.fixture
async def shells(kube: Kube) -> AsyncIterator[Shells]:
    yield Shells(None, lambda name: access_to(kube) if name == "cluster" else None)
    await farewells()


@pytest.fixture
def task(kube: Kube, place: Place) -> Task:
    task = make_task(kube, place.python, ["sleep", "3600"], env=[{"name": "COLOUR", "value": "blue"}])
    kube.wait_pod(name_of(task), "Running")
    return task


async def all_of(source: Shell | Connection) -> bytes:
    out = b""
    async with asyncio.timeout(60):
        while data := await source.read():
            out += data
    return out


async def so_many(source: Shell | Connection, size: int) -> bytes:
    out = b""
    async with asyncio.timeout(60):
        while len(out) < size and (data := await source.read()):
            out += data
    return out


async def said(
    shells: Shells, task: Task, command: str, tty: tuple[int, int] | None = None
) -> tuple[bytes, int]:
    shell = await shells.exec(ATTEMPT, task, ["sh", "-c", command], tty)
    try:
        return await all_of(shell), await shell.wait()
    finally:
        await shell.close()


async def until_seen(shell: Shell, wanted: bytes) -> None:
    seen = b""
    async with asyncio.timeout(20):
        while wanted not in seen:
            data = await shell.read()
            assert data, seen
            seen += data


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not await asyncio.to_thread(holds):
            await asyncio.sleep(0.1)


async def test_a_command_on_pipes_says_what_it_prints_and_how_it_ended(shells: Shells, task: Task) -> None:
    assert await said(shells, task, "echo $COLOUR; echo trouble >&2; exit 3") == (b"blue\ntrouble\n", 3)
    assert await said(shells, task, "true") == (b"", 0)
    assert await said(shells, task, "kill -9 $$") == (b"", 137)
    out, code = await said(shells, task, "no-such-command")
    assert (b"not found" in out, code) == (True, 127)


async def test_a_command_on_a_terminal_knows_its_size_and_hears_of_changes(
    shells: Shells, task: Task
) -> None:
    command = 'stty size; until [ "$(stty size)" = "43 132" ]; do sleep 0.1; done; exit 4'
    shell = await shells.exec(ATTEMPT, task, ["sh", "-c", command], SIZE)
    await until_seen(shell, b"30 100")
    shell.resize(132, 43)
    await all_of(shell)
    assert await shell.wait() == 4
    await shell.close()


async def test_a_terminal_is_one_to_the_command(shells: Shells, task: Task) -> None:
    assert await said(shells, task, "tty >/dev/null && echo $TERM", SIZE) == (b"xterm-256color\r\n", 0)
    assert (await said(shells, task, "tty"))[1] == 1


async def test_input_arrives_byte_by_byte_and_ends(shells: Shells, task: Task) -> None:
    data = bytes(range(256)) * 200 + b"%s %d \\n -n . \n.\n"
    shell = await shells.exec(ATTEMPT, task, ["cat"], None)
    writing = asyncio.create_task(shell.write(data))
    assert await so_many(shell, len(data)) == data
    await writing
    await shell.write(b"")
    await shell.write(b"ignored")
    assert (await all_of(shell), await shell.wait()) == (b"", 0)
    await shell.close()


async def test_the_end_of_input_on_a_terminal_ends_what_reads_it(shells: Shells, task: Task) -> None:
    # A shell that is just changing its terminal's mode would lose the sign.
    shell = await shells.exec(ATTEMPT, task, ["sh", "-c", "cat; exit 9"], SIZE)
    await shell.write(b"hello\n")
    await until_seen(shell, b"hello\r\nhello\r\n")
    await shell.write(b"")
    await all_of(shell)
    assert await shell.wait() == 9
    await shell.close()


async def test_much_output_arrives_whole(shells: Shells, task: Task) -> None:
    out, code = await said(shells, task, "seq 1 500000")
    assert code == 0
    assert out == b"".join(b"%d\n" % number for number in range(1, 500_001))


@pytest.mark.parametrize("tty", [SIZE, None], ids=["terminal", "pipes"])
async def test_closing_ends_the_command_and_what_it_started(
    shells: Shells, task: Task, tty: tuple[int, int] | None
) -> None:
    command = ["sh", "-c", "trap '' TERM; sleep 4321 & sleep 1234 & echo both; wait"]
    shell = await shells.exec(ATTEMPT, task, command, tty)
    await until_seen(shell, b"both")
    await shell.close()
    assert await shell.wait() == 137
    listed, _ = await said(shells, task, "ps")
    assert b"sleep 3600" in listed
    assert b"sleep 1234" not in listed
    assert b"sleep 4321" not in listed


async def test_a_task_that_is_gone_or_not_there_yet_says_so(shells: Shells, kube: Kube, place: Place) -> None:
    with pytest.raises(NotFound, match="no longer exists"):
        await shells.exec(ATTEMPT, Task("worker", 7, "node.cluster", ""), ["true"], None)
    with pytest.raises(Unavailable, match="was removed"):
        await shells.exec(ATTEMPT, Task("worker", 7, "node.elsewhere", ""), ["true"], None)
    over = make_task(kube, place.busybox, ["true"])
    kube.wait_pod(name_of(over), "Succeeded")
    with pytest.raises(Unavailable, match="worker-0"):
        await shells.exec(ATTEMPT, over, ["true"], None)
    with pytest.raises(Unavailable, match="worker-0"):
        await shells.connect(ATTEMPT, over, 80)


async def test_a_port_is_reached_and_one_where_nothing_listens_is_not(
    shells: Shells, kube: Kube, place: Place
) -> None:
    serve = "cd /usr && exec python3.11 -u -m http.server 8000"
    task = make_task(kube, place.python, ["sh", "-c", serve])
    kube.wait_pod(name_of(task), "Running")
    await until(lambda: "Serving" in kube.log(name_of(task)))
    for _ in range(3):
        connection = await shells.connect(ATTEMPT, task, 8000)
        await connection.write(b"GET / HTTP/1.0\r\n\r\n")
        answer = await all_of(connection)
        assert answer.startswith(b"HTTP/1.0 200 OK")
        assert answer.rstrip().endswith(b"</html>")
        with pytest.raises(Unavailable, match="closed the connection"):
            await connection.write(b"more")
        await connection.close()
    with pytest.raises(Unavailable, match="nothing listens on port 8001 of worker-0"):
        await shells.connect(ATTEMPT, task, 8001)


async def test_megabytes_go_both_ways_over_a_port(shells: Shells, kube: Kube, place: Place) -> None:
    echo = (
        "import socket; s = socket.create_server(('127.0.0.1', 9000)); print('ready', flush=True); c, _ = s.accept()\n"
        "while data := c.recv(65536): c.sendall(data)"
    )
    task = make_task(kube, place.python, ["python3.11", "-c", echo])
    await until(
        lambda: kube.pod(name_of(task))["status"]["phase"] == "Running" and "ready" in kube.log(name_of(task))
    )
    connection = await shells.connect(ATTEMPT, task, 9000)
    data = bytes(range(256)) * 16_384
    writing = asyncio.create_task(connection.write(data))
    assert await so_many(connection, len(data)) == data
    await writing
    await connection.close()
