"""Terminals that outlive a connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from danlu.domain.errors import NotFound, TooMany
from danlu.server.live.terminals import Terminals

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("loop_time")]


class Printer:
    """A shell that prints what it is told to, and ends when told nothing more."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed = False

    async def read(self) -> bytes:
        return await self.says.get()

    async def write(self, data: bytes) -> None:
        await self.says.put(data)

    def resize(self, columns: int, rows: int) -> None: ...

    async def wait(self) -> int:
        return 0

    async def close(self) -> None:
        self.closed = True


async def taken(pieces: AsyncIterator[bytes], size: int) -> bytes:
    found = b""
    async with asyncio.timeout(5):
        while len(found) < size:
            found += await anext(pieces)
    return found


async def test_of_much_output_that_nobody_read_the_latest_is_kept_and_offsets_stay_true() -> None:
    terminals, shell = Terminals(), Printer()
    first = terminals.add(shell, "lin", "j1", kept=True)
    await terminals.leave(first)
    for number in range(64):
        await shell.write(bytes([number]) * 65_536)
    while not shell.says.empty():
        await asyncio.sleep(1)
    back = terminals.back(first.terminal.id, "lin", "j1", 0)
    begin = back.seen
    size = 64 * 65_536 - begin
    assert begin > 0
    assert size >= 1 << 20
    kept = await taken(back.read(), size)
    assert kept[-65_536:] == bytes([63]) * 65_536
    assert kept[:1] == bytes([begin // 65_536])
    await terminals.close()


async def test_a_slow_reader_slows_the_shell_down_and_misses_nothing() -> None:
    terminals, shell = Terminals(), Printer()
    pieces = terminals.add(shell, "lin", "j1", kept=True).read()
    await shell.write(b"x")
    assert await taken(pieces, 1) == b"x"
    for number in range(64):
        await shell.write(bytes([number]) * 65_536)
    for _ in range(100):
        await asyncio.sleep(0)
    assert not shell.says.empty()
    assert await taken(pieces, 64 * 65_536) == b"".join(bytes([number]) * 65_536 for number in range(64))
    await terminals.close()


async def test_a_terminal_that_nobody_returns_to_is_closed() -> None:
    terminals, shell = Terminals(kept_s=60), Printer()
    first = terminals.add(shell, "lin", "j1", kept=True)
    await terminals.leave(first)
    await asyncio.sleep(59)
    assert not shell.closed
    await asyncio.sleep(2)
    assert shell.closed
    with pytest.raises(NotFound):
        terminals.back(first.terminal.id, "lin", "j1", 0)


async def test_whoever_returns_while_the_old_connection_is_just_going_keeps_the_terminal() -> None:
    terminals, shell = Terminals(kept_s=60), Printer()
    old = terminals.add(shell, "lin", "j1", kept=True)
    new = terminals.back(old.terminal.id, "lin", "j1", 0)
    await terminals.leave(old)
    await asyncio.sleep(120)
    assert not shell.closed
    await shell.write(b"still here")
    assert await taken(new.read(), 10) == b"still here"
    assert [piece async for piece in old.read()] == []
    await terminals.close()
    assert shell.closed


async def test_places_are_taken_before_a_shell_is_there() -> None:
    terminals = Terminals()
    with contextlib.ExitStack() as opening:
        for _ in range(20):
            opening.enter_context(terminals.room_for("lin"))
        with pytest.raises(TooMany), terminals.room_for("lin"):
            pass
        with terminals.room_for("wang"):
            pass
    with terminals.room_for("lin"):
        pass
