"""What is in versions, and what is done with the store of their contents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from danlu.domain.datasets.dataset import Act, ActProgress, SourcePlace, Summary
from danlu.domain.job import Time
from danlu.ports.files import EntryKind, Files, OpenContent, PlaceBelow


class VersionFile(NamedTuple):
    """A file of a version, by its path; `digest` is the SHA-256 of its content, `target` where a link leads."""

    path: bytes
    kind: EntryKind
    size: int
    digest: str
    target: bytes | None = None
    executable: bool = False


class ChangeKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class VersionChange(NamedTuple):
    """A file that is not the same in two versions."""

    path: bytes
    kind: ChangeKind
    old_size: int | None
    new_size: int | None


class Contents(Files, Protocol):
    """Files of versions: the root of a place is that of the version. Any thread; OSError where something is missing."""

    def dated(self, modified: Time) -> Contents:
        """The same, with the time that the files of a version are told to be of."""

    def all_files(
        self, place: PlaceBelow, after: bytes = b"", *, empty: bool = False
    ) -> Iterator[VersionFile]:
        """Files and links below a folder, in the order of their paths; those behind `after`. With `empty`, folders
        without files too: their paths end in a slash."""

    def opener(self, root: str) -> Callable[[bytes, str], OpenContent]:
        """Opens many files of a version, by path and SHA-256, one after the other: listings that several of them
        share are read once. FileNotFoundError where the version has no such file; OSError where it is damaged."""

    def differences(self, old: str | None, new: str, after: bytes = b"") -> Iterator[VersionChange]:
        """Between two roots (None: nothing), in the order of paths."""


class SnapshotRefused(Exception):
    """A snapshot that cannot be: `code` is over_quota, too_deep, missing, full or failed."""

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(text or code)
        self.code, self.text = code, text


class ActCancelled(Exception):
    """Whoever asked for it no longer wants it."""


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """What is in the store now and no version holds yet."""

    root: str
    files: int
    folders: int
    bytes: int
    stored: int
    summary: Summary


@dataclass(frozen=True, slots=True)
class VerifyVerdict:
    """What a verification found: so many contents that are damaged or missing, and some of the files that have them."""

    damaged: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """What nobody referred to any more."""

    objects: int
    bytes: int


Tell = Callable[[ActProgress], bool]
"""Called now and then with how far it is; False: it is no longer wanted."""


class ContentStore(Protocol):
    """Work that takes long, each in processes of its own; any thread."""

    def snapshot(
        self,
        act: Act,
        place: PlaceBelow,
        roots: Callable[[], Collection[str]],
        most: int | None,
        tell: Tell,
        keep: Callable[[StoredSnapshot], None],
    ) -> None:
        """Put a folder into the store. `keep` makes a version of it: only then is it kept. SnapshotRefused,
        ActCancelled."""

    def verify(self, root: str, tell: Tell) -> VerifyVerdict: ...

    def collect(self, roots: Callable[[], Collection[str]]) -> Collected | None:
        """Remove what no version needs; None while others are at work there."""

    def figure(self) -> tuple[int, int]:
        """Contents in files of their own, and packs; both with how many bytes."""


class SourcePlaces(Protocol):
    """Where the files of a source are."""

    def of(self, source: SourcePlace, by: str) -> PlaceBelow: ...
