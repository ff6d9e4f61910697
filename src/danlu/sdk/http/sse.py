"""Server-sent events: bytes in, events out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Iterator


@dataclass(frozen=True)
class ServerEvent:
    """One event, whole: `id` is the latest the stream has named."""

    event: str
    data: str
    id: str


def events(stream: IO[bytes]) -> Iterator[ServerEvent]:
    """Every event that is complete; one that the connection's end cut short is not given out."""
    kind, last_id = "", ""
    data: list[str] = []
    pending_id: str | None = None
    while True:
        raw = stream.readline()
        if not raw.endswith(b"\n"):
            return
        line = raw.rstrip(b"\r\n").decode("utf-8", "replace")
        if not line:
            if pending_id is not None:
                last_id = pending_id
            if data:
                yield ServerEvent(kind or "message", "\n".join(data), last_id)
            kind, data, pending_id = "", [], None
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            kind = value
        elif name == "data":
            data.append(value)
        elif name == "id":
            pending_id = value
