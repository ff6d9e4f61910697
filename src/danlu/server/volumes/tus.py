"""The words of tus 1.0, a protocol for uploads that go on where they stopped: headers read and written."""

from __future__ import annotations

import base64
import binascii
import hashlib

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.file_names import BadPath, path_of
from danlu.domain.words import Words, say
from danlu.ports.volumes.uploads import Checksum, UploadWish
from danlu.server.http.reading import decimal

VERSION = "1.0.0"
TYPE = "application/offset+octet-stream"
ALGORITHMS = ("sha256", "sha1")
MOST_BYTES = 1 << 50
ABOUT = {
    "Tus-Resumable": VERSION,
    "Tus-Version": VERSION,
    "Tus-Extension": "creation,creation-with-upload,termination,checksum",
    "Tus-Checksum-Algorithm": ",".join(ALGORITHMS),
    "Tus-Max-Size": str(MOST_BYTES),
}
SPOKEN = {"Tus-Resumable": VERSION}
_LONGEST = 64 << 10
_YES, _NO = ("true", "1", "yes"), ("", "false", "0", "no")


def check_version(headers: Headers) -> None:
    if headers.get("tus-resumable") != VERSION:
        raise HTTPException(
            412, f"uploads speak tus {VERSION}: send Tus-Resumable: {VERSION}", {"Tus-Version": VERSION}
        )


def check_type(headers: Headers) -> None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != TYPE:
        raise HTTPException(415, f"the bytes of an upload are sent as {TYPE}")


def read_number(headers: Headers, name: str) -> int:
    found = decimal(headers.get(name), MOST_BYTES)
    if found is None:
        raise _wrong(name, _NUMBER.fill(name=name, most=MOST_BYTES), headers.get(name))
    return found


def read_checksum(text: str | None, name: str = "Upload-Checksum") -> Checksum | None:
    if text is None:
        return None
    algorithm, _, encoded = text.partition(" ")
    digest = _decoded(encoded)
    if algorithm not in ALGORITHMS or digest is None or len(digest) != hashlib.new(algorithm).digest_size:
        raise _wrong(name, _CHECKSUM.fill(algorithms=" / ".join(ALGORITHMS)), text[:200])
    return Checksum(algorithm, digest)


def read_wish(headers: Headers, by: str) -> UploadWish:
    """What an upload is to become. Invalid with what is wrong about it."""
    size = read_number(headers, "Upload-Length")
    about = _metadata(headers.get("upload-metadata", ""))
    try:
        path = path_of(about.get("path", ""))
    except BadPath:
        path = b""
    if not path:
        raise _wrong("Upload-Metadata", _PATH, about.get("path", "")[:200])
    modified = about.get("modified")
    at = decimal(modified) if modified is not None else None
    if modified is not None and at is None:
        raise _wrong("Upload-Metadata", _MODIFIED, modified[:200])
    return UploadWish(
        path,
        size,
        by,
        overwrite=_flag(about, "overwrite"),
        executable=_flag(about, "executable"),
        modified=at,
        checksum=read_checksum(about.get("checksum"), "Upload-Metadata"),
    )


def _metadata(text: str) -> dict[str, str]:
    if len(text) > _LONGEST:
        raise _wrong("Upload-Metadata", _METADATA, text[:200])
    found: dict[str, str] = {}
    for pair in filter(None, (one.strip() for one in text.split(","))):
        key, _, encoded = pair.partition(" ")
        value = _decoded(encoded)
        try:
            found[key] = (value or b"").decode() if value is not None else "\0"
        except UnicodeDecodeError:
            found[key] = "\0"
        if "\0" in found[key]:
            raise _wrong("Upload-Metadata", _METADATA, pair[:200])
    return found


def _flag(about: dict[str, str], name: str) -> bool:
    said = about.get(name, "false").lower()
    if said not in (*_YES, *_NO):
        text = say("{name} is true or false", "{name} 应为 true 或 false", name=name)
        raise _wrong("Upload-Metadata", text, said[:200])
    # A key without a value says that it holds.
    return said in _YES or (name in about and said == "")


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None


def _wrong(header: str, text: Words, value: str | None) -> Invalid:
    return Invalid((FieldError(("header", header), "bad_value", text, value),))


_NUMBER = Words("{name} is a number of bytes, at most {most}", "{name} 应为字节数，最大 {most}")
_CHECKSUM = Words(
    "a checksum is the name of an algorithm ({algorithms}), a space, and the digest in base64",
    "校验和的写法是：算法名（{algorithms}）、空格、base64 编码的摘要",
)
_METADATA = Words(
    "Upload-Metadata is pairs separated by commas: a key, a space, and a value in base64 of UTF-8",
    "Upload-Metadata 由逗号分隔的键值对组成：键、空格、base64 编码的 UTF-8 值",
)
_PATH = Words(
    "Upload-Metadata needs the path of the file in the volume: path and its name in base64, leading downwards from "
    "the volume's folder",
    "Upload-Metadata 须给出文件在存储卷中的路径：path 及其 base64 编码，从存储卷根目录向下",
)
_MODIFIED = Words(
    "modified is when the file was changed, in milliseconds since 1970", "modified 应为自 1970 年起的毫秒数"
)
