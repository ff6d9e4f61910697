"""A part of a bucket: listed, read and changed over the wire."""

from __future__ import annotations

import http.client
from collections.abc import Iterable, Iterator
from email.utils import parsedate_to_datetime
from typing import BinaryIO

from danlu.data.objects import refusals, writing
from danlu.data.objects.listing import page_of, tag_of
from danlu.data.objects.wire import Wire
from danlu.domain.errors import BadAnswer, Invalid, NotFound, Unreachable
from danlu.domain.errors import FieldError as Mistake
from danlu.domain.job import Time
from danlu.domain.volumes.source import LONGEST_KEY
from danlu.domain.words import Words
from danlu.ports.objects import KEYS_AT_ONCE, ObjectInfo, ObjectPage

_WITHOUT_PROGRESS = 3


class S3Store:
    """Implements ports.objects.ObjectStore."""

    def __init__(self, wire: Wire, prefix: str) -> None:
        self._wire, self._prefix = wire, prefix

    def page(
        self, prefix: str = "", *, folders: bool = False, after: str = "", limit: int = KEYS_AT_ONCE
    ) -> ObjectPage:
        query = {
            "list-type": "2",
            "encoding-type": "url",
            "max-keys": str(max(1, min(limit, KEYS_AT_ONCE))),
            "prefix": self._prefix + prefix,
        }
        if folders:
            query["delimiter"] = "/"
        if after:
            query["continuation-token"] = after
        return page_of(self._wire.ask("GET", query=query).body, self._prefix)

    def head(self, key: str) -> ObjectInfo:
        found = self._wire.ask("HEAD", self._full(key)).headers
        size = found.get("content-length", "")
        if not size.isdigit():
            raise BadAnswer(refusals.NO_LIST)
        return ObjectInfo(key, int(size), tag_of(found.get("etag", "")), _moment(found.get("last-modified")))

    def read(self, key: str, start: int, length: int, etag: str = "") -> bytes:
        if length <= 0:
            return b""
        headers = {"range": f"bytes={start}-{start + length - 1}", **_if_match(etag)}
        try:
            answer = self._wire.ask("GET", self._full(key), headers=headers, most=length)
        except BadAnswer:
            # Nothing satisfies a range behind the end, of an empty object none at all.
            if self.head(key).size <= start:
                return b""
            raise
        if answer.status != 206 and start:
            raise BadAnswer(refusals.NO_LIST)
        return answer.body

    def stream(self, key: str, start: int = 0, etag: str = "") -> Iterator[bytes]:
        at, left, tries = start, None, _WITHOUT_PROGRESS
        while left is None or left > 0:
            headers = {**({"range": f"bytes={at}-"} if at else {}), **_if_match(etag)}
            try:
                with self._wire.open(self._full(key), headers) as (status, found, pieces):
                    if status != 206 and at:
                        raise BadAnswer(refusals.NO_LIST)
                    etag = etag or tag_of(found.get("etag", ""))
                    size = found.get("content-length", "")
                    left = int(size) if size.isdigit() else None
                    for piece in pieces:
                        at += len(piece)
                        left = None if left is None else left - len(piece)
                        tries = _WITHOUT_PROGRESS
                        yield piece
                return
            except (OSError, http.client.HTTPException):
                tries -= 1
                if not tries:
                    raise Unreachable(refusals.BROKEN.fill(host=self._wire.address.endpoint)) from None

    def write(self, key: str, content: BinaryIO | Iterable[bytes], size: int | None = None) -> ObjectInfo:
        writing.write(self._wire, self._full(key), content, size)
        return self.head(key)

    def remove(self, key: str) -> None:
        try:
            self._wire.ask("DELETE", self._full(key))
        except NotFound:
            return

    def copy(self, key: str, to: str) -> None:
        writing.copy(self._wire, self._full(key), self._full(to), self.head(key))

    def close(self) -> None:
        self._wire.close()

    def takes(self, key: str) -> bool:
        """Whether it can be asked for: S3 takes no longer names, and some in between would read `..` as another."""
        whole = self._prefix + key
        short = len(whole.encode("utf-8", "surrogateescape")) <= LONGEST_KEY
        return bool(key) and short and {".", ".."}.isdisjoint(whole.split("/"))

    def _full(self, key: str) -> str:
        if not self.takes(key):
            raise Invalid((Mistake(("path",), "bad_path", _BAD_KEY, key[:200], LONGEST_KEY),))
        return self._prefix + key


def _if_match(etag: str) -> dict[str, str]:
    return {"if-match": f'"{etag}"'} if etag else {}


def _moment(text: str | None) -> Time:
    try:
        return int(parsedate_to_datetime(text or "").timestamp() * 1000)
    except ValueError:
        return 0


_BAD_KEY = Words(
    "in a bucket a name has 1 to 1,024 bytes with all folders before it, and no part of it is . or ..",
    "存储桶中的名称（含各级目录）为 1–1,024 字节，且任何一级不能是 . 或 ..",
)
