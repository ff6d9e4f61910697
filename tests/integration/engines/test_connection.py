"""Connections to what listens inside tasks on this machine."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from danlu.domain.errors import Unavailable
from danlu.engines.local.connection import LocalConnection

pytestmark = pytest.mark.anyio

NODE = "127.77.0.9"


@contextlib.asynccontextmanager
async def listening(answer: bytes | None) -> AsyncIterator[int]:
    """Sends back what comes, or answers once and closes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(answer or data)
                await writer.drain()
                if answer:
                    break
        writer.close()

    server = await asyncio.start_server(serve, NODE, 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def write_on(connection: LocalConnection) -> None:
    while True:
        await connection.write(b"more")
        await asyncio.sleep(0)


async def test_bytes_go_both_ways() -> None:
    async with listening(None) as port:
        connection = await LocalConnection.open("worker-0", NODE, port)
        data = bytes(range(256)) * 8192
        writing = asyncio.create_task(connection.write(data))
        back = b""
        while len(back) < len(data):
            back += await connection.read()
        await writing
        assert back == data
        await connection.close()


async def test_the_other_sides_end_is_seen_and_nothing_more_is_taken() -> None:
    async with listening(b"bye") as port:
        connection = await LocalConnection.open("worker-0", NODE, port)
        await connection.write(b"hello")
        assert await connection.read() == b"bye"
        assert await connection.read() == b""
        with pytest.raises(Unavailable, match="worker-0 closed the connection"):
            await write_on(connection)
        await connection.close()


async def test_a_port_of_another_nodes_task_is_not_this_ones() -> None:
    async with listening(None) as port:
        with pytest.raises(Unavailable, match=f"nothing listens on port {port} of worker-1"):
            await LocalConnection.open("worker-1", "127.77.0.10", port)


async def test_closing_does_not_wait_for_one_who_never_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("danlu.engines.local.connection._FAREWELL_S", 0.05)
    held = asyncio.Event()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await held.wait()
        writer.close()

    server = await asyncio.start_server(serve, NODE, 0)
    async with server:
        connection = await LocalConnection.open("worker-0", NODE, server.sockets[0].getsockname()[1])
        writing = asyncio.create_task(connection.write(b"x" * 50_000_000))
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await connection.close()
            with contextlib.suppress(Unavailable):
                await writing
        held.set()
