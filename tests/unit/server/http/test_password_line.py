"""Password checks wait their turn, fairly, and not without end."""

from __future__ import annotations

import threading
from collections.abc import Callable

import anyio
import pytest

from danlu.domain.errors import TooMany
from danlu.server.http.password_line import WAITING, WAITING_AT_ONE_ADDRESS, PasswordLine

pytestmark = pytest.mark.anyio


class Work:
    """Work that lasts until it is allowed to end, and notes its order."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.begun, self.free = threading.Event(), threading.Event()

    def __call__(self, who: str) -> Callable[[], None]:
        def work() -> None:
            self.begun.set()
            assert self.free.wait(10)
            self.done.append(who)

        return work


async def until(true: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not true():
            await anyio.sleep(0.001)


async def test_a_flood_from_one_address_delays_another_by_one_turn() -> None:
    line, work = PasswordLine(), Work()
    async with anyio.create_task_group() as group:
        for number in range(1 + WAITING_AT_ONE_ADDRESS):
            group.start_soon(line.stranger, "10.0.0.1", work(f"guess {number}"))
            await until(lambda ahead=number: line.waiting == ahead)  # type: ignore[misc]
        group.start_soon(line.stranger, "10.0.0.2", work("lin"))
        await until(lambda: line.waiting == 1 + WAITING_AT_ONE_ADDRESS)
        work.free.set()
    assert work.done[:3] == ["guess 0", "guess 1", "lin"]
    assert len(work.done) == 2 + WAITING_AT_ONE_ADDRESS
    assert line.waiting == 0


async def test_a_full_line_refuses_at_once_and_says_when_to_try_again() -> None:
    line, work = PasswordLine(), Work()
    async with anyio.create_task_group() as group:
        group.start_soon(line.stranger, "first", work("first"))
        await until(work.begun.is_set)
        addresses = WAITING // WAITING_AT_ONE_ADDRESS
        for number in range(WAITING):
            group.start_soon(line.stranger, f"10.0.0.{number % addresses}", work("guess"))
        await until(lambda: line.waiting == WAITING)
        with pytest.raises(TooMany) as refused:
            await line.stranger("10.9.9.9", work("lin"))
        assert refused.value.retry_after >= 1
        work.free.set()
    assert len(work.done) == 1 + WAITING
    await line.stranger("10.9.9.9", work("lin"))


async def test_one_address_cannot_fill_the_line() -> None:
    line, work = PasswordLine(), Work()
    async with anyio.create_task_group() as group:
        for _ in range(1 + WAITING_AT_ONE_ADDRESS):
            group.start_soon(line.stranger, "10.0.0.1", work("guess"))
        await until(lambda: line.waiting == WAITING_AT_ONE_ADDRESS)
        with pytest.raises(TooMany):
            await line.stranger("10.0.0.1", work("one too many"))
        work.free.set()


async def test_who_is_known_does_not_stand_behind_strangers() -> None:
    line, work, done = PasswordLine(), Work(), threading.Event()
    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(line.stranger, "10.0.0.1", work("guess"))
        await until(lambda: line.waiting == 9)
        await line.known(done.set)
        assert done.is_set()
        assert work.done == []
        work.free.set()


async def test_who_gives_up_waiting_leaves_the_line() -> None:
    line, work = PasswordLine(), Work()
    async with anyio.create_task_group() as group:
        group.start_soon(line.stranger, "10.0.0.1", work("first"))
        await until(work.begun.is_set)
        with anyio.move_on_after(0.01):
            await line.stranger("10.0.0.1", work("impatient"))
        assert line.waiting == 0
        work.free.set()
    assert work.done == ["first"]
    await line.stranger("10.0.0.2", work("next"))
    assert work.done == ["first", "next"]
