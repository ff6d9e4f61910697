"""Uploads into volumes, which go on where they stopped, whoever was interrupted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from danlu.domain.job import Time
from danlu.ports.volumes.changing import Hand, VolumeFolders

UPLOAD_LIFE: Time = 86_400_000
"""How long an unfinished upload is kept."""


class Checksum(NamedTuple):
    """The name of an algorithm that hashlib knows, and what it yields."""

    algorithm: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class UploadWish:
    """What somebody wants to upload: where to, how many bytes, and what the file is like then."""

    path: bytes
    size: int
    by: str
    overwrite: bool = False
    executable: bool = False
    modified: Time | None = None
    checksum: Checksum | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload, and how much of it is here; it is `done` when the file is in its place."""

    id: str
    wish: UploadWish
    began_at: Time
    offset: int
    done: bool = False


class UploadBusy(Exception):
    """Somebody else is writing to this upload."""


class WrongOffset(Exception):
    def __init__(self, offset: int) -> None:
        super().__init__(f"goes on at {offset}")
        self.offset = offset


class Damaged(Exception):
    """What came is not what was sent."""


class UploadPart(Protocol):
    """A part of an upload, written piece by piece; nobody else writes meanwhile. OSError, ENOSPC for example, where it
    cannot be: what was written before is there. Always close it: then what came is on disk, unless the part has a
    checksum and was not finished."""

    upload: Upload

    def write(self, *pieces: bytes) -> None:
        """One after the other. ValueError beyond the size of the upload."""

    def finish(self, hand: Hand) -> Upload:
        """The part is over. Damaged, and nothing of it counts. If the upload is whole, the file is in its place
        then; FileExistsError if something else is there by now."""

    def close(self) -> None: ...


class Uploads(Protocol):
    """Any thread, any process. An upload is bytes beside the volume's files until it is whole."""

    def begin(self, at: VolumeFolders, wish: UploadWish, now: Time) -> Upload:
        """FileExistsError if something has that name that may not be overwritten; OSError otherwise where no file can
        be at this path."""

    def find(self, at: VolumeFolders, upload_id: str) -> Upload | None: ...

    def unfinished(self, at: VolumeFolders) -> tuple[Upload, ...]:
        """By when they began."""

    def append(
        self, at: VolumeFolders, upload_id: str, offset: int, checksum: Checksum | None = None
    ) -> UploadPart:
        """FileNotFoundError, UploadBusy, WrongOffset."""

    def remove(self, at: VolumeFolders, upload_id: str) -> bool:
        """Forget it and what came; UploadBusy."""
