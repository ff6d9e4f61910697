"""What the target has beyond the source: files on disk, however many, folders in memory."""

from __future__ import annotations

import itertools
import struct
import tempfile
from typing import IO, Iterator

from danlu.sdk.copying.entries import CopyEntry

_LENGTH = struct.Struct("<H")


class Extra:
    def __init__(self) -> None:
        self.count = 0
        self._files: IO[bytes] | None = None
        self._folders: list[bytes] = []

    def __enter__(self) -> Extra:
        return self

    def __exit__(self, *why: object) -> None:
        if self._files is not None:
            self._files.close()

    def add(self, entry: CopyEntry) -> None:
        self.count += 1
        if entry.is_folder:
            self._folders.append(entry.key)
            return
        if self._files is None:
            self._files = tempfile.TemporaryFile()  # noqa: SIM115 (closed with this)
        self._files.write(_LENGTH.pack(len(entry.key)) + entry.key)

    def in_turns(self, most: int) -> Iterator[list[bytes]]:
        """All of them, so many at once: files first, and what is in a folder before the folder."""
        keys = itertools.chain(self._read(), reversed(self._folders))
        while True:
            turn = list(itertools.islice(keys, most))
            if not turn:
                return
            yield turn

    def _read(self) -> Iterator[bytes]:
        if self._files is None:
            return
        self._files.seek(0)
        while True:
            head = self._files.read(_LENGTH.size)
            if not head:
                return
            yield self._files.read(_LENGTH.unpack(head)[0])
