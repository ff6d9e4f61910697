"""What a container printed, as the kubelet tells it, into records of our log; pure."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field, replace
from datetime import datetime

from danlu.ports.supervision import character_end

LONGEST = 64 * 1024
"""A longer line is kept in pieces of this size."""

_STAMP = re.compile(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ")
_LONGEST_STAMP = len(b"2006-01-02T15:04:05.123456789+08:00 ")
_NOTED = 16 * 1024
"""Container runtimes note longer lines in pieces of this size; older kubelets put a time before each of them."""
_MISSED = b"[danlu] some output may be missing here: its node had removed it before it was read"


@dataclass(slots=True)
class Mark:
    """How far a log is written: the time of its last line, how many lines bear it, and how many bytes are there of a
    line after them that goes on.

    `since` is the earliest second that the node's clock showed for any of these or for the line before them, `second`
    for the last of all. An answer from `since` on has them whole: it may begin with the end of a line that took long,
    but that is then another one."""

    time: int = 0
    lines: int = 0
    part: int = 0
    since: int = 0
    second: int = 0


@dataclass(slots=True)
class _Line:
    """A line under way: how much of it was read, what of that waits to be shown, and how much the log has already."""

    time: int
    second: int
    new: bool = True
    missed: bool = False
    written: int = 0
    read: int = 0
    text: bytearray = field(default_factory=bytearray)


class Printed:
    """Turns one answer of the kubelet into records, without what is written already.

    The answer repeats lines from some second on, in the order in which they were printed. So our own last line is
    found by its time and by counting those that bear the same; all after it is new, whatever its time. As in all
    our logs, times never go back: a line for which the node's clock did bears the time of the line before it."""

    def __init__(self, mark: Mark) -> None:
        self.caught_up = mark.time == 0
        """Whether all that is written already has come by."""
        self._mark = replace(mark)
        self._time = 0
        self._seen = 0
        self._rest = b""
        self._line: _Line | None = None

    @property
    def mark(self) -> Mark:
        """How far the log is with all records handed out so far."""
        return replace(self._mark)

    @property
    def unfinished(self) -> bool:
        """Whether the beginning of a line waits for its end."""
        return bool(self._rest)

    def feed(self, data: bytes) -> bytes:
        """The records that are complete now."""
        out: list[bytes] = []
        first, *others = data.split(b"\n")
        self._rest += first
        for line in others:
            self._end_line(out)
            self._rest = line
        if len(self._rest) > LONGEST + _LONGEST_STAMP:
            self._show(out, final=False)
        return b"".join(out)

    def flush(self, final: bool = False) -> bytes:
        """What is there of an unfinished line, as a piece; half a character waits unless final."""
        out: list[bytes] = []
        self._show(out, final)
        return b"".join(out)

    # ── lines ────────────────────────────────────────────────────────────────────────────────────────

    def _end_line(self, out: list[bytes]) -> None:
        if self._line is None and len(self._rest) <= _NOTED:  # nearly every line
            if head := _STAMP.match(self._rest):
                line = self._begin(_clock(head))
                self._write(line, self._rest[head.end() + line.written :], out)
            return
        self._take(final=True)
        if self._line is not None:
            self._write(self._line, bytes(self._line.text), out)
        self._line = None

    def _show(self, out: list[bytes], final: bool) -> None:
        self._take(final)
        if self._line is None:
            return
        text = bytes(self._line.text)
        end = len(text) if final else character_end(text, len(text))
        del self._line.text[:end]
        self._write_pieces(self._line, text[:end], out)

    def _take(self, final: bool) -> None:
        """From the rest into the line under way, without what is written of it, and without times in its midst."""
        rest, at = self._rest, 0
        if self._line is None:
            if head := _STAMP.match(rest):
                self._line, at = self._begin(_clock(head)), head.end()
            elif len(rest) < _LONGEST_STAMP:
                return
            else:  # words of the kubelet's own
                self._line = _Line(0, 0, new=False)
        line = self._line
        while at < len(rest):
            left = _NOTED - line.read % _NOTED
            if line.read and left == _NOTED:
                if len(rest) - at < _LONGEST_STAMP and not final:
                    break
                if inner := _STAMP.match(rest, at):
                    at = inner.end()
            piece = rest[at : at + left]
            if line.new:
                line.text += piece[max(0, line.written - line.read) :]
            line.read += len(piece)
            at += len(piece)
        self._rest = rest[at:]

    def _begin(self, clock: int) -> _Line:
        """The line that begins now, and whether it is new."""
        self._time = max(self._time, clock)
        line, mark = _Line(self._time, clock // 1000), self._mark
        if self.caught_up:
            return line
        if line.time > mark.time:
            line.missed = self.caught_up = True
        elif line.time < mark.time:
            line.new = False
        elif self._seen < mark.lines:
            line.new = False
            self._seen += 1
            self.caught_up = self._seen == mark.lines and not mark.part
        else:
            line.written, self.caught_up = mark.part, True
        return line

    # ── records ──────────────────────────────────────────────────────────────────────────────────────

    def _write(self, line: _Line, text: bytes, out: list[bytes]) -> None:
        if not line.new:
            return
        if len(text) > LONGEST:
            text = self._write_pieces(line, text, out, LONGEST)
        self._tell_missed(line, out)
        out.append(_record(line, b"o", text))
        self._advance(line)
        self._mark.lines += 1
        self._mark.part = 0

    def _write_pieces(self, line: _Line, text: bytes, out: list[bytes], keep: int = 0) -> bytes:
        """All but the last `keep` bytes or less, which are returned."""
        while len(text) > keep:
            self._tell_missed(line, out)
            end = len(text) if len(text) <= LONGEST else character_end(text, LONGEST)
            out.append(_record(line, b"O", text[:end]))
            self._advance(line)
            self._mark.part += end
            text = text[end:]
        return text

    def _tell_missed(self, line: _Line, out: list[bytes]) -> None:
        if line.missed:
            if self._mark.part:
                out.append(_record(line, b"o", b""))
            out.append(_record(line, b"e", _MISSED))
            line.missed = False

    def _advance(self, line: _Line) -> None:
        mark = self._mark
        if line.time > mark.time:
            before = mark.second if mark.time else line.second
            mark.time, mark.lines, mark.part, mark.since = line.time, 0, 0, before
        mark.since = min(mark.since, line.second)
        mark.second = line.second


def _record(line: _Line, letter: bytes, text: bytes) -> bytes:
    return b"%d.%03d %s %s\n" % (*divmod(line.time, 1000), letter, text)


def _clock(stamp: re.Match[bytes]) -> int:
    """Milliseconds since 1970, as far as the node knows."""
    second, fraction, zone = stamp.groups()
    return _second(second, zone) * 1000 + int(((fraction or b"") + b"000")[:3])


@functools.lru_cache(1024)
def _second(text: bytes, zone: bytes) -> int:
    try:
        return int(datetime.fromisoformat((text + zone).decode()).timestamp())
    except ValueError:  # the 61st second of a minute, say
        return 0
