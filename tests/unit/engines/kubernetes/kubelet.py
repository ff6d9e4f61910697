"""A container's log on its node, told as kubelets tell it: times before lines, and lines over 16 KiB in pieces."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

PIECE = 16 * 1024
START = datetime(2026, 3, 1, tzinfo=UTC).timestamp()


class Noted(NamedTuple):
    """What the runtime notes: a line, or a piece of one that goes on."""

    nanoseconds: int
    text: bytes
    whole: bool


@dataclass
class Kubelet:
    """`old`: puts a time before every piece of a line, as all did up to 1.26."""

    old: bool = False
    zone: str = "Z"
    noted: list[Noted] = field(default_factory=list)
    now: int = int(START * 1e9)

    def print(self, text: bytes, after_ns: int = 1000, ends: bool = True, between_ns: int = 1000) -> None:
        """A line, noted so long after the one before, and so long between its pieces."""
        while len(text) > PIECE:
            self._note(text[:PIECE], after_ns, False)
            text, after_ns = text[PIECE:], between_ns
        self._note(text, after_ns, ends)

    def rotate(self) -> None:
        """What is in the file so far can no longer be read."""
        self.noted.clear()

    def answer(self, since_s: int = 0) -> bytes:
        """All from that second on."""
        parts: list[bytes] = []
        begins = True
        for nanoseconds, text, whole in self.noted:
            if nanoseconds < since_s * 10**9:
                continue
            if begins or self.old:
                parts.append(self._stamp(nanoseconds))
            parts += [text, b"\n" if whole else b""]
            begins = whole
        return b"".join(parts)

    def _note(self, text: bytes, after_ns: int, whole: bool) -> None:
        self.now += after_ns
        self.noted.append(Noted(self.now, text, whole))

    def _stamp(self, nanoseconds: int) -> bytes:
        seconds, rest = divmod(nanoseconds, 10**9)
        hours = 0 if self.zone == "Z" else int(self.zone[:3])
        moment = datetime.fromtimestamp(seconds + 3600 * hours, UTC)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:09d}{self.zone} ".encode()


def chatter(chance: random.Random, kubelet: Kubelet, lines: int) -> list[bytes]:
    """Print lines of all kinds, at all speeds, and return them; no two are alike, so that none can be mistaken."""
    printed: list[bytes] = []
    for number in range(lines):
        text = b"%d " % number + chance.choice(
            [b"", b"x" * 30, "进度 ✓".encode(), b"10%\r20%\r", b" spaced  "]
        )
        if chance.random() < 0.05:
            text += bytes(
                chance.choices(b"abcdefgh", k=chance.choice([PIECE - 3, PIECE, 3 * PIECE, 9 * PIECE]))
            )
        after = chance.choice([0, 0, 500, 400_000, 3_000_000, 700_000_000])
        if chance.random() < 0.05:
            after = -20_000  # the other stream's reader was quicker
        kubelet.print(text, after, between_ns=chance.choice([0, 1000, 900_000_000]))
        printed.append(text)
    return printed
