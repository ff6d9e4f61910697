"""Log lines of a task, page by page or as they are written; a broken connection resumes at its offset."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, Callable, Iterator

from danlu.sdk.http.errors import NotAllowed, NotFound, NotSignedIn, Unreachable
from danlu.sdk.http.http import DROPPED, Http
from danlu.sdk.http.sse import ServerEvent, events

PAGE_BYTES = 1 << 20
# How long a follower keeps trying to reach a server that went away: a restart takes a few seconds.
PATIENCE = 60.0


@dataclass
class LogLine:
    """One line of output; `time` is in milliseconds since 1970, `offset` is its place in the log, and `task` whose it
    is where lines of several are merged."""

    text: str
    time: int = 0
    stream: str = "o"
    offset: int = 0
    task: str = ""


def read(http: Http, path: str, query: dict[str, object]) -> Iterator[LogLine]:
    """Every line there is now, oldest first."""
    query = {"limit_bytes": PAGE_BYTES, **query}
    while True:
        page = http.json("GET", path, query)
        for line in page["lines"]:
            yield LogLine(
                line["text"], milliseconds(line.get("time")), line.get("stream", "o"), line["offset"]
            )
        empty = not page["lines"] and not page.get("more", False)
        if empty or page.get("next_offset") is None or page.get("end", False):
            return
        query = {**query, "offset": page["next_offset"], "tail": None}


def follow(
    http: Http, path: str, query: dict[str, object], sleep: Callable[[float], None] = time.sleep
) -> Iterator[LogLine]:
    """Every line until the task has ended and all is sent; none is lost or doubled when connections break."""
    for lines in batches(http, path, query, sleep):
        yield from lines


def batches(
    http: Http, path: str, query: dict[str, object], sleep: Callable[[float], None] = time.sleep
) -> Iterator[list[LogLine]]:
    """The same, as many lines at a time as the server sends."""
    after = 0
    # The server searches what is written already; what comes is searched here, as it would: in either case.
    needle = str(query.get("search") or "").lower()
    for event in resumed(http, path, {**query, "follow": True, "search": None}, "offset", sleep):
        if event.event == "end":
            return
        if event.event == "lines":
            after = int(event.id) if event.id.isdigit() else after
            lines = [LogLine(text, when, stream, after) for when, stream, text in json.loads(event.data)]
            yield [line for line in lines if needle in line.text.lower()] if needle else lines


def resumed(
    http: Http,
    path: str,
    query: dict[str, object],
    resume_by: str | None = None,
    sleep: Callable[[float], None] = time.sleep,
    first_id: str = "",
) -> Iterator[ServerEvent]:
    """The events of a stream over as many connections as it takes, resumed after the last whole event.

    `resume_by` names the parameter that takes that id; Last-Event-ID carries it in any case.
    """
    last_id = first_id
    pause, waited = 0.1, 0.0
    while True:
        if last_id and resume_by:
            query = {**query, resume_by: last_id, "tail": None}
        try:
            with http.stream(path, query, last_id=last_id) as response:
                for event in events(response):
                    last_id = event.id or last_id
                    pause, waited = 0.1, 0.0
                    yield event
        except (NotFound, NotAllowed, NotSignedIn):
            raise
        except Unreachable:
            if waited >= PATIENCE:
                raise
        except (*DROPPED, OSError):
            pass
        sleep(pause)
        waited += pause
        pause = min(pause * 2, 2.0)


def milliseconds(moment: object) -> int:
    """A time as the server writes it: a number already, or RFC 3339."""
    if moment is None or isinstance(moment, (int, float)):
        return int(moment or 0)
    from datetime import datetime  # seldom needed: streams carry numbers

    return int(datetime.fromisoformat(str(moment).replace("Z", "+00:00")).timestamp() * 1000)


def stream_json(http: Http, path: str, after: int | None) -> Iterator[dict[str, Any]]:
    """A stream of JSON objects, such as the server's events."""
    for event in resumed(http, path, {}, first_id="" if after is None else str(after)):
        try:
            found = json.loads(event.data)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
