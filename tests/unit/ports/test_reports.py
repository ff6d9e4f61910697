"""The lines that tasks report in: written whole, read whatever became of them."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from danlu.ports import reports
from danlu.ports.reports import ReportedPoint, Save
from danlu.server.jobs import reports_models as wire

POINT = ReportedPoint(1_000, 1, {"loss": 0.5})


def write(folder: Path, data: bytes, name: str = reports.METRICS_FILE) -> str:
    (folder / name).write_bytes(data)
    return str(folder)


def test_reports_lie_beside_the_log():
    assert reports.reports_folder("/logs/j/1/worker-0.log") == "/logs/j/1/worker-0.reports"


def test_what_is_written_is_read_again(tmp_path: Path):
    points = [POINT, ReportedPoint(2_000, -3, {"val/损失": 1e-300, "lr": 2.0})]
    saves = [Save(1, None, "/a"), Save(2, 7, "/b c")]
    reports.append(str(tmp_path), reports.METRICS_FILE, b"".join(map(reports.point_line, points)))
    reports.append(str(tmp_path), reports.CHECKPOINTS_FILE, b"".join(map(reports.save_line, saves)))
    assert reports.read_points(str(tmp_path))[0] == points
    assert reports.read_saves(str(tmp_path))[0] == saves


def test_numbers_that_json_has_no_word_for_come_back(tmp_path: Path):
    odd = {"a": math.nan, "b": math.inf, "c": -math.inf}
    line = reports.point_line(ReportedPoint(1, 1, odd))
    assert line == b'[1,1,{"a":"nan","b":"inf","c":"-inf"}]\n'
    (point,), _ = reports.read_points(write(tmp_path, line))
    assert repr(point.values) == repr(odd)


def test_a_torn_last_line_waits_for_its_rest(tmp_path: Path):
    line = reports.point_line(POINT)
    folder = write(tmp_path, line + line[:9])
    points, offset = reports.read_points(folder)
    assert (len(points), offset) == (1, len(line))
    assert reports.read_points(folder, offset) == ([], offset)
    write(tmp_path, line + line)
    assert reports.read_points(folder, offset) == ([POINT], 2 * len(line))


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"null",
        b"[1,2]",
        b'["now",1,{"x":1}]',
        b'[1,1.5,{"x":1}]',
        b'[1,true,{"x":1}]',
        b'[-1,1,{"x":1}]',
        b'[1,1,{"x":"much"}]',
        b'[1,1,{"":1}]',
        b'[1,1,{"a\\nb":1}]',
        b'[1,1,{"x":[1]}]',
        b"[1,1,{}]",
        b"[1,1," + b"[" * 5_000 + b"]",
        b'[1,1,{"x":' + b"9" * 400 + b"}]",
        b'[1,99999999999999999999,{"x":1}]',
    ],
)
def test_lines_that_say_nothing_are_skipped(tmp_path: Path, garbage: bytes):
    folder = write(tmp_path, garbage + b"\n" + reports.point_line(POINT))
    assert reports.read_points(folder)[0] == [POINT]


def test_of_a_line_what_is_sound_is_taken(tmp_path: Path):
    folder = write(tmp_path, b'[1000,1,{"loss":0.5,"note":"x","flag":true,"none":null}]\n')
    assert reports.read_points(folder)[0] == [POINT]


def test_a_line_too_long_to_be_one_is_passed_over(tmp_path: Path):
    folder = write(tmp_path, b"x" * 3 * reports.LONGEST_LINE + b"\n" + reports.point_line(POINT))
    points, offset = [], 0
    for _ in range(10):
        found, offset = reports.read_points(folder, offset, limit=1)
        points += found
    assert points == [POINT]


def test_a_line_longer_than_a_line_may_be_is_not_written():
    many = {f"{number:03}" + "丹" * 190: 1.0 for number in range(reports.MOST_VALUES)}
    with pytest.raises(ValueError, match="65,536 bytes"):
        reports.point_line(ReportedPoint(1, 1, many))


def test_reading_goes_on_in_bounded_pieces(tmp_path: Path):
    line = reports.point_line(POINT)
    folder = write(tmp_path, line * 10_000)
    first, offset = reports.read_points(folder, 0, limit=100_000)
    assert 0 < len(first) <= 100_000 // len(line)
    rest, end = reports.read_points(folder, offset)
    assert (len(first) + len(rest), end) == (10_000, 10_000 * len(line))


def test_holes_are_passed_over_and_nothing_behind_them_is_lost(tmp_path: Path):
    line = reports.point_line(POINT)
    folder = write(tmp_path, line)
    path = tmp_path / reports.METRICS_FILE
    # A task that goes on writing where it was, after somebody emptied the file.
    with path.open("r+b") as file:
        file.seek((1 << 40) + 100)
        file.write(b"torn\n" + line * 2)
    found, offset, looks = [], 0, 0
    while offset < path.stat().st_size:
        points, offset = reports.read_points(folder, offset)
        found += points
        looks += 1
    assert (found, looks <= 4) == ([POINT] * 3, True)


def test_links_and_pipes_lead_nobody_astray(tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(reports.point_line(POINT))
    (tmp_path / reports.METRICS_FILE).symlink_to(elsewhere)
    os.mkfifo(tmp_path / reports.CHECKPOINTS_FILE)
    folder = str(tmp_path)
    assert (reports.read_points(folder), reports.read_saves(folder)) == (([], 0), ([], 0))
    for name in (reports.METRICS_FILE, reports.CHECKPOINTS_FILE):
        with pytest.raises(OSError, match=r"symbolic links|plain file|No such device"):
            reports.append(folder, name, b"x\n")
    assert elsewhere.read_bytes() == reports.point_line(POINT)


def test_the_api_has_the_same_bounds():
    assert (wire.LONGEST_NAME, wire.LONGEST_PATH, wire.MOST_VALUES) == (
        reports.LONGEST_NAME,
        reports.LONGEST_PATH,
        reports.MOST_VALUES,
    )
