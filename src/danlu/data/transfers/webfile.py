"""A file at a URL, read by ranges where its server has them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import replace
from email.utils import parsedate_to_datetime
from urllib.parse import unquote_to_bytes, urlsplit

from danlu.data.transfers.items import Item, SourceChanged
from danlu.data.transfers.telling import WorkerTeller
from danlu.data.transfers.web import Web, WebAnswer
from danlu.domain.transfers.problems import TransferStopped
from danlu.ports.volumes.uploads import Checksum

_PIECE = 1 << 20
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
_DIGEST = re.compile(r"sha-256=:?([A-Za-z0-9+/=]+):?", re.IGNORECASE)


class WebSource:
    """Implements items.ItemSource: the one file there. With a `checksum` of the person's own the server's counts for
    nothing."""

    def __init__(
        self, web: Web, url: str, checksum: Checksum | None, teller: WorkerTeller, with_login: bool
    ) -> None:
        self._web, self._url, self._checksum = web, url, checksum
        self._teller, self._with_login = teller, with_login
        self._first: WebAnswer | None = None

    def items(self) -> Iterator[Item]:
        answer = self._asked({})
        self._first = answer
        item = self._described(answer)
        self._teller.expect(1, item.size)
        yield item

    def open(self, item: Item, offset: int, version: str) -> WebContent:
        if offset and item.size == offset:
            offset -= 1  # a range must not be empty
        if offset and version:
            self._drop()
            headers = {"Range": f"bytes={offset}-", "If-Range": _validator(version)}
            answer = self._asked(headers, ranged=True)
            found = _RANGE.fullmatch(answer.header("Content-Range"))
            if answer.status == 206 and found and int(found[1]) == offset:
                self._must_be(version, answer)
                total = None if found[3] == "*" else int(found[3])
                return WebContent(answer, replace(item, size=total, version=version), offset)
            if answer.status in (206, 416):
                answer.close()
                raise SourceChanged
        else:
            answer = self._first or self._asked({})
            self._first = None
        return WebContent(answer, replace(self._described(answer), path=item.path), 0)

    def open_fixed(self, item: Item, offset: int) -> WebContent:
        """A file that never changes, as its name is its digest."""
        if offset and item.size == offset:
            offset -= 1
        answer = self._asked({"Range": f"bytes={offset}-"} if offset else {}, ranged=bool(offset))
        found = _RANGE.fullmatch(answer.header("Content-Range"))
        begins = offset if answer.status == 206 and found and int(found[1]) == offset else 0
        if answer.status == 416 or (answer.status == 206 and not begins):
            answer.close()
            raise SourceChanged
        return WebContent(answer, item, begins)

    def _must_be(self, version: str, answer: WebAnswer) -> None:
        told = _version(answer)
        if told and told != version:
            answer.close()
            raise SourceChanged

    def _asked(self, headers: dict[str, str], ranged: bool = False) -> WebAnswer:
        answer = self._web.get(self._url, headers)
        if answer.status not in ((200, 206, 416) if ranged else (200,)):
            raise answer.refuse(self._with_login)
        encoding = answer.header("Content-Encoding").lower()
        if encoding not in ("", "identity"):
            answer.close()
            raise TransferStopped("bad_answer", host=answer.host, why="encoded", encoding=encoding)
        return answer

    def _described(self, answer: WebAnswer) -> Item:
        length = answer.header("Content-Length")
        modified = _modified(answer)
        return Item(
            name_at(answer.url),
            int(length) if length.isdigit() else None,
            _version(answer),
            modified,
            checksum=self._checksum or _checksum(answer),
            same_if_size=modified is not None,
        )

    def _drop(self) -> None:
        if self._first is not None:
            self._first.close()
            self._first = None


class WebContent:
    """Implements items.ItemContent. Where less comes than was announced, `pieces` just ends: whoever reads counts."""

    def __init__(self, answer: WebAnswer, item: Item, offset: int) -> None:
        self.item, self.offset = item, offset
        self._answer = answer

    def pieces(self) -> Iterator[bytes]:
        while data := self._answer.read(_PIECE):
            yield data

    def close(self) -> None:
        self._answer.close()


def name_at(url: str) -> bytes:
    """What a file is called whose URL is this."""
    last = unquote_to_bytes(urlsplit(url).path.rpartition("/")[2])
    fine = last and last not in (b".", b"..") and b"/" not in last and b"\0" not in last
    return last[:255] if fine else b"download"


def _version(answer: WebAnswer) -> str:
    """Something that changes whenever the file does; weak tags do not."""
    tag = answer.header("ETag")
    if tag and not tag.startswith("W/"):
        return f"etag {tag}"
    modified = answer.header("Last-Modified")
    return f"date {modified}" if modified else ""


def _validator(version: str) -> str:
    return version.partition(" ")[2]


def _modified(answer: WebAnswer) -> int | None:
    try:
        return int(parsedate_to_datetime(answer.header("Last-Modified")).timestamp()) * 1_000_000_000
    except (TypeError, ValueError, OverflowError):
        return None


def _checksum(answer: WebAnswer) -> Checksum | None:
    """What the server says of the whole file; of a part it says nothing here."""
    if answer.status != 200:
        return None
    for header in ("Repr-Digest", "Digest"):
        if found := _DIGEST.search(answer.header(header)):
            return _decoded("sha256", found[1], 32)
    md5 = answer.header("Content-MD5")
    return _decoded("md5", md5, 16) if md5 else None


def _decoded(algorithm: str, text: str, size: int) -> Checksum | None:
    try:
        digest = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return Checksum(algorithm, digest) if len(digest) == size else None
