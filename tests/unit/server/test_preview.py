"""First rows of files, whatever is in them."""

from __future__ import annotations

import contextlib

import pytest

from danlu.domain.errors import Invalid
from danlu.server.files.parquet import parquet_start
from danlu.server.files.preview import preview_of


class Content:
    modified, tag = 0, ""

    def __init__(self, data: bytes) -> None:
        self.data, self.size = data, len(data)

    def read(self, offset: int, limit: int) -> bytes:
        return self.data[offset : offset + limit]

    def close(self) -> None: ...


def rows(name: bytes, data: bytes, most: int = 10) -> tuple[list[tuple[str, str | None]], list[list[object]]]:
    told = preview_of(name, Content(data), most)
    return [(one["name"], one["type"]) for one in told["columns"]], told["rows"]


def test_a_csv_has_a_header_and_types() -> None:
    columns, found = rows(b"a.csv", "名称;值;空\na;1;\nb;2.5;\n".encode())
    assert columns == [("名称", "text"), ("值", "number"), ("空", None)]
    assert found == [["a", 1, None], ["b", 2.5, None]]


def test_numbers_are_no_header() -> None:
    assert rows(b"a.tsv", b"1\t2\n3\t4\n") == (
        [("column 1", "integer"), ("column 2", "integer")],
        [[1, 2], [3, 4]],
    )


def test_quotes_may_span_lines_and_a_cut_line_is_left_out() -> None:
    assert rows(b"a.csv", b'x,y\n"a\nb",1\n')[1] == [["a\nb", 1]]
    told = preview_of(b"a.csv", Content(b"x\n" + b"1\n" * (1 << 19)), 3)
    assert (told["rows"], told["whole"], told["total"]) == ([[1], [1], [1]], False, None)


def test_json_lines_have_the_columns_of_all_rows() -> None:
    columns, found = rows(b"a.jsonl", b'{"a": 1, "b": {"c": 2}}\n\n{"a": null, "d": true}\n[1]\n')
    assert columns == [("a", "integer"), ("b", "mapping"), ("d", "boolean"), ("value", "list")]
    assert found[0] == [1, '{"c": 2}', None, None]


@pytest.mark.parametrize("name", [b"a.jsonl", b"a.csv", b"a.parquet"])
def test_values_are_bounded_and_nonsense_is_told(name: bytes) -> None:
    for data in (b"\xff\xfe\x00", b"[" * 100_000, b"x" * 600_000, b"PAR1" * 10, b"\0" * 50):
        try:
            told = preview_of(name, Content(data), 5)
        except Invalid:
            continue
        assert all(len(str(value)) <= 500 for row in told["rows"] for value in row)


def test_a_file_of_another_kind_is_told() -> None:
    with pytest.raises(Invalid):
        preview_of(b"a.png", Content(b""), 5)


def _parquet() -> bytes:
    """id int64, name text, tags list — in Thrift's compact form, as a writer leaves it at the end of a file."""

    def element(
        name: bytes, type_: int | None = None, children: int = 0, meaning: int | None = None
    ) -> bytes:
        data, last = b"", 0
        for field, value in ((1, type_), (3, None), (4, name), (5, children or None), (6, meaning)):
            if value is None:
                continue
            kind = 8 if isinstance(value, bytes) else 5
            data += bytes([(field - last) << 4 | kind])
            data += bytes([len(value)]) + value if isinstance(value, bytes) else bytes([value * 2])
            last = field
        return data + b"\0"

    elements = [
        element(b"schema", children=3),
        element(b"id", 2),
        element(b"name", 6, meaning=0),
        element(b"tags", children=1, meaning=3),
        element(b"list", children=1),
        element(b"element", 6, meaning=0),
    ]
    schema = bytes([len(elements) << 4 | 12]) + b"".join(elements)
    footer = b"\x15\x02" + b"\x19" + schema + b"\x16" + bytes([0x80 | (1234 * 2) & 127, (1234 * 2) >> 7])
    footer += b"\x19\x0c" + b"\0"
    return b"PAR1" + b"data" + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def test_a_parquet_file_says_its_columns_and_rows() -> None:
    start = parquet_start(Content(_parquet()), 5, 200)
    assert [(one.name, one.type) for one in start.columns] == [
        ("id", "int64"),
        ("name", "text"),
        ("tags", "list"),
    ]
    assert start.total == 1234
    assert start.rows == []


def test_no_broken_parquet_file_does_harm() -> None:
    whole = _parquet()
    for at in range(8, len(whole) - 8):
        for value in (0, 0x1F, 0x7F, 0xFC, 0xFF):
            broken = whole[:at] + bytes([value]) + whole[at + 1 :]
            with contextlib.suppress(ValueError):
                parquet_start(Content(broken), 5, 200)
