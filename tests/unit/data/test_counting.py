"""What folders take is counted in the background and read by all."""

from __future__ import annotations

import threading
from pathlib import Path

from danlu.data.counting import FileFigures, FolderCounter
from danlu.ports.storage import DiskFigure
from tests.fakes.clock import FakeClock

MIB = 1 << 20


def test_everybody_is_counted_with_the_time_and_who_is_gone_is_dropped(tmp_path: Path) -> None:
    volumes, file, clock = tmp_path / "volumes", tmp_path / "personal.json", FakeClock()
    for name, size in (("lin", 3), ("wang", 0)):
        (volumes / name).mkdir(parents=True)
        (volumes / name / "data").write_bytes(b"x" * size * MIB)
    (volumes / "mei").symlink_to(volumes / "lin")
    use, counter = FileFigures(file), FolderCounter(volumes, file, clock)
    assert use.of("lin") is None
    counter.round(threading.Event())
    lin, wang = use.of("lin"), use.of("wang")
    assert lin is not None
    assert wang is not None
    assert 3 * MIB <= lin.used < 4 * MIB
    assert (lin.entries, lin.counted_at, lin.complete) == (1, clock.now(), True)
    assert wang.used < MIB
    assert use.of("mei") is None
    (volumes / "lin" / "data").unlink()
    (volumes / "lin").rmdir()
    clock.advance(1_000)
    counter.round(threading.Event())
    assert use.of("lin") is None
    renewed = use.of("wang")
    assert renewed is not None
    assert renewed.counted_at == clock.now()


def test_a_damaged_file_of_figures_is_as_good_as_none(tmp_path: Path) -> None:
    file = tmp_path / "personal.json"
    file.write_text('{"lin": {"used": "a lot"')
    assert FileFigures(file).of("lin") is None


def test_what_is_due_is_counted_beside_the_others_and_each_count_is_told(tmp_path: Path) -> None:
    volumes, file, told = tmp_path / "volumes", tmp_path / "figures.json", []
    for name in ("busy", "quiet"):
        (volumes / name).mkdir(parents=True)
        (volumes / name / "data").write_bytes(b"x" * MIB)
    use = FileFigures(file)
    counter = FolderCounter(
        volumes, file, FakeClock(), lambda: ["busy", "gone"], lambda: told.append(use.of("busy") is not None)
    )
    counter.round_of_due(threading.Event())
    busy = use.of("busy")
    assert busy is not None
    assert busy.used >= MIB
    assert use.of("quiet") is None
    assert told == [True, True]


def test_a_long_count_does_not_hide_what_was_counted_meanwhile(tmp_path: Path) -> None:
    volumes, file, clock = tmp_path / "volumes", tmp_path / "figures.json", FakeClock()
    (volumes / "busy").mkdir(parents=True)
    counter = FolderCounter(volumes, file, clock, lambda: ["busy"])
    began = clock.now()
    clock.advance(1_000)
    counter.round_of_due(threading.Event())
    newer = FileFigures(file).of("busy")
    counter._keep("busy", DiskFigure(0, 0, clock.now()), began)
    assert FileFigures(file).of("busy") == newer


def test_figures_outlive_a_restart_until_they_are_counted_again(tmp_path: Path) -> None:
    volumes, file = tmp_path / "volumes", tmp_path / "figures.json"
    for name in ("one", "two"):
        (volumes / name).mkdir(parents=True)
    FolderCounter(volumes, file, FakeClock()).round(threading.Event())
    FolderCounter(volumes, file, FakeClock(), lambda: ["one"]).round_of_due(threading.Event())
    assert FileFigures(file).of("two") is not None
