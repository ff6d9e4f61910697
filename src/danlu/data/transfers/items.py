"""What a source offers: files one after the other, each read from any offset on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from danlu.ports.volumes.uploads import Checksum


@dataclass(frozen=True, slots=True)
class Item:
    """One file. `version` changes whenever its content does; without one, a part of it is never gone on with. With
    `link` it is a symbolic link to there, and with `empty` a folder."""

    path: bytes
    size: int | None = None
    version: str = ""
    modified_ns: int | None = None
    executable: bool = False
    checksum: Checksum | None = None
    link: bytes | None = None
    empty: bool = False
    same_if_size: bool = False
    """Whether a file of this size and time is the same: its time is the source's own."""


class SourceChanged(Exception):
    """It is not the file any more of which a part is here."""


class ItemContent(Protocol):
    """A file that is being read. It begins at `offset`, which is 0 where the source cannot begin elsewhere."""

    item: Item
    offset: int

    def pieces(self) -> Iterator[bytes]:
        """TransferStopped; OSError of the network."""

    def close(self) -> None: ...


class ItemSource(Protocol):
    """TransferStopped where it cannot be read."""

    def items(self) -> Iterator[Item]:
        """Only those that are wished."""

    def open(self, item: Item, offset: int, version: str) -> ItemContent:
        """From there on if it is still of this version; SourceChanged if it certainly is not."""


class Totals(Protocol):
    """What is told of the way so far."""

    def expect(self, files: int | None, size: int | None) -> None: ...

    def left_out(self) -> None: ...
