"""Parquet files that are small on disk, and made to take the server's memory or time."""

from __future__ import annotations

import contextlib
import time
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest

from danlu.server.files.parquet import parquet_start
from tests.unit.server.test_preview import Content

INT32, BYTES = 1, 6
GZIP = 2
DELTA, DELTA_BYTES = 5, 7
_SECONDS, _MEMORY = 20, 400 << 20


def varint(value: int) -> bytes:
    made = b""
    while value > 127:
        made, value = made + bytes([value & 127 | 128]), value >> 7
    return made + bytes([value])


def number(value: int) -> bytes:
    return varint(value << 1)


def struct(**fields: tuple[int, bytes]) -> bytes:
    """Fields by their numbers after an f: kind in Thrift's compact protocol, and bytes."""
    made, last = b"", 0
    for name, (kind, data) in fields.items():
        at = int(name[1:])
        made, last = made + bytes([(at - last) << 4 | kind]) + data, at
    return made + b"\0"


def elements(*each: bytes) -> bytes:
    return bytes([0xFC]) + varint(len(each)) + b"".join(each)


def page(body: bytes, values: int, encoding: int, full: int | None = None) -> bytes:
    data = struct(f1=(5, number(values)), f2=(5, number(encoding)), f3=(5, number(3)), f4=(5, number(3)))
    size = len(body) if full is None else full
    head = {"f1": (5, number(0)), "f2": (5, number(size)), "f3": (5, number(len(body))), "f5": (12, data)}
    return struct(**head) + body


def parquet(type_: int, pages: bytes, codec: int = 0) -> Content:
    """One column that is always there, and one group of rows."""
    root = struct(f4=(8, b"\1r"), f5=(5, number(1)))
    leaf = struct(f1=(5, number(type_)), f3=(5, number(0)), f4=(8, b"\1c"))
    meta = struct(f4=(5, number(codec)), f7=(6, number(len(pages))), f9=(6, number(4)))
    group = struct(f1=(9, elements(struct(f3=(12, meta)))), f3=(6, number(200)))
    end = b"\x15\0\x19" + elements(root, leaf) + b"\x16" + number(200)
    end += b"\x19" + elements(group)
    return Content(b"PAR1" + pages + end + len(end).to_bytes(4, "little") + b"PAR1")


def differences(first: int, rest: int, total: int, each: int = 0) -> bytes:
    """`first`, and then the number before plus `rest`, which takes no space."""
    block = 128 * (1 + total // 128)
    return varint(block) + varint(1) + varint(total) + number(first) + number(rest) + bytes([each])


def test_an_honest_file_of_this_kind_is_read() -> None:
    start = parquet_start(parquet(INT32, page(differences(5, 1, 200), 200, DELTA)), 200, 10)
    assert [row[0] for row in start.rows] == list(range(5, 205))


@contextlib.contextmanager
def bounded_memory() -> Iterator[None]:
    """A preview is made in the server's own process."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < _MEMORY
    finally:
        tracemalloc.stop()


def test_values_that_share_a_long_beginning_do_not_fill_the_memory() -> None:
    """Each of 129 rows begins as the one before it did, 8 MB long: a file of 10 KB, and 1 GB of values."""
    long, count = 8 << 20, 129
    head = varint(128) + varint(1) + varint(count)
    # The first takes nothing from the one before and brings 8 MB; the others take all that and bring a byte.
    prefixes = head + number(0) + number(0) + bytes([24]) + long.to_bytes(3, "little") + bytes(3 * 127)
    down = varint(((long - 1) << 1) - 1)
    lengths = head + number(long) + down + bytes([24]) + bytes(3) + (long - 1).to_bytes(3, "little") * 127
    body = prefixes + lengths + bytes(long + count)
    packed = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = packed.compress(body) + packed.flush()
    content = parquet(BYTES, page(data, count, DELTA_BYTES, len(body)), GZIP)
    assert len(content.data) < 20_000
    with bounded_memory():
        start = parquet_start(content, 200, 10)
    assert start.shown == [False]


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(page(differences(1, 1, 190_000), 0, DELTA), id="differences-of-no-rows"),
        pytest.param(page(b"", 0, 0), id="empty"),
    ],
)
def test_pages_without_rows_do_not_take_the_servers_time(one: bytes) -> None:
    content = parquet(INT32, one * ((24 << 20) // len(one)))
    began = time.process_time()
    start = parquet_start(content, 200, 10)
    assert time.process_time() - began < _SECONDS
    assert start.shown == [False]


def test_an_end_full_of_nothing_does_not_fill_the_memory() -> None:
    """Eight million empty structures, a byte each."""
    some = elements(*[struct()] * 9_000)
    deep = bytes([0xF9]) + varint(800) + some * 800
    end = b"\x15\0\x19" + deep + b"\0"
    content = Content(b"PAR1" + end + len(end).to_bytes(4, "little") + b"PAR1")
    with bounded_memory(), pytest.raises(ValueError, match="Parquet"):
        parquet_start(content, 200, 10)
