"""A log beyond its bound: what stays, what is said, and where offsets lead."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from danlu.ports import cutting
from danlu.ports.logs import LogKey
from danlu.ports.supervision import split_record
from danlu.runtime.recording.log import Log
from danlu.telemetry.logs import FileLogs, log_path

KEY = LogKey("job", 1, "worker-0")
LIMIT = 1 << 20


def write(log: Log, first: int, last: int) -> None:
    """Lines of a hundred bytes, in pieces as a pipe gives them."""
    reader, writer = os.pipe()
    log.open(reader, "o")
    for number in range(first, last, 400):
        os.write(
            writer, b"".join(b"line %08d %s\n" % (one, b"x" * 86) for one in range(number, number + 400))
        )
        log.read(reader, 0)
    os.close(writer)
    while reader in log.fds:
        log.read(reader, 0)


def numbers(records: bytes) -> list[int]:
    found = [split_record(line) for line in records.splitlines()]
    return [int(one.text.split()[1]) for one in found if one is not None and one.text.startswith(b"line ")]


def all_records(logs: FileLogs, offset: int = 0, limit: int = 5_000) -> bytes:
    whole = b""
    while (chunk := logs.read(KEY, offset, limit)).records:
        whole, offset = whole + chunk.records, chunk.end
    return whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = log_path(tmp_path, KEY)
    found.parent.mkdir(parents=True)
    return found


@pytest.mark.parametrize("limit", [1_000, 5_000, 4 << 20])
def test_the_first_part_and_the_latest_stay_with_a_sentence_between(
    tmp_path: Path, path: Path, limit: int
) -> None:
    write(Log(str(path), LIMIT), 0, 100_000)
    assert path.stat().st_size > 10_000_000
    assert path.stat().st_blocks * 512 <= LIMIT + 16_384
    whole = all_records(FileLogs(tmp_path), limit=limit)
    seen = numbers(whole)
    assert seen[0] == 0
    assert seen[-1] == 99_999
    gaps = [(one, two) for one, two in itertools.pairwise(seen) if two != one + 1]
    assert len(gaps) == 1
    assert gaps[0][0] * 117 >= LIMIT // 5
    assert (100_000 - gaps[0][1]) * 117 >= LIMIT // 2
    (said,) = [line for line in whole.splitlines() if b"[danlu]" in line]
    record = split_record(said)
    assert record is not None
    text = record.text.decode()
    assert (
        "were cut here: a log keeps its first 256.0 KiB and its latest 768.0 KiB (setting log_limit)" in text
    )
    assert "此处略去" in text
    assert all(split_record(line) is not None for line in whole.splitlines())


def test_offsets_of_what_was_cut_lead_to_what_follows(tmp_path: Path, path: Path) -> None:
    log, logs = Log(str(path), LIMIT), FileLogs(tmp_path)
    write(log, 0, 4_800)
    followed = logs.read(KEY, 0, 500_000).end  # a follower read so far, and then fell behind
    write(log, 4_800, 100_000)
    chunk = logs.read(KEY, followed, 5_000)
    seen = numbers(chunk.records)
    assert seen == list(range(seen[0], seen[0] + len(seen)))
    assert chunk.start > followed
    assert numbers(all_records(logs, followed))[-1] == 99_999


def test_the_tail_and_moments_are_found_on_both_sides(tmp_path: Path, path: Path) -> None:
    write(Log(str(path), LIMIT), 0, 100_000)
    logs = FileLogs(tmp_path)
    assert numbers(all_records(logs, logs.tail(KEY, 10))) == list(range(99_990, 100_000))
    assert logs.tail(KEY, 50_000) == 0
    with path.open("rb") as file:
        records = [split_record(line) for line in file.read().splitlines() if line[:1] != b"\0"]
    times = sorted({one.time_ms for one in records if one is not None})
    for moment in (times[0], times[1], times[-1]):
        found = split_record(logs.read(KEY, logs.since(KEY, moment), 1).records.split(b"\n")[0])
        assert found is not None
        assert found.time_ms == moment
    assert logs.since(KEY, times[-1] + 1) == path.stat().st_size


def test_a_search_does_not_read_the_hole(tmp_path: Path, path: Path) -> None:
    write(Log(str(path), LIMIT), 0, 100_000)
    logs = FileLogs(tmp_path)
    assert [numbers(one)[0] for _, one in logs.find(KEY, "line 00000007", 0, 10).records] == [7]
    assert logs.find(KEY, "line 00050000", 0, 10).records == ()
    assert [numbers(one)[0] for _, one in logs.find(KEY, "line 00099999", 0, 10).records] == [99_999]


def test_a_hole_of_terabytes_costs_a_reader_nothing(tmp_path: Path, path: Path) -> None:
    head, latest, behind = b"1800000000.000 o first\n", b"\n1800000001.000 o latest\n", 1 << 42
    with path.open("wb") as file:
        file.write(head)
        file.seek(behind)
        file.write(latest)
    logs = FileLogs(tmp_path)
    assert all_records(logs) == head + latest[1:]
    assert logs.tail(KEY, 5) == 0
    assert logs.since(KEY, 1_800_000_001_000) == behind + 1
    assert len(logs.find(KEY, "latest", 0, 10).records) == 1


def test_where_holes_cannot_be_made_the_log_ends_and_says_so(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cutting, "_punch", lambda *_: False)
    write(Log(str(path), LIMIT), 0, 100_000)
    assert path.stat().st_size <= LIMIT + 300_000
    last = path.read_bytes().splitlines()[-1].decode()
    assert "The log ends here: it reached 1.0 MiB (setting log_limit)" in last
    assert "日志到此为止" in last
    assert numbers(all_records(FileLogs(tmp_path)))[0] == 0
