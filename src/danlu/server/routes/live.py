"""The console's one WebSocket: topics, and what happens in them."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from danlu.domain.errors import DanluError
from danlu.domain.permissions import Caller
from danlu.server.desk import Desk
from danlu.server.hub import Shown
from danlu.server.route import AtDesk, Routes, Who, checked_again
from danlu.server.rules import API
from danlu.server.sockets import together
from danlu.server.streams import HEARTBEAT_S

routes = Routes("live")

_MOST_TOPICS = 200
_MOST_AT_ONCE = 100
_WRONG = 1008
_USAGE = 'send {"subscribe": ["jobs", "job:ID", "nodes", "queue", "rules"]}'


@routes.add("WS", f"{API}/live")
async def live(socket: WebSocket, desk: AtDesk, who: Who) -> None:
    """What happens in the topics one subscribes: jobs, job:ID, nodes, queue, rules, users.

    The client sends {"subscribe": [topics]}, each time all of them; the server {"topic": …, "event": Event}.
    """
    await socket.accept()
    topics: set[str] = set()
    await together(socket, desk.streams, _listen(socket, topics), _tell(socket, desk, who, topics))


async def _listen(socket: WebSocket, topics: set[str]) -> None:
    """Take what the client wants; each message says all of it."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        wanted = _wanted(message.get("text"))
        if wanted is None:
            await socket.send_text(json.dumps({"error": _USAGE}))
            await socket.close(_WRONG)
            return
        topics.clear()
        topics.update(wanted)


async def _tell(socket: WebSocket, desk: Desk, who: Caller, topics: set[str]) -> None:
    async with desk.hub.listen() as listener:
        checked = time.monotonic()
        while True:
            events = await listener.take(HEARTBEAT_S)
            if time.monotonic() - checked >= HEARTBEAT_S:
                checked = time.monotonic()
                try:
                    who = (await checked_again(socket)).caller
                except DanluError:
                    await socket.close(_WRONG)
                    return
            for text in _messages([one for one in events if one.visible_to(who)], topics):
                # A client that does not read is left behind, not waited for.
                async with asyncio.timeout(60):
                    await socket.send_text(text)


def _messages(events: list[Shown], topics: set[str]) -> list[str]:
    """One per event and topic; of a flood, only the latest of each topic."""
    found = [(topic, one.json) for one in events for topic in one.topics if topic in topics]
    if len(found) > _MOST_AT_ONCE:
        found = list(dict(found).items())
    return [f'{{"topic":{json.dumps(topic)},"event":{event}}}' for topic, event in found]


def _wanted(text: Any) -> list[str] | None:
    try:
        topics = json.loads(text)["subscribe"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    right = isinstance(topics, list) and all(isinstance(topic, str) for topic in topics)
    return topics[:_MOST_TOPICS] if right else None
