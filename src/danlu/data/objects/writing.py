"""Objects written whole: small ones with one request, large ones in parts that are sent at the same time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import BinaryIO
from xml.sax.saxutils import escape

from danlu.data.objects import refusals
from danlu.data.objects.listing import document, tag_of, text_in
from danlu.data.objects.signing import quoted
from danlu.data.objects.wire import Wire
from danlu.domain.errors import BadAnswer, Conflict, DanluError
from danlu.domain.words import Words
from danlu.ports.objects import ObjectInfo

PART = 16 * 2**20
MOST_PARTS = 10_000
_AT_ONCE = 4
_LARGEST_COPY = 5 * 2**30
_PART_COPIED = 2**30


def write(wire: Wire, key: str, content: BinaryIO | Iterable[bytes], size: int | None) -> None:
    """Conflict if there is not as much as was said."""
    part = PART if size is None else max(PART, -(-size // (MOST_PARTS - 1)))
    pieces = _parts(content, part)
    first = next(pieces, b"")
    if len(first) < part:
        _require(size, len(first))
        wire.ask("PUT", key, body=first)
        return
    with _upload(wire, key) as send:
        sent, body = 0, first
        while body:
            sent += len(body)
            send({}, body)
            body = next(pieces, b"")
        _require(size, sent)


def copy(wire: Wire, key: str, to: str, one: ObjectInfo) -> None:
    source = {"x-amz-copy-source": f"/{wire.address.bucket}/{quoted(key, '/~')}"}
    if one.size <= _LARGEST_COPY:
        # It may begin with a good status and end in an error.
        document(wire.ask("PUT", to, headers=source).body, "CopyObjectResult")
        return
    with _upload(wire, to) as send:
        for start in range(0, one.size, _PART_COPIED):
            end = min(start + _PART_COPIED, one.size) - 1
            send({**source, "x-amz-copy-source-range": f"bytes={start}-{end}"}, b"")


@contextlib.contextmanager
def _upload(wire: Wire, key: str) -> Iterator[Callable[[dict[str, str], bytes], None]]:
    """Parts are sent as they are given, some at once; whatever fails, nothing of it stays."""
    began = wire.ask("POST", key, {"uploads": ""}, once=True).body
    upload = text_in(document(began, "InitiateMultipartUploadResult"), "UploadId")
    if not upload:
        raise BadAnswer(refusals.NO_LIST)
    tags: list[Future[str]] = []

    def sent(number: int, headers: dict[str, str], body: bytes) -> str:
        answer = wire.ask("PUT", key, {"partNumber": str(number), "uploadId": upload}, headers, body)
        if headers:
            return tag_of(text_in(document(answer.body, "CopyPartResult"), "ETag"))
        return tag_of(answer.headers.get("etag", ""))

    with ThreadPoolExecutor(_AT_ONCE, "upload") as threads:

        def send(headers: dict[str, str], body: bytes) -> None:
            if len(tags) >= MOST_PARTS:
                raise Conflict(_TOO_LARGE)
            if len(tags) >= _AT_ONCE:
                tags[-_AT_ONCE].result()  # no more in memory than are on their way
            tags.append(threads.submit(sent, len(tags) + 1, headers, body))

        try:
            yield send
            _complete(wire, key, upload, [one.result() for one in tags])
        except BaseException:
            for one in tags:
                one.cancel()
            with contextlib.suppress(DanluError):
                wire.ask("DELETE", key, {"uploadId": upload})
            raise


def _complete(wire: Wire, key: str, upload: str, tags: list[str]) -> None:
    rows = "".join(
        f"<Part><PartNumber>{number}</PartNumber><ETag>&quot;{escape(tag)}&quot;</ETag></Part>"
        for number, tag in enumerate(tags, 1)
    )
    body = f"<CompleteMultipartUpload>{rows}</CompleteMultipartUpload>".encode()
    answer = wire.ask("POST", key, {"uploadId": upload}, {"content-type": "application/xml"}, body, once=True)
    document(answer.body.lstrip(), "CompleteMultipartUploadResult")


def _parts(content: BinaryIO | Iterable[bytes], size: int) -> Iterator[bytes]:
    """Of one size but for the last, however short reads are."""
    kept = bytearray()
    for piece in content if not hasattr(content, "read") else iter(partial(content.read, size), b""):
        if not kept and len(piece) == size:
            yield piece
            continue
        kept += piece
        while len(kept) >= size:
            yield bytes(kept[:size])
            del kept[:size]
    if kept:
        yield bytes(kept)


def _require(size: int | None, sent: int) -> None:
    if size is not None and sent != size:
        raise Conflict(_OTHER_SIZE)


_OTHER_SIZE = Words(
    "what was to be written is not as long as was said; nothing was written",
    "要写入的内容与声明的长度不符，未写入任何内容",
)
_TOO_LARGE = Words(
    "this is more than a bucket takes as one object",
    "内容超过单个对象的大小上限",
)
