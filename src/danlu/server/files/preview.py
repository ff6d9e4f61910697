"""The first rows of files of rows: CSV, TSV, JSON Lines and Parquet. Read within bounds."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable
from typing import Any

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.file_names import shown_name
from danlu.domain.words import Words
from danlu.ports.files import OpenContent
from danlu.server.http.answering import Json

_MOST_READ = 512 << 10
_MOST_COLUMNS, _LONGEST_VALUE = 200, 500
_ENDINGS = {
    "csv": "csv",
    "tsv": "tsv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "pq": "parquet",
}
_DELIMITERS = (",", "\t", ";", "|")


def preview_of(path: bytes, content: OpenContent, rows: int) -> Json:
    """Invalid for a file of another kind, or one that cannot be read as what its name says."""
    kind = _ENDINGS.get(path.rpartition(b".")[2].decode("utf-8", "replace").lower())
    if kind is None:
        raise _wrong("not_rows", _NOT_ROWS, path)
    try:
        if kind == "parquet":
            return _parquet(content, rows)
        lines, whole = _lines(content)
        header, found = _json_lines(lines, rows) if kind == "jsonl" else _csv(lines, rows, kind)
    except (ValueError, RecursionError, csv.Error):
        raise _wrong("unreadable", _UNREADABLE, path) from None
    types = [_type_of(row[at] for row in found if at < len(row)) for at in range(len(header))]
    return {
        "format": kind,
        "columns": [_column(name, type_) for name, type_ in zip(header, types, strict=True)],
        "rows": _all_shown(found[:rows]),
        "total": len(found) if whole and len(found) <= rows else None,
        "whole": whole and len(found) <= rows,
    }


def _parquet(content: OpenContent, rows: int) -> Json:
    # Loaded with the first of them: what decompresses them all takes 3 MB.
    from danlu.server.files.parquet import parquet_start

    start = parquet_start(content, rows, _MOST_COLUMNS)
    told = zip(start.columns, start.shown, strict=True)
    return {
        "format": "parquet",
        "columns": [_column(column.name, column.type, shown) for column, shown in told],
        "rows": _all_shown(start.rows),
        "total": start.total,
        "whole": len(start.rows) == start.total and all(start.shown),
    }


def _column(name: str, type_: str | None, shown: bool = True) -> Json:
    return {"name": _cut(name), "type": type_, "shown": shown}


def _lines(content: OpenContent) -> tuple[list[str], bool]:
    """Those at the beginning of a file, and whether they are all; one that was cut is left out."""
    data = b""
    while len(data) < min(_MOST_READ, content.size):
        data += content.read(len(data), _MOST_READ - len(data))
    whole = len(data) == content.size
    if not whole:
        data = data[: data.rfind(b"\n") + 1]
        if not data:
            raise ValueError("one long line")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return data.decode(encoding, "replace").splitlines(keepends=True), whole


def _csv(lines: list[str], rows: int, kind: str) -> tuple[list[str], list[list[Any]]]:
    first = lines[0] if lines else ""
    delimiter = "\t" if kind == "tsv" else max(_DELIMITERS, key=first.count)
    found: list[list[Any]] = []
    for row in csv.reader(lines, delimiter=delimiter):
        if row:
            found.append([_number(text) for text in row[:_MOST_COLUMNS]])
        if len(found) > rows + 1:
            break
    names = found[0] if found else []
    if names and all(isinstance(name, str) for name in names):
        return [str(name) for name in names], found[1:]
    return [f"column {at + 1}" for at in range(max(map(len, found), default=0))], found


def _json_lines(lines: list[str], rows: int) -> tuple[list[str], list[list[Any]]]:
    found: list[dict[str, Any]] = []
    for line in lines:
        if line.strip():
            value = json.loads(line)
            found.append(value if isinstance(value, dict) else {"value": value})
        if len(found) > rows:
            break
    names = list(dict.fromkeys(name for one in found for name in one))[:_MOST_COLUMNS]
    return names, [[one.get(name) for name in names] for one in found]


def _number(text: str) -> Any:
    """A CSV has no types: what looks like a number is one, and nothing is missing. Others stay as they are written."""
    if not text.strip():
        return None
    for kind in (int, float):
        try:
            value = kind(text) if len(text) <= 30 and "_" not in text else text
        except ValueError:
            continue
        return value
    return text


def _type_of(values: Iterable[Any]) -> str | None:
    found = {_TYPES.get(type(value), "text") for value in values if value is not None}
    if found == {"integer", "number"}:
        return "number"
    return found.pop() if len(found) == 1 else "text" if found else None


_TYPES = {bool: "boolean", int: "integer", float: "number", str: "text", list: "list", dict: "mapping"}


def _all_shown(rows: list[list[Any]]) -> list[list[Any]]:
    return [[_shown(value) for value in row] for row in rows]


def _shown(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, (list, dict)):
        return _cut(json.dumps(value, ensure_ascii=False))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return _cut(str(value)) if abs(value) < 10**400 else "…"
    return value


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _wrong(code: str, text: Words, path: bytes) -> Invalid:
    shown = shown_name(path)
    return Invalid((FieldError(("query", "path"), code, text.fill(path=shown), shown),))


_NOT_ROWS = Words(
    "'{path}' has no rows to show: CSV, TSV, JSON Lines and Parquet files have (.csv, .tsv, .jsonl, .parquet)",
    "“{path}”没有可预览的行；支持 CSV、TSV、JSON Lines 和 Parquet 文件（.csv、.tsv、.jsonl、.parquet）",
)
_UNREADABLE = Words(
    "'{path}' cannot be read as what its name says: download it to see what it is",
    "“{path}”的内容与其扩展名不符，无法预览，请下载后查看",
)
