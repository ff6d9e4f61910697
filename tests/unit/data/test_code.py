"""Uploaded code is kept whole, once, under the name of its content."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from danlu.data.code import FileCode, archive_path
from danlu.domain.errors import Invalid, TooLarge

pytestmark = pytest.mark.anyio
ARCHIVE = gzip.compress(b"not really a tar, but who looks", mtime=0)
DIGEST = hashlib.sha256(ARCHIVE).hexdigest()


async def pieces(data: bytes, size: int = 7) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def test_what_was_put_is_there_and_nothing_else(tmp_path: Path) -> None:
    code = FileCode(tmp_path, 1000)
    assert not code.has(DIGEST)
    assert await code.put(DIGEST, pieces(ARCHIVE)) == len(ARCHIVE)
    assert await code.put(DIGEST, pieces(ARCHIVE)) == len(ARCHIVE)
    assert code.has(DIGEST)
    assert [path.name for path in tmp_path.iterdir()] == [archive_path(tmp_path, DIGEST).name]


@pytest.mark.parametrize(
    ("digest", "data", "error"),
    [
        ("0" * 64, ARCHIVE, Invalid),
        (hashlib.sha256(b"plain").hexdigest(), b"plain", Invalid),
        (DIGEST, ARCHIVE * 100, TooLarge),
    ],
    ids=["another digest", "no archive", "too large"],
)
async def test_what_is_wrong_leaves_nothing(
    tmp_path: Path, digest: str, data: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await FileCode(tmp_path, 1000).put(digest, pieces(data))
    assert list(tmp_path.iterdir()) == []
