"""Turns: nobody takes those of others, and nobody has more than their bound."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from danlu.domain.errors import TooManyAtOnce
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.server.http.turns import SHARE, TURN, Turns, as_stream, give_back

pytestmark = pytest.mark.anyio

EVE, OTTO = (Caller(User(name, UserRole.ENGINEER, 0)) for name in ("eve", "otto"))
TASK = replace(EVE, job="j1")


async def test_one_person_runs_so_many_and_the_next_waits_for_them_alone():
    turns = Turns(requests=SHARE + 1, streams=1)
    running = [await turns.take(EVE) for _ in range(SHARE)]
    waiting = asyncio.ensure_future(turns.take(EVE))
    await asyncio.sleep(0)
    assert not waiting.done()
    with pytest.raises(TooManyAtOnce, match=f"eve has {SHARE + 1} requests open") as refused:
        await turns.take(EVE)
    assert refused.value.retry_after == 1
    (await turns.take(OTTO)).leave()
    running.pop().leave()
    running.append(await waiting)
    for turn in running:
        turn.leave()
    assert turns._guests == {}


async def test_who_gives_up_waiting_leaves_no_gap():
    turns = Turns(requests=SHARE + 2, streams=1)
    running = [await turns.take(EVE) for _ in range(SHARE)]
    first, second = (asyncio.ensure_future(turns.take(EVE)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    running.pop().leave()
    second.cancel()  # it was its turn just now
    await asyncio.gather(first, second, return_exceptions=True)
    running.append(await turns.take(EVE))
    for turn in running:
        turn.leave()
    assert turns._guests == {}


async def test_a_stream_gives_its_turn_to_short_requests_and_counts_apart():
    turns = Turns(requests=100, streams=SHARE + 1)
    scopes = []
    for _ in range(SHARE + 1):
        scope = {TURN: await turns.take(EVE)}
        as_stream(scope)
        as_stream(scope)
        scopes.append(scope)
    one_more = {TURN: await turns.take(EVE)}
    with pytest.raises(TooManyAtOnce, match="streams"):
        as_stream(one_more)
    for scope in (one_more, *scopes):
        give_back(scope)
    assert turns._guests == {}


async def test_tasks_of_a_job_take_no_turns_of_its_owner():
    turns = Turns(requests=SHARE, streams=1)
    tasks = [await turns.take(TASK) for _ in range(SHARE)]
    (await turns.take(EVE)).leave()
    many = [asyncio.ensure_future(turns.take(TASK)) for _ in range(2 * SHARE)]
    for turn in tasks:
        turn.leave()
    for taken in many:
        (await taken).leave()
    assert turns._guests == {}
