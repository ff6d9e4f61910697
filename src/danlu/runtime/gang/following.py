"""A task that only provides slots: its agent starts what mpirun asks for, and ends when the run is over."""

from __future__ import annotations

import queue
from typing import Any

from danlu.runtime.gang import agents
from danlu.runtime.gang.post import GONE, OVER, RANK, STOP, WATCHED, GangEvent, Post, say

LONGEST_WAIT = 600.0
"""Seconds in which all tasks of a gang must have come up; images may have to be fetched first."""

_UNTIL_GONE = 2.0


def follow(post: Post) -> int:
    """The exit code of this task: 0 when the one who leads says that the run is over, the code of a rank of its own
    that failed, 1 when the lead does not come or vanishes."""
    lead = post.gang.seats[0].name
    post.listen(lambda line, request: _watch(post, line, request))
    try:
        event = post.events.get(timeout=LONGEST_WAIT)
    except queue.Empty:
        say(f"{lead}, which leads the run, did not connect within {LONGEST_WAIT:.0f} s")
        return 1
    if event.what != WATCHED:
        return 143
    line: agents.TrustedConnection = event.data
    failed = GangEvent(RANK)
    while True:
        event = post.events.get()
        if event.what == RANK:
            failed = failed if failed.code or not event.code else event
            _report(line, event)
        elif event.what == OVER and event.data.get("blamed"):
            say(
                f"rank {failed.rank} ended with exit code {failed.code}; what it printed is in the log of {lead}"
            )
            return failed.code or 1
        elif event.what == OVER:
            post.clear(0 if event.data.get("now") else _UNTIL_GONE)
            return 0
        elif event.what == GONE:
            say(f"{lead}, which led the run, is gone")
            return 1
        elif event.what == STOP:
            post.ask_to_leave()  # the lead says when all are done


def _watch(post: Post, line: agents.TrustedConnection, request: dict[str, Any]) -> None:
    post.lead_directory(str(request["directory"]))
    line.send(agents.READY)
    post.events.put(GangEvent(WATCHED, data=line))
    try:
        while True:
            frame = line.receive()
            if frame.kind == agents.OVER:
                post.events.put(GangEvent(OVER, data=frame.json()))
    except (agents.Gone, agents.UntrustedPeer):
        post.events.put(GangEvent(GONE))


def _report(line: agents.TrustedConnection, event: GangEvent) -> None:
    try:
        line.tell(agents.RANK, [event.rank, event.code])
    except agents.Gone:
        return  # whoever listens for its words hears of it too
