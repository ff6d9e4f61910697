"""Headers of uploads, read strictly."""

from __future__ import annotations

import base64
import hashlib

import pytest
from starlette.datastructures import Headers

from danlu.domain.errors import Invalid
from danlu.ports.volumes.uploads import Checksum, UploadWish
from danlu.server.volumes.tus import read_checksum, read_wish


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def wish(metadata: str, length: str = "10") -> UploadWish:
    return read_wish(Headers({"Upload-Length": length, "Upload-Metadata": metadata}), "eve")


def test_a_wish_has_all_that_was_told() -> None:
    digest = hashlib.sha256(b"x").digest()
    told = f"sha256 {base64.b64encode(digest).decode()}"
    read = wish(
        f"path {encoded('a/%FF')}, overwrite ,modified {encoded('7')},executable {encoded('true')},"
        f"checksum {encoded(told)},filename {encoded('ignored')}"
    )
    assert read == UploadWish(b"a/\xff", 10, "eve", True, True, 7, Checksum("sha256", digest))


@pytest.mark.parametrize(
    "metadata",
    [
        "",
        "path",
        "path !!!",
        f"path {encoded('../a')}",
        f"path {encoded('/a')}",
        f"path {encoded('a%00b')}",
        f"path {base64.b64encode(bytes([255])).decode()}",
        f"path {encoded('a')},modified {encoded('-1')}",
        f"path {encoded('a')},overwrite {encoded('perhaps')}",
        f"path {encoded('a')},checksum {encoded('md5 eA==')}",
        f"path {encoded('a' * 70_000)}",
    ],
)
def test_other_metadata_is_refused(metadata: str) -> None:
    with pytest.raises(Invalid):
        wish(metadata)


@pytest.mark.parametrize("length", ["", "-1", "1e3", "9" * 5000, "１"])
def test_other_lengths_are_refused(length: str) -> None:
    with pytest.raises(Invalid):
        read_wish(Headers({"Upload-Length": length.encode("utf-8").decode("latin-1")}), "eve")


@pytest.mark.parametrize("text", ["", "sha256", "sha256 eA==", "md5 eA==", "sha256 ???"])
def test_other_checksums_are_refused(text: str) -> None:
    with pytest.raises(Invalid):
        read_checksum(text)
