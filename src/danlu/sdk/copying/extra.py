"""What the target has beyond the source: files on disk, however many, folders in memory."""

from __future__ import annotations

import itertools
import struct
import tempfile
from typing import IO, Iterator

from danlu.sdk.copying.entries import Entry

_LENGTH = struct.Struct("<H")


class Extra:
    def __init__(self) -> None:
        self.count = 0
        self._files: IO[bytes] | None = None
        self._folders: list[bytes] = []

    def add(self, entry: Entry) -> None:
        self.count += 1
        if entry.is_folder:
            self._folders.append(entry.key)
            return
        if self._files is None:
            self._files = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it was read)
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
        with self._files as file:
            file.seek(0)
            while True:
                head = file.read(_LENGTH.size)
                if not head:
                    return
                yield file.read(_LENGTH.unpack(head)[0])
