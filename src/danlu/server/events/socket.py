"""The console's one WebSocket: topics, and what happens in them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from danlu.domain.errors import DanluError, Unavailable
from danlu.domain.permissions import Caller
from danlu.server.desk import Desk
from danlu.server.events.live_logs import LiveLogs, Send
from danlu.server.http.access import API, ONESELF, AccessRule, P
from danlu.server.http.identity import Recheck
from danlu.server.http.sockets import together
from danlu.server.http.streams import HEARTBEAT_S
from danlu.server.live.hub import ShownEvent
from danlu.server.live.models import LiveWish
from danlu.server.route import AtDesk, Routes, Who, checked_again

routes = Routes("live")

_MOST_TOPICS = 200
_MOST_AT_ONCE = 100
_LONGEST_WISH = 64 << 10
_WRONG = 1008
_PATIENCE_S = 60
_USAGE = 'send {"subscribe": ["jobs", "job:ID", "nodes", "queue", "rules"], "logs": {NAME: {"job": ID, …}}}'


@routes.add("WS", f"{API}/live", AccessRule(P.EVENT_READ, ONESELF))
async def live(socket: WebSocket, desk: AtDesk, who: Who) -> None:
    """Events of subscribed topics, and logs as they are written.

    Topics are jobs, job:ID, nodes, queue, rules and users. The client sends {"subscribe": [topics], "logs": {name:
    {job, task, attempt, offset}}}, each time the complete list. The server sends {"topic": …, "event": Event}, {"log":
    name, "next": offset, "lines": [[milliseconds, o or e, text]]}, {"log": name, "end": true} or {"log": name,
    "error": …}.
    """
    await socket.accept()
    turn = asyncio.Lock()

    async def send(text: str) -> None:
        # A client that does not read is left behind, not waited for.
        async with turn, asyncio.timeout(_PATIENCE_S):
            await socket.send_text(text)

    topics: set[str] = set()
    logs = LiveLogs(socket, desk, send)
    halves = (_listen(socket, topics, logs), _tell(socket, desk, who, topics, send), logs.broken())
    try:
        await together(socket, desk.streams, *halves)
    finally:
        await logs.close()


async def _listen(socket: WebSocket, topics: set[str], logs: LiveLogs) -> None:
    """Apply what the client subscribes to; each message replaces the one before."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        wish = _wish(message.get("text"))
        if wish is None:
            await socket.send_text(json.dumps({"error": _USAGE}))
            await socket.close(_WRONG)
            return
        topics.clear()
        topics.update(wish.subscribe[:_MOST_TOPICS])
        logs.want(wish.logs)


async def _tell(socket: WebSocket, desk: Desk, who: Caller, topics: set[str], send: Send) -> None:
    async with desk.hub.listen() as listener:
        recheck = Recheck(desk.identity, who.name)
        events: tuple[ShownEvent, ...] = ()
        while True:
            if recheck.due(HEARTBEAT_S):
                try:
                    who = (await checked_again(socket)).caller
                except Unavailable:
                    pass  # the database is unavailable for a moment: the client keeps its permissions
                except DanluError:
                    await socket.close(_WRONG)
                    return
            for text in _messages([one for one in events if one.visible_to(who)], topics):
                await send(text)
            events = await listener.take(HEARTBEAT_S)


def _messages(events: list[ShownEvent], topics: set[str]) -> list[str]:
    """One message per event and topic; under heavy load, only the latest of each topic."""
    found = [(topic, one.json) for one in events for topic in one.topics if topic in topics]
    if len(found) > _MOST_AT_ONCE:
        found = list(dict(found).items())
    return [f'{{"topic":{json.dumps(topic)},"event":{event}}}' for topic, event in found]


def _wish(text: Any) -> LiveWish | None:
    if isinstance(text, str) and len(text) > _LONGEST_WISH:
        return None
    try:
        return LiveWish.model_validate_json(text)
    except (ValueError, TypeError):
        return None
