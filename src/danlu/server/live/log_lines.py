"""Log records as lines for people: joined, escaped and counted, many at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from danlu.ports.logs import LogChunk
from danlu.ports.supervision import split_record
from danlu.server.http.answering import instant

_HEAD = re.compile(rb"(\d{10})\.(\d{3}) ([oe]) ")
_HEAD_SIZE = 17
_MOST_HEADS = 50
_quote = json.encoder.encode_basestring_ascii


class ShownLine(NamedTuple):
    offset: int
    time_ms: int
    stream: str
    text: str


def lines_of(chunk: LogChunk) -> list[ShownLine]:
    """The lines of a chunk, with the pieces of long lines joined; a line that continues after the chunk is cut
    there."""
    lines: list[ShownLine] = []
    open_pieces: dict[str, tuple[int, list[bytes]]] = {}
    offset = chunk.start
    for raw in chunk.records.split(b"\n"):
        record = split_record(raw)
        if record is not None:
            place, pieces = open_pieces.pop(record.stream, (len(lines), []))
            pieces.append(record.text)
            if place == len(lines):
                lines.append(ShownLine(offset, record.time_ms, record.stream, ""))
            if record.whole:
                lines[place] = lines[place]._replace(text=b"".join(pieces).decode("utf-8", "replace"))
            else:
                open_pieces[record.stream] = (place, pieces)
        offset += len(raw) + 1
    for place, pieces in open_pieces.values():
        lines[place] = lines[place]._replace(text=b"".join(pieces).decode("utf-8", "replace"))
    return lines


def as_events(chunk: LogChunk) -> bytes:
    """A chunk as one server-sent event; its id is the offset to continue from."""
    return f"id: {chunk.end}\nevent: lines\ndata: [{_array(chunk)}]\n\n".encode()


def as_members(chunk: LogChunk) -> bytes:
    """The same as members of a JSON object."""
    return f'"next":{chunk.end},"lines":[{_array(chunk)}]'.encode()


def _array(chunk: LogChunk) -> str:
    fast = _array_at_once(chunk.records)
    if fast is not None:
        return fast
    return ",".join([f'[{line.time_ms},"{line.stream}",{_quote(line.text)}]' for line in lines_of(chunk)])


def _array_at_once(records: bytes) -> str | None:
    """Much output comes in blocks with the same time: quote all of it at once, then replace the separators with JSON,
    one time after the other. None if that is not safe or not faster."""
    heads = _heads(records.split(b"\n"))
    if heads is None or len(heads) > _MOST_HEADS or b"\\" in records:
        return None
    # No backslash was there before: each one now begins an escape, and \n is the end of a record.
    quoted = "\\n" + _quote(records.decode("utf-8", "replace"))[1:-3]
    for seconds, millis, stream in heads:
        between = f'"],[{seconds}{millis},"{stream}","'
        quoted = quoted.replace(f"\\n{seconds}.{millis} {stream} ", between)
    return quoted[3:] + '"]'


def _heads(lines: list[bytes]) -> set[tuple[str, ...]] | None:
    """The different heads of records that are each a whole line; None when some are not."""
    found = {line[:_HEAD_SIZE] for line in lines}
    found.discard(b"")  # after the last newline
    matches = [_HEAD.fullmatch(head) for head in found]
    return {tuple(map(bytes.decode, match.groups())) for match in matches if match} if all(matches) else None


class PlainText:
    """A log as plain text, chunk by chunk, without holding anything back."""

    def __init__(self, timestamps: bool) -> None:
        self._timestamps = timestamps
        self._unfinished: str | None = None

    def feed(self, chunk: LogChunk) -> bytes:
        lines = chunk.records.split(b"\n")
        if self._timestamps or self._unfinished or _heads(lines) is None:
            return b"".join(self._parts(lines))
        return b"\n".join([line[_HEAD_SIZE:] for line in lines])

    def end(self) -> bytes:
        return b"\n" if self._unfinished else b""

    def _parts(self, lines: list[bytes]) -> Iterator[bytes]:
        for raw in lines:
            record = split_record(raw)
            if record is None:
                continue
            if self._unfinished != record.stream:
                if self._unfinished:
                    # The other stream prints in the middle of a line: the rest becomes a separate line.
                    yield b"\n"
                if self._timestamps:
                    yield instant(record.time_ms).encode() + b" "
            yield record.text
            if record.whole:
                yield b"\n"
            self._unfinished = None if record.whole else record.stream
