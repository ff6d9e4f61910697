"""What ends of a copy tell each other: entries in one order, opened files, and what is to be written."""

from __future__ import annotations

import threading
from typing import Iterable, Iterator, NamedTuple, Protocol, Tuple

CHUNK = 8 << 20
"""Larger files are copied in parts of this size, several at once, and go on from the parts that are there."""

Range = Tuple[int, int]
"""Where it begins, and how many bytes it has."""


class CopyEntry(NamedTuple):
    """A file, or a folder: its key, the path below its end, has a / behind it. All ends list keys in the order of
    their bytes. `modified` is in nanoseconds since 1970, told to `step` of them; `vague`: it is only known when the
    file came there. `size` is -1 where only reading tells. `real`: where a link that is followed leads."""

    key: bytes
    size: int = 0
    modified: int | None = None
    executable: bool = False
    step: int = 1
    vague: bool = False
    tag: str = ""
    real: bytes = b""

    @property
    def is_folder(self) -> bool:
        return self.key.endswith(b"/")

    @property
    def folder(self) -> bytes:
        """The key of the folder it is in; empty for the end itself."""
        above, slash, _ = self.key.rstrip(b"/").rpartition(b"/")
        return above + slash


class Seen:
    """What a listing left out, counted, and what it could not read."""

    def __init__(self) -> None:
        self.links = self.special = 0
        self.failed: list[tuple[bytes, Exception]] = []
        self._lock = threading.Lock()

    def cannot(self, key: bytes, why: Exception) -> None:
        with self._lock:
            self.failed.append((key, why))


class Wanted(Protocol):
    """Which keys a listing has."""

    def takes(self, key: bytes) -> bool: ...

    def enters(self, key: bytes) -> bool: ...


class Opened(Protocol):
    """One version of a file that is read; any thread. `Changed` as soon as it is another version."""

    entry: CopyEntry

    def read(self, offset: int, length: int) -> bytes:
        """All of these bytes."""

    def check(self) -> None:
        """That it is the same still, after everything was read."""

    def close(self) -> None: ...


class End(Protocol):
    """A folder, wherever it is. Any thread but for `entries`."""

    is_ranged: bool
    """Whether any part of a file can be read; else `pieces` is all there is."""

    def look(self, key: bytes) -> CopyEntry | None:
        """The file or the folder of that name; None where nothing is."""

    def entries(self, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:
        """Everything below, in order; nothing if there is no such folder."""

    def known(self, entry: CopyEntry) -> CopyEntry:
        """With what a listing does not tell."""

    def open(self, entry: CopyEntry) -> Opened: ...

    def close(self) -> None: ...


class Readable(Protocol):
    """A file on its way: read, counted, held to the rate, tried again."""

    entry: CopyEntry
    source: End

    def whole(self) -> bytes: ...

    def pieces(self, offset: int = 0) -> Iterator[bytes]:
        """In order, those that follow being read already."""

    def ranges(self, wanted: Iterable[Range]) -> Iterator[tuple[int, bytes]]:
        """Several at once, as they come."""

    def is_there(self, count: int) -> None:
        """So many bytes came in an earlier run."""

    def moved(self, count: int) -> None:
        """So many came another way than through `ranges`."""

    def check(self) -> None: ...


class TargetEnd(End, Protocol):
    """Where files can be written: each appears when it is whole."""

    def put(self, key: bytes, content: Readable, replaces: bool) -> None:
        """NameTaken if something is there, and is not to be replaced."""

    def make_folder(self, key: bytes) -> None:
        """With those on the way; it may be there."""

    def remove(self, keys: list[bytes]) -> list[tuple[bytes, Exception]]:
        """Files, and folders that are empty by then; what could not be removed."""


class Way(Protocol):
    """A shorter way between two ends for many small files, or for those that need not come through here."""

    most_files: int
    most_bytes: int

    def copy(self, batch: list[tuple[CopyEntry, bytes, bool]]) -> list[Exception | None]:
        """Of one folder: what is copied, under which key, whether it replaces what is there; what became of each."""

    def takes(self, entry: CopyEntry, replaces: bool) -> bool: ...

    def close(self) -> None: ...
