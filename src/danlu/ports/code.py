"""Storage of uploaded code until tasks unpack it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from danlu.domain.job import Time


class CodeStore(Protocol):
    """Archives named by the SHA-256 of their bytes: the same content is kept once."""

    def has(self, digest: str) -> bool: ...

    def path(self, digest: str) -> Path | None:
        """The archive as a file, read-only and never changing; None if it was not uploaded."""

    def holds(self, digest: str, path: str) -> bool | None:
        """Whether the archive has a plain file of this name; None if it is too large to look through."""

    async def put(self, digest: str, chunks: AsyncIterator[bytes]) -> int:
        """Store an archive and return its size. Invalid if the bytes do not match the digest or are no tar.gz,
        TooLarge beyond the limit, DiskFull without space; nothing is half stored. Idempotent."""


@dataclass(frozen=True, slots=True)
class KeptArchive:
    """An archive that a person uploaded: its size in bytes, and when."""

    size: int
    uploaded_at: Time


class PeoplesCode(CodeStore, Protocol):
    """Archives by who uploaded them. The same archive of several people counts for each of them."""

    async def put_for(self, owner: str, digest: str, chunks: AsyncIterator[bytes], most: int) -> int:
        """As `put`; TooLarge if all that this person uploaded, uploads in progress included, would be more than `most`
        bytes (0: no bound)."""

    def kept_by(self, owner: str) -> Mapping[str, KeptArchive]:
        """What a person uploaded, by digest."""

    def drop(self, owner: str, digest: str) -> None:
        """No longer this person's; deleted if it is nobody's then."""


class CodeUses(Protocol):
    """Which code jobs still name."""

    def code_in_use(self, digests: Collection[str]) -> frozenset[str]:
        """Those of the archives that any job or template names."""
