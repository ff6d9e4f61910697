"""Scalars out of event files: those of the real programs, torn ones, foreign ones."""

from __future__ import annotations

import math
import os
import struct
import time
from pathlib import Path

import pytest

from danlu.ports.reports import ReportedPoint
from danlu.runtime.training.event_files import EventFiles
from danlu.runtime.training.tensorboard import LARGEST_RECORD, EventFile, crc32c, points_of
from tests.fakes.tensorboard import event, record, scalar, tensor

REAL = Path(__file__).parent / "tensorboard"
LIMIT = 1 << 20


def steps(points: list[ReportedPoint]) -> list[int]:
    return [point.step for point in points]


# ── one file ─────────────────────────────────────────────────────────────────────────────────────────


def test_scalars_of_torch_are_read():
    points, took = EventFile(str(REAL / "torch.tfevents")).read(LIMIT)
    assert steps(points) == [0, 1, 2, 3, 4, 5]
    assert [round(point.values["loss/train"], 6) for point in points[:3]] == [1.0, 0.5, 0.333333]
    assert math.isnan(points[5].values["loss/train"])
    assert all(point.values.keys() == {"loss/train"} for point in points)
    assert took == (REAL / "torch.tfevents").stat().st_size


def test_scalars_that_are_tensors_are_read():
    points, _ = EventFile(str(REAL / "tensors.tfevents")).read(LIMIT)
    assert [(point.step, point.values) for point in points] == [(n, {"accuracy": n / 8}) for n in range(5)]


def test_a_file_that_grows_by_bytes_tells_everything_once(tmp_path: Path):
    whole = (REAL / "torch.tfevents").read_bytes()
    path = tmp_path / "events"
    file, found = EventFile(str(path)), []
    for end in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:end])
        found += file.read(LIMIT)[0]
    path.write_bytes(whole)
    found += file.read(LIMIT)[0]
    assert repr(found) == repr(EventFile(str(REAL / "torch.tfevents")).read(LIMIT)[0])
    assert not file.over


@pytest.mark.parametrize(
    "garbage", [b"x" * 100, b"\0" * 100, bytes(range(156, 256))], ids=["text", "zeros", "bytes"]
)
def test_a_file_that_is_none_is_given_up(tmp_path: Path, garbage: bytes):
    path = tmp_path / "events"
    path.write_bytes(record(event(1, scalar("loss", 0.5))) + garbage)
    file = EventFile(str(path))
    assert steps(file.read(LIMIT)[0]) == [1]
    assert file.over


def test_large_records_are_passed_over_unread(tmp_path: Path):
    path = tmp_path / "events"
    image = record(b"\0" * (3 * LARGEST_RECORD))
    path.write_bytes(image + record(event(2, scalar("loss", 0.5))))
    file = EventFile(str(path))
    found = [point for _ in range(4) for point in file.read(LIMIT)[0]]
    assert steps(found) == [2]


def test_links_pipes_and_missing_files_are_given_up(tmp_path: Path):
    (tmp_path / "link").symlink_to(REAL / "torch.tfevents")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "missing"):
        file = EventFile(str(tmp_path / name))
        assert (file.read(LIMIT), file.over) == (([], 0), True)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (tensor("x", 1, content=struct.pack("<f", 0.5)), 0.5),
        (tensor("x", 2, content=struct.pack("<d", 0.25)), 0.25),
        (tensor("x", 9, content=struct.pack("<q", -7)), -7.0),
        (tensor("x", 1, typed=(5, struct.pack("<f", 0.5))), 0.5),
        (tensor("x", 3, typed=(7, b"\x05")), 5.0),
        (tensor("x", 7, typed=(8, b"words")), None),
        (tensor("x", 1, content=struct.pack("<2f", 1, 2), shape=b"\x12\x02\x08\x02"), None),
    ],
)
def test_a_tensor_counts_when_it_is_one_number(value: bytes, number: float | None):
    points = points_of(event(3, value))
    assert [point.values for point in points] == ([{"x": number}] if number is not None else [])


def test_any_bytes_are_harmless():
    whole = event(3, scalar("loss", 0.5)) + event(4, tensor("y", 1, content=b"1234"))
    for end in range(len(whole)):
        points_of(whole[:end])
        points_of(whole[end:] + whole[:end])


def test_the_checksum_is_castagnolis():
    assert crc32c(b"123456789") == 0xE3069283


# ── many files ───────────────────────────────────────────────────────────────────────────────────────


def put(path: Path, *numbers: int, name: str = "loss") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(record(event(step, scalar(name, 0.5))) for step in numbers))


NAME = "events.out.tfevents.1.host.1"


def test_files_are_found_below_and_read_as_they_grow(tmp_path: Path):
    files = EventFiles([str(tmp_path)], 0)
    assert files.look(LIMIT) == []
    put(tmp_path / "runs" / "a" / NAME, 1)
    assert steps(files.look(LIMIT)) == [1]
    put(tmp_path / "runs" / "a" / NAME, 2, 3)
    assert steps(files.look(LIMIT)) == [2, 3]
    assert files.look(LIMIT) == []


def test_runs_after_the_first_are_told_apart_by_their_folders(tmp_path: Path):
    for folder in ("logs/train", "logs/validation", "logs/train/sub"):
        put(tmp_path / folder / NAME, 1)
    names = {name for point in EventFiles([str(tmp_path)], 0).look(LIMIT) for name in point.values}
    assert names == {"loss", "validation/loss", "sub/loss"}


def test_files_from_before_the_task_are_left_alone(tmp_path: Path):
    put(tmp_path / NAME, 1)
    os.utime(tmp_path / NAME, (time.time() - 3600,) * 2)
    assert EventFiles([str(tmp_path)], time.time() - 60).look(LIMIT) == []


def test_links_are_not_followed(tmp_path: Path):
    put(tmp_path / "elsewhere" / NAME, 1)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "elsewhere")
    assert EventFiles([str(tmp_path / "work")], 0).look(LIMIT) == []


def test_a_folder_that_became_a_link_is_not_followed(tmp_path: Path):
    put(tmp_path / "elsewhere" / NAME, 1, 2)
    put(tmp_path / "work" / NAME, 1)
    files = EventFiles([str(tmp_path / "work")], 0)
    assert steps(files.look(LIMIT)) == [1]
    (tmp_path / "work").rename(tmp_path / "moved")
    (tmp_path / "work").symlink_to(tmp_path / "elsewhere")
    assert files.look(LIMIT) == []


def test_a_look_is_bounded_and_the_next_goes_on(tmp_path: Path):
    put(tmp_path / NAME, *range(30_000))
    files = EventFiles([str(tmp_path)], 0)
    first = files.look(1)
    assert 0 < len(first) < 30_000
    found = first + [point for _ in range(10) for point in files.look(LIMIT)]
    assert steps(found) == list(range(30_000))
