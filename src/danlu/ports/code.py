"""Storage of uploaded code until tasks unpack it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol


class CodeStore(Protocol):
    """Archives named by the SHA-256 of their bytes: the same content is kept once."""

    def has(self, digest: str) -> bool: ...

    def path(self, digest: str) -> Path | None:
        """The archive as a file, read-only and never changing; None if it was not uploaded."""

    async def put(self, digest: str, chunks: AsyncIterator[bytes]) -> int:
        """Store an archive and return its size. Invalid if the bytes do not match the digest or are no tar.gz,
        TooLarge beyond the limit, DiskFull without space; nothing is half stored. Idempotent."""
