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


def archive(text: str) -> tuple[bytes, str]:
    data = gzip.compress(text.encode(), mtime=0)
    return data, hashlib.sha256(data).hexdigest()


async def test_what_a_person_uploaded_counts_for_them_up_to_a_bound(tmp_path: Path) -> None:
    code, (one, first), (two, second) = FileCode(tmp_path, 1000), archive("one"), archive("two")
    most = len(one) + len(two) - 1
    await code.put_for("lin", first, pieces(one), most)
    await code.put_for("lin", first, pieces(one), most)
    assert {name: kept.size for name, kept in code.kept_by("lin").items()} == {first: len(one)}
    with pytest.raises(
        TooLarge, match=rf"lin keeps {len(one)}B of uploaded code, and .* more would exceed {most}B"
    ):
        await code.put_for("lin", second, pieces(two), most)
    assert not code.has(second)
    await code.put_for("wang", second, pieces(two), most)
    await code.put_for("lin", second, pieces(two), 0)
    assert set(code.kept_by("lin")) == {first, second}


async def test_uploads_in_progress_count_too(tmp_path: Path) -> None:
    code, (one, first), (two, second) = FileCode(tmp_path, 1000), archive("one"), archive("two")
    most = len(one) + len(two) - 1

    async def meanwhile() -> AsyncIterator[bytes]:
        yield one
        with pytest.raises(TooLarge):
            await code.put_for("lin", second, pieces(two), most)
        await code.put_for("wang", second, pieces(two), most)

    await code.put_for("lin", first, meanwhile(), most)
    assert code.has(first)


async def test_what_nobody_keeps_is_deleted(tmp_path: Path) -> None:
    code, (one, first) = FileCode(tmp_path, 1000), archive("one")
    for owner in ("lin", "wang"):
        await code.put_for(owner, first, pieces(one), 0)
    code.drop("lin", first)
    assert code.has(first)
    assert code.kept_by("lin") == {}
    code.drop("wang", first)
    assert not code.has(first)
