"""First rows of Parquet files as a well-known writer leaves them, and of what hostile hands made of those."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

import pytest

from danlu.server.files.parquet import parquet_start
from danlu.server.files.preview import preview_of
from tests.unit.server.test_preview import Content

SAMPLES = Path(__file__).parent / "parquet"
CODECS = ("snappy", "gzip", "zstd", "brotli", "lz4", "none")
TYPES = {
    "id": "int64",
    "big": "uint64",
    "loss": "double",
    "label": "text",
    "good": "boolean",
    "raw": "bytes",
    "day": "date",
    "at": "timestamp",
    "zoned": "timestamp",
    "price": "decimal",
    "tokens": "list",
    "half": "float16",
    "box": "group",
}


def sample(name: str) -> Content:
    return Content((SAMPLES / f"{name}.parquet").read_bytes())


@pytest.mark.parametrize("codec", CODECS)
def test_the_first_rows_are_read_however_they_are_compressed(codec: str) -> None:
    told = preview_of(b"a.parquet", sample(codec), 5)
    assert {one["name"]: one["type"] for one in told["columns"]} == TYPES
    assert [one["name"] for one in told["columns"] if not one["shown"]] == ["box"]
    assert (told["total"], told["whole"]) == (6, False)
    rows = [dict(zip(TYPES, row, strict=True)) for row in told["rows"]]
    assert rows[0] == {
        "id": 0,
        "big": str(2**64 - 1),
        "loss": 1.5,
        "label": "猫",
        "good": True,
        "raw": "0x00ff",
        "day": "2026-11-18",
        "at": "2026-11-18 08:00:00.500000000",
        "zoned": "2026-11-18 08:00:00Z",
        "price": "-1.25",
        "tokens": "[1, 2]",
        "half": 1.5,
        "box": None,
    }
    assert [row["id"] for row in rows] == [0, 1, None, 3, 4]
    assert [row["label"] for row in rows] == ["猫", "dog", "dog", "猫", None]
    assert [row["good"] for row in rows] == [True, False, True, None, True]
    assert [row["tokens"] for row in rows] == ["[1, 2]", "[]", None, "[null]", "[3]"]
    assert rows[2]["loss"] == "nan"


def test_differences_prefixes_and_split_bytes_are_read() -> None:
    start = parquet_start(sample("encodings"), 200, 200)
    assert start.shown == [True] * 4
    assert start.rows == [[at * 3, f"prefix-{at}", "x" * (at % 4), at / 4] for at in range(200)]


def test_a_file_without_rows_has_its_columns() -> None:
    data = sample("none").data
    start = parquet_start(Content(data), 0, 200)
    assert (len(start.columns), start.rows) == (13, [])


def test_a_page_beyond_the_bounds_leaves_its_column_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("danlu.server.files.parquet.pages._LARGEST_PAGE", 30)
    start = parquet_start(sample("snappy"), 5, 200)
    shown = dict(zip(TYPES, start.shown, strict=True))
    assert shown["good"]
    assert not shown["loss"]
    assert len(start.rows) == 5


@pytest.mark.parametrize("name", [*CODECS, "encodings"])
def test_no_broken_file_does_harm(name: str) -> None:
    whole, chance = sample(name).data, random.Random(name)
    began = time.process_time()
    for _ in range(400):
        broken = bytearray(whole)
        for _ in range(chance.choice((1, 1, 4))):
            broken[chance.randrange(4, len(broken) - 4)] = chance.choice(
                (0, 1, 0x7F, 0xFF, chance.randrange(256))
            )
        with contextlib.suppress(ValueError):
            start = parquet_start(Content(bytes(broken)), 50, 200)
            assert all(len(row) == len(start.columns) for row in start.rows)
    assert time.process_time() - began < 60
