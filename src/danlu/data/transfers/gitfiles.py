"""The files of a commit, those that Git LFS keeps elsewhere too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from danlu.data.transfers.git import Repository, TreeRow
from danlu.data.transfers.globs import PathFilter
from danlu.data.transfers.guard import AddressGuard
from danlu.data.transfers.items import Item, ItemContent
from danlu.data.transfers.landing import stays_inside
from danlu.data.transfers.parts import GIT_BLOB
from danlu.data.transfers.telling import WorkerTeller
from danlu.data.transfers.web import Web, authorization
from danlu.data.transfers.webfile import WebSource
from danlu.domain.file_names import shown_name
from danlu.domain.transfers.problems import TransferStopped
from danlu.domain.transfers.transfer import WebLogin
from danlu.ports.volumes.uploads import Checksum

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d{1,18})\n"
)
_LONGEST_POINTER = 1024
_LINK = b"120000"
_PROGRAM = b"100755"
_LFS_JSON = "application/vnd.git-lfs+json"
_LONGEST_ANSWER = 4 << 20


class _Pointer(NamedTuple):
    id: str
    size: int


class GitSource:
    """Implements items.ItemSource."""

    def __init__(
        self,
        repository: Repository,
        url: str,
        wished: PathFilter,
        guard: AddressGuard,
        login: WebLogin | None,
        teller: WorkerTeller,
    ) -> None:
        self._repository, self._url, self._wished = repository, url, wished
        self._guard, self._login, self._teller = guard, login, teller
        self._blobs: dict[bytes, str] = {}
        self._large: dict[bytes, _Pointer] = {}

    def items(self) -> Iterator[Item]:
        self._repository.fetch()
        rows = [row for row in self._repository.tree() if self._wished.takes(row.path)]
        found = [item for row in rows if (item := self._described(row)) is not None]
        self._teller.expect(len(found), sum(item.size or 0 for item in found))
        yield from found

    def open(self, item: Item, offset: int, version: str) -> ItemContent:
        pointer = self._large.get(item.path)
        if pointer is None:
            return _BlobContent(item, self._repository.blob(self._blobs[item.path]))
        url, headers = self._download(item, pointer)
        web = Web(self._guard, headers=headers)
        source = WebSource(web, url, item.checksum, self._teller, bool(headers))
        return _Named(item, source.open_fixed(item, offset if version == item.version else 0))

    def _described(self, row: TreeRow) -> Item | None:
        """None for what is left out: a submodule, a link that leads out."""
        if row.kind != b"blob":
            self._teller.left_out()
            return None
        if row.mode == _LINK:
            to = self._small(row)
            if not stays_inside(row.path, to):
                self._teller.left_out()
                return None
            return Item(row.path, link=to)
        executable = row.mode == _PROGRAM
        if row.size <= _LONGEST_POINTER and (found := _POINTER.fullmatch(self._small(row))):
            pointer = _Pointer(found[1].decode(), int(found[2]))
            self._large[row.path] = pointer
            digest = Checksum("sha256", bytes.fromhex(pointer.id))
            return Item(row.path, pointer.size, f"lfs {pointer.id}", None, executable, digest)
        self._blobs[row.path] = row.id
        checksum = Checksum(GIT_BLOB, bytes.fromhex(row.id)) if len(row.id) == 40 else None
        return Item(row.path, row.size, "", None, executable, checksum)

    def _small(self, row: TreeRow) -> bytes:
        if row.size > 4096:
            return b""
        return b"".join(self._repository.blob(row.id))

    def _download(self, item: Item, pointer: _Pointer) -> tuple[str, dict[str, str]]:
        """Where a file is and what its server wants to be told: the batch protocol, for one."""
        headers = {"Accept": _LFS_JSON, "Content-Type": _LFS_JSON}
        if self._login is not None:
            headers["Authorization"] = authorization(self._login)
        asked = {
            "operation": "download",
            "transfers": ["basic"],
            "objects": [{"oid": pointer.id, "size": pointer.size}],
            "hash_algo": "sha256",
        }
        base = self._url.rstrip("/")
        base = base if base.endswith(".git") else f"{base}.git"
        answer = Web(self._guard).request(
            "POST", f"{base}/info/lfs/objects/batch", headers, json.dumps(asked).encode()
        )
        if answer.status != 200:
            raise answer.refuse(self._login is not None)
        path = shown_name(item.path)
        try:
            told = json.loads(answer.read(_LONGEST_ANSWER))
            found = told["objects"][0]
            if "error" in found:
                raise TransferStopped("lfs_failed", path=path, why=found["error"].get("message", "no_reason"))
            action = found["actions"]["download"]
            return str(action["href"]), {str(k): str(v) for k, v in dict(action.get("header") or {}).items()}
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            raise TransferStopped("lfs_failed", path=path, why="no_sense") from None
        finally:
            answer.close()


class _BlobContent:
    """Implements items.ItemContent."""

    offset = 0

    def __init__(self, item: Item, data: Iterator[bytes]) -> None:
        self.item, self._data = item, data

    def pieces(self) -> Iterator[bytes]:
        return self._data

    def close(self) -> None:
        close = getattr(self._data, "close", None)
        if close is not None:
            close()


class _Named:
    """Implements items.ItemContent: what its pointer says of a file counts, not what its server says."""

    def __init__(self, item: Item, content: ItemContent) -> None:
        self.item, self.offset = item, content.offset
        self._content = content

    def pieces(self) -> Iterator[bytes]:
        return self._content.pieces()

    def close(self) -> None:
        self._content.close()
