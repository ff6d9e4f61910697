"""What a folder was like at its last snapshot, so that what has not changed since is not read again.

A file counts as unchanged while its inode, size, and times of change (`mtime`, `ctime`, to the nanosecond) are the
same: no program can set a ctime. What changed within two seconds before it was looked at is read again the next time,
since a clock that ticks slowly may have given it the same times twice."""

from __future__ import annotations

import contextlib
import marshal
import os
import secrets
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = tuple[str, int, int, int, int, int]
"""Name, mode, inode, size, mtime and ctime of an entry, as scandir tells them."""
_HEAD = f"DLK1 {sys.hexversion:x}"
SIZES = (4 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20)
"""Bounds of the histogram of sizes."""
_MOST_ENDINGS = 1_000


@dataclass(slots=True)
class FileTally:
    """What files of one or more folders amount to."""

    links: int = 0
    links_out: int = 0
    special: int = 0
    unreadable: int = 0
    unsettled: int = 0
    endings: dict[str, list[int]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=lambda: [0] * (2 * len(SIZES) + 2))

    def count(self, name: str, size: int) -> None:
        dot = name.rfind(".")
        ending = name[dot + 1 :].lower() if dot > 0 and len(name) - dot <= 16 else ""
        if ending not in self.endings and len(self.endings) >= _MOST_ENDINGS:
            ending = ""
        own = self.endings.setdefault(ending, [0, 0])
        own[0] += 1
        own[1] += size
        place = sum(size > bound for bound in SIZES)
        self.sizes[2 * place] += 1
        self.sizes[2 * place + 1] += size

    def add(self, other: FileTally) -> None:
        for name in ("links", "links_out", "special", "unreadable", "unsettled"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for ending, (files, size) in other.endings.items():
            own = self.endings.setdefault(ending, [0, 0])
            own[0] += files
            own[1] += size
        self.sizes = [one + more for one, more in zip(self.sizes, other.sizes, strict=True)]

    def plain(self) -> tuple[Any, ...]:
        return (
            self.links, self.links_out, self.special, self.unreadable, self.unsettled, self.endings, self.sizes,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownFolder:
    """A folder: its rows as bytes, the digests of the folders in it, and what became of them: its listing's digest,
    files and bytes in all, folders in all, and what its own files amount to."""

    rows: bytes
    children: tuple[bytes, ...]
    digest: bytes
    files: int
    size: int
    folders: int
    tally: FileTally

    def plain(self) -> tuple[Any, ...]:
        return (
            self.rows, self.children, self.digest, self.files, self.size, self.folders, self.tally.plain(),
        )  # fmt: skip


def rows_of(rows: list[Row]) -> bytes:
    return marshal.dumps(rows, 2)


def read_rows(data: bytes) -> list[Row]:
    rows: list[Row] = marshal.loads(data)
    return rows


def load_known(file: Path, roots: Iterable[str]) -> dict[str, KnownFolder]:
    """By path; nothing unless it belongs to a version whose contents the store keeps, and this Python wrote it."""
    found: dict[str, KnownFolder] = {}
    try:
        with open(file, "rb") as opened:
            head, root = marshal.load(opened)
            if head != _HEAD or root not in roots:
                return {}
            with contextlib.suppress(EOFError):
                while True:
                    one: Any = marshal.load(opened)
                    path, rows, children, digest, files, size, folders, tally = one
                    found[path] = KnownFolder(rows, children, digest, files, size, folders, FileTally(*tally))
    except (OSError, ValueError, TypeError, EOFError):
        return {}
    return found


def save_known(file: Path, root: str, folders: Mapping[str, KnownFolder]) -> None:
    draft = file.with_name(f".{file.name}-{secrets.token_hex(4)}")
    try:
        with open(draft, "xb", buffering=1 << 20) as opened:
            marshal.dump((_HEAD, root), opened)
            for path, one in folders.items():
                marshal.dump((path, *one.plain()), opened)
        os.rename(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
