"""A command on a terminal or on pipes: it may read slowly, or never, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvloop

from danlu.engines.local.shell import LocalShell

SIZE = (80, 24)
MEGABYTE = (b"x" * 63 + b"\n") * (1 << 14)
# -echo: what is typed would come back as output, which is not what is looked at here.
DEAF = ["sh", "-c", "stty -echo 2>/dev/null; echo ready; sleep 1000"]
COUNTS = ["sh", "-c", "stty -echo 2>/dev/null; echo ready; wc -c"]

Run = Callable[[Callable[[], Awaitable[Any]]], Any]


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """On the loop the server uses, and on Python's own."""
    factory = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop

    def ran(act: Callable[[], Awaitable[Any]]) -> Any:
        async def bounded() -> Any:
            async with asyncio.timeout(30):
                return await act()

        with asyncio.Runner(loop_factory=factory) as runner:
            return runner.run(bounded())

    return ran


async def nothing() -> None:
    shell = await LocalShell.start(["true"], SIZE)
    assert await shell.wait() == 0
    await shell.close()


async def opened(command: list[str], tty: tuple[int, int] | None) -> LocalShell:
    shell = await LocalShell.start(command, tty)
    assert (await shell.read()).strip() == b"ready"
    return shell


@pytest.mark.parametrize("tty", [SIZE, None], ids=["terminal", "pipes"])
def test_a_command_that_never_reads_holds_nothing_back_when_it_is_closed(run: Run, tty: Any) -> None:
    async def act() -> None:
        shell = await opened(DEAF, tty)
        writing = asyncio.create_task(shell.write(MEGABYTE))
        done, _ = await asyncio.wait([writing], timeout=0.2)
        assert not done, "a megabyte does not fit where nobody reads"
        async with asyncio.timeout(30):
            await shell.close()
            await writing

    run(nothing)  # what a loop opens once and for all
    files = len(os.listdir("/proc/self/fd"))
    run(act)
    assert len(os.listdir("/proc/self/fd")) <= files
    assert not [one.name for one in threading.enumerate() if one.name.startswith("asyncio_")]


@pytest.mark.parametrize("tty", [SIZE, None], ids=["terminal", "pipes"])
def test_a_writer_that_gives_up_can_be_followed_by_another(run: Run, tty: Any) -> None:
    async def act() -> None:
        shell = await opened(DEAF, tty)
        for _ in range(2):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await shell.write(MEGABYTE)
        await shell.close()
        await shell.write(b"late")
        await shell.close()

    run(act)


@pytest.mark.parametrize("tty", [SIZE, None], ids=["terminal", "pipes"])
def test_a_megabyte_arrives_whole(run: Run, tty: Any) -> None:
    async def act() -> tuple[bytes, int]:
        shell = await opened(COUNTS, tty)
        await shell.write(MEGABYTE)
        await shell.write(b"")
        said = b""
        while piece := await shell.read():
            said += piece
        code = await shell.wait()
        await shell.close()
        return said, code

    said, code = run(act)
    assert (int(said), code) == (1 << 20, 0)


def test_a_terminal_that_is_closed_is_at_its_end(run: Run) -> None:
    async def act() -> bytes:
        shell = await LocalShell.start(["sleep", "1000"], SIZE)
        await shell.close()
        shell.resize(100, 30)
        return await shell.read()

    assert run(act) == b""
