"""How far a transfer is, told to the process that started this one, a line of JSON at a time."""

from __future__ import annotations

import json
import time
from collections import deque
from dataclasses import asdict
from typing import IO, Any

from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import TransferProgress

_EVERY_S = 0.5
_WINDOW_S = 10.0


class WorkerTeller:
    """Counts what is done. Bytes of a file that began anew are taken back."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self.files = self.bytes = self.skipped = self.left_out_count = self.changed = 0
        self._files_total: int | None = None
        self._bytes_total: int | None = None
        self._moved = 0
        self._seen: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])
        self._next = 0.0

    def expect(self, files: int | None, size: int | None) -> None:
        self._files_total, self._bytes_total = files, size
        self.tell()

    def left_out(self) -> None:
        self.left_out_count += 1

    def moved(self, count: int) -> None:
        """So many bytes came."""
        self._moved += count
        self.bytes += count
        self.tell()

    def counted(self, count: int) -> None:
        """So many bytes were there already; less than 0: are not any more."""
        self.bytes += count

    def file_done(self, skipped: bool = False) -> None:
        self.files += 1
        self.skipped += skipped
        self.tell()

    def tell(self, *, now: bool = False) -> None:
        at = time.monotonic()
        if at < self._next and not now:
            return
        self._next = at + _EVERY_S
        self._seen.append((at, self._moved))
        while len(self._seen) > 2 and at - self._seen[0][0] > _WINDOW_S:
            self._seen.popleft()
        self._say({"progress": asdict(self.progress())})

    def progress(self) -> TransferProgress:
        (since, had), (at, has) = self._seen[0], self._seen[-1]
        rate = int((has - had) / (at - since)) if at > since else 0
        return TransferProgress(
            self.files,
            self._files_total,
            self.bytes,
            self._bytes_total,
            self.skipped,
            self.left_out_count,
            self.changed,
            rate,
        )

    def end(self, problem: Problem | None) -> None:
        self.tell(now=True)
        said = None if problem is None else [problem.code, dict(problem.params)]
        self._say({"ended": True, "problem": said})

    def _say(self, what: dict[str, Any]) -> None:
        self._out.write(json.dumps(what).encode() + b"\n")
        self._out.flush()
