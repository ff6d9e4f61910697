"""Everything that happens, for scripts: server-sent events."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from fastapi import Request
from starlette.responses import Response

from danlu.domain.errors import DanluError
from danlu.domain.permissions import Caller
from danlu.server.desk import Desk
from danlu.server.http.access import API, ONESELF, AccessRule, P
from danlu.server.http.identity import Recheck
from danlu.server.http.reading import decimal
from danlu.server.http.streams import HEARTBEAT_S, EventStream
from danlu.server.live.follow import HEARTBEAT, OPENING
from danlu.server.live.hub import ShownEvent
from danlu.server.route import AtDesk, LastEventId, Routes, Who, checked_again

routes = Routes("events")

_STREAM = {
    200: {
        "description": "A stream: each message is an Event as JSON, its id the event's seq.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@routes.add("GET", f"{API}/events", AccessRule(P.EVENT_READ, ONESELF), answers=_STREAM)
async def stream_events(
    request: Request,
    desk: AtDesk,
    who: Who,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream events of jobs that the caller may read, from now on or after Last-Event-ID."""
    after = decimal(last_event_id)
    if after is None:
        # Before the answer begins: whoever reads the state after the first byte then misses no event.
        after = await desk.hub.now()
    return EventStream(desk.streams, _stream(request, desk, who, after))


async def _stream(request: Request, desk: Desk, who: Caller, after: int) -> AsyncGenerator[bytes, None]:
    async with desk.hub.listen(after) as listener:
        yield OPENING
        recheck = Recheck(desk.identity, who.name)
        events: tuple[ShownEvent, ...] = ()
        while True:
            due = recheck.due(HEARTBEAT_S)
            if due:
                try:
                    who = (await checked_again(request)).caller
                except DanluError:
                    return
            seen = [f"id: {one.seq}\ndata: {one.json}\n\n" for one in events if one.visible_to(who)]
            if seen:
                yield "".join(seen).encode()
            if due:
                yield HEARTBEAT
            events = await listener.take(HEARTBEAT_S)
