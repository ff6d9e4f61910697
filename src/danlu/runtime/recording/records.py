"""Bytes of a stream in, records of the log out; pure."""

from __future__ import annotations

from danlu.ports.supervision import character_end

LONGEST = 64 * 1024
"""A longer line is kept in pieces of this size."""


class Records:
    """Cuts one stream into records `<seconds>.<millis> <letter> <text>`; a capital: the line goes on."""

    def __init__(self, letter: str) -> None:
        self._whole = f" {letter} ".encode()
        self._piece = f" {letter.upper()} ".encode()
        self._rest = b""

    @property
    def unfinished(self) -> bool:
        """Whether the beginning of a line waits for its end."""
        return bool(self._rest)

    def feed(self, data: bytes, stamp: bytes) -> bytes:
        """The records that are complete now."""
        if self._rest:
            data = self._rest + data
        end = data.rfind(b"\n") + 1
        if len(data) - end < LONGEST:
            self._rest = data[end:]
            return self._cut(data, end, stamp) if end else b""
        whole = self._cut(data, end, stamp)
        self._rest = data[end:]
        return whole + self._pieces(stamp)

    def flush(self, stamp: bytes, final: bool = False) -> bytes:
        """What is there of an unfinished line, as a piece; half a character waits unless final."""
        if not self._rest:
            return b""
        cut = len(self._rest) if final else character_end(self._rest, len(self._rest))
        piece, self._rest = self._rest[:cut], self._rest[cut:]
        return stamp + self._piece + piece + b"\n" if piece else b""

    def _cut(self, data: bytes, end: int, stamp: bytes) -> bytes:
        """Records of data[:end], which ends with a newline.

        Works on blocks, never on single lines: a million lines must cost little."""
        prefix = stamp + self._whole
        newline = b"\n" + prefix
        out: list[bytes] = []
        start = 0
        while start < end:
            cut = data.rfind(b"\n", start, min(end, start + LONGEST + 1))
            if cut >= 0:
                out += (prefix, data[start:cut].replace(b"\n", newline), b"\n")
                start = cut + 1
            else:
                cut = start + character_end(data[start : start + LONGEST], LONGEST)
                out += (stamp, self._piece, data[start:cut], b"\n")
                start = cut
        return b"".join(out)

    def _pieces(self, stamp: bytes) -> bytes:
        out: list[bytes] = []
        while len(self._rest) >= LONGEST:
            cut = character_end(self._rest, LONGEST)
            out += (stamp, self._piece, self._rest[:cut], b"\n")
            self._rest = self._rest[cut:]
        return b"".join(out)
