"""Followers of one log all get everything, and leave nothing behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from danlu.ports.logs import LogKey
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs, log_path

KEY = LogKey("job", 1, "worker-0")
pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("loop_time")]


async def collect(follower: SharedFollower, offset: int, until: int) -> bytes:
    got = b""
    async for chunk in follower.follow(KEY, offset):
        got += chunk.records
        if offset + len(got) >= until:
            break
    return got


async def test_every_follower_gets_every_record_from_where_it_began(tmp_path: Path) -> None:
    path = log_path(tmp_path, KEY)
    path.parent.mkdir(parents=True)
    records = [b"1.%03d o line %03d\n" % (number, number) for number in range(100)]
    size = sum(map(len, records))
    follower = SharedFollower(FileLogs(tmp_path))
    readers = [asyncio.create_task(collect(follower, len(records[0]) * n, size)) for n in (0, 0, 3, 50)]
    with path.open("ab", buffering=0) as file:
        for record in records:
            file.write(record)
            await asyncio.sleep(0)
    got = await asyncio.wait_for(asyncio.gather(*readers), 10)
    assert got == [b"".join(records[n:]) for n in (0, 0, 3, 50)]


async def test_a_quiet_log_gives_signs_of_life_and_is_let_go(tmp_path: Path) -> None:
    follower = SharedFollower(FileLogs(tmp_path))
    stream = follower.follow(KEY, 0)
    chunk = await asyncio.wait_for(anext(stream), 10)
    assert chunk.records == b""
    await stream.aclose()  # type: ignore[attr-defined]
    assert follower._watched == {}
