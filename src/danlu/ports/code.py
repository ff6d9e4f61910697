"""Where uploaded code lives until tasks unpack it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol


class CodeStore(Protocol):
    """Archives named by the SHA-256 of their bytes: the same content is kept once."""

    def has(self, digest: str) -> bool: ...

    def path(self, digest: str) -> Path | None:
        """The archive as a file that never changes, to be read only; None when nobody uploaded it."""

    async def put(self, digest: str, chunks: AsyncIterator[bytes]) -> int:
        """Keep an archive and return its size. Invalid when the bytes are not the digest's or no tar.gz,
        TooLarge beyond the limit, DiskFull when there is no room; nothing half kept. Idempotent."""
