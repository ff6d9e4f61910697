"""What Danlu itself writes of a public set: its schema, and perhaps a stand-in; the same every time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from danlu.data.recipes.stand_ins import files_of
from danlu.data.transfers.items import Item, Totals
from danlu.domain.transfers.transfer import TransferEnd
from danlu.ports.volumes.uploads import Checksum


class RecipeSource:
    """Implements items.ItemSource. Items are to be read one after the other, as they come."""

    def __init__(self, end: TransferEnd, totals: Totals) -> None:
        self._recipe, self._stand_in = end.address, int(end.path or b"0")
        self._totals = totals
        self._current = b""

    def items(self) -> Iterator[Item]:
        files = size = 0
        for _, data in files_of(self._recipe, self._stand_in):
            files, size = files + 1, size + len(data)
        self._totals.expect(files, size)
        for path, data in files_of(self._recipe, self._stand_in):
            self._current = data
            digest = hashlib.sha256(data).digest()
            yield Item(path.encode(), len(data), checksum=Checksum("sha256", digest))

    def open(self, item: Item, offset: int, version: str) -> _Written:
        assert not offset, f"a part of {version} cannot be gone on with"
        return _Written(item, self._current)


class _Written:
    """Implements items.ItemContent."""

    offset = 0

    def __init__(self, item: Item, data: bytes) -> None:
        self.item, self._data = item, data

    def pieces(self) -> Iterator[bytes]:
        yield self._data

    def close(self) -> None:
        pass
