"""Log files read by offset, from the end, by time and by text."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.ports.logs import LogFound, LogKey
from danlu.telemetry import logs as telemetry_logs
from danlu.telemetry.logs import FileLogs, log_path

KEY = LogKey("job", 1, "worker-0")


def record(number: int) -> bytes:
    return b"%d.%03d o line %d\n" % (1_800_000_000 + number, 0, number)


@pytest.fixture
def logs(tmp_path: Path) -> FileLogs:
    path = log_path(tmp_path, KEY)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(record(number) for number in range(20_000)))
    return FileLogs(tmp_path)


def line_at(logs: FileLogs, offset: int) -> bytes:
    return logs.read(KEY, offset, 1).records.split(b"\n")[0][17:]


def test_chunks_hold_whole_records_and_meet_without_gap(logs: FileLogs) -> None:
    whole, offset = b"", 0
    while (chunk := logs.read(KEY, offset, 1000)).records:
        assert chunk.start == offset
        assert chunk.records.endswith(b"\n")
        whole += chunk.records
        offset = chunk.end
    assert whole == b"".join(record(number) for number in range(20_000))


def test_a_record_longer_than_the_limit_is_read_whole(tmp_path: Path) -> None:
    path = log_path(tmp_path, KEY)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"1.000 o " + b"x" * 5000 + b"\n1.000 o next\n")
    chunk = FileLogs(tmp_path).read(KEY, 0, 10)
    assert chunk.records == b"1.000 o " + b"x" * 5000 + b"\n"


def test_a_torn_last_record_waits_for_its_rest(tmp_path: Path) -> None:
    path = log_path(tmp_path, KEY)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"1.000 o whole\n1.000 o to")
    logs = FileLogs(tmp_path)
    assert logs.read(KEY, 0, 1000).records == b"1.000 o whole\n"
    path.write_bytes(b"1.000 o whole\n1.000 o torn no more\n")
    assert logs.read(KEY, 14, 1000).records == b"1.000 o torn no more\n"


@pytest.mark.parametrize("lines", [1, 10, 5_000, 20_000])
def test_the_tail_begins_so_many_lines_before_the_end(logs: FileLogs, lines: int) -> None:
    assert line_at(logs, logs.tail(KEY, lines)) == b"line %d" % (20_000 - lines)


def test_a_tail_longer_than_the_log_is_all_of_it(logs: FileLogs) -> None:
    assert logs.tail(KEY, 30_000) == 0


@pytest.mark.parametrize("number", [0, 1, 777, 19_999])
def test_a_moment_is_found(logs: FileLogs, number: int) -> None:
    assert line_at(logs, logs.since(KEY, (1_800_000_000 + number) * 1000)) == b"line %d" % number


def test_a_moment_after_the_end_is_the_end(logs: FileLogs) -> None:
    assert logs.since(KEY, 2_000_000_000_000) == logs.size(KEY)


def test_a_text_is_found_whatever_its_case(logs: FileLogs) -> None:
    found = logs.find(KEY, "LINE 1999", 0, 100)
    assert [text.split(b" o ")[1] for _, text in found.records] == [b"line 1999"] + [
        b"line 1999%d" % n for n in range(10)
    ]
    assert line_at(logs, found.records[1][0]) == b"line 19990"


def test_the_search_stops_at_its_limit_and_ignores_times(logs: FileLogs) -> None:
    found = logs.find(KEY, "line", 0, 7)
    assert (len(found.records), found.whole) == (7, False)
    assert line_at(logs, found.end) == b"line 7"
    assert logs.find(KEY, "18000000", 0, 7) == LogFound((), logs.size(KEY), whole=True)


def test_one_look_searches_a_part_and_the_next_goes_on(
    logs: FileLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telemetry_logs, "_SEARCH_BLOCK", 50_000)
    monkeypatch.setattr(telemetry_logs, "_SEARCHED", 100_000)
    offset, looks, numbers = 0, 0, list[bytes]()
    while True:
        found = logs.find(KEY, "9999", offset, 100)
        numbers += [record.split(b" o line ")[1] for _, record in found.records]
        assert found.end - offset <= 150_000
        offset, looks = found.end, looks + 1
        if found.whole:
            break
    assert numbers == [b"9999", b"19999"]
    assert looks > 3


def test_a_log_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    logs = FileLogs(tmp_path)
    assert logs.read(KEY, 0, 10).records == b""
    assert (logs.size(KEY), logs.tail(KEY, 5), logs.since(KEY, 5), logs.find(KEY, "x", 0, 5).records) == (
        0,
        0,
        0,
        (),
    )
    logs.remove("job")
