"""What people choose of a copy, and what it comes to in the end."""

from __future__ import annotations

import enum
import threading
import time
from typing import Callable, NamedTuple, Sequence

from danlu.domain.file_names import shown_name
from danlu.sdk.copying.globs import GlobRule

MOST_TOLD = 1_000
"""So many failures are told one by one; all are counted."""


class Differs(enum.Enum):
    """What becomes of a file that is in the target already and is not the same."""

    REFUSE = "refuse"
    OVERWRITE = "overwrite"
    SKIP = "skip"
    NEWER = "newer"


class Options(NamedTuple):
    """`limit_rate` is in bytes a second. `checksum`: files of the same size are read on both sides to compare them,
    instead of looking at their times. `follow`: links that stay inside the source are copied as what they lead to."""

    rules: Sequence[GlobRule] = ()
    differs: Differs = Differs.REFUSE
    checksum: bool = False
    delete: bool = False
    dry_run: bool = False
    follow: bool = False
    parallel: int = 8
    limit_rate: int | None = None


class Failure(NamedTuple):
    path: str
    error: Exception


class Change(NamedTuple):
    """What is done, or would be: `copy` or `delete`; of a folder, the path has a / behind it."""

    act: str
    path: str
    to: str
    size: int


OnChange = Callable[[Change], None]


class CopyProgress:
    """The figures of a copy, while it goes on and in the end; any thread. `found` and `found_bytes` are what is to be
    copied as far as is known, all of it once `listed`; `same` files were there already, `kept` ones were left as they
    are though they differ, as was asked. `resumed` bytes came in earlier runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.began = time.monotonic()
        self.found = self.found_bytes = 0
        self.copied = self.bytes = self.resumed = 0
        self.same = self.kept = self.deleted = self.failed = 0
        self.links = self.special = 0
        self.listed = False
        self.failures: list[Failure] = []
        self.seconds = 0.0

    def add(self, **more: int) -> None:
        with self._lock:
            for name, count in more.items():
                setattr(self, name, getattr(self, name) + count)

    def fail(self, path: str, error: Exception) -> None:
        with self._lock:
            self.failed += 1
            if len(self.failures) < MOST_TOLD:
                self.failures.append(Failure(path, error))

    @property
    def skipped(self) -> int:
        return self.same + self.kept

    @property
    def took(self) -> float:
        return self.seconds or time.monotonic() - self.began

    @property
    def rate(self) -> float:
        """Bytes a second."""
        return self.bytes / max(self.took, 1e-6)

    @property
    def left(self) -> float | None:
        """Seconds until it is done, as far as can be told."""
        done = self.bytes + self.resumed
        if not self.listed or not self.bytes:
            return None
        return max(0.0, self.found_bytes - done) / self.rate


def shown(key: bytes) -> str:
    return shown_name(key)
