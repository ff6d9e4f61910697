"""Uploads go on where they stopped, are seen only when they are whole, and replace nothing unasked."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.data.files.collector import LeftoverCollector
from danlu.data.files.uploads import DiskUploads
from danlu.ports.volumes.changing import Hand, VolumeFolders
from danlu.ports.volumes.uploads import (
    UPLOAD_LIFE,
    Checksum,
    Damaged,
    Upload,
    UploadBusy,
    UploadWish,
    WrongOffset,
)
from tests.fakes.clock import FakeClock

UPLOADS, NOBODY = DiskUploads(), Hand()
WISH = UploadWish(b"a/b.bin", 10, "eve")


@pytest.fixture
def at(tmp_path: Path) -> VolumeFolders:
    for name in ("files", "aside"):
        (tmp_path / name).mkdir()
    return VolumeFolders(str(tmp_path / "files"), str(tmp_path / "aside"))


def sent(
    at: VolumeFolders, one: Upload, offset: int, data: bytes, checksum: Checksum | None = None
) -> Upload:
    part = UPLOADS.append(at, one.id, offset, checksum)
    try:
        part.write(data)
        return part.finish(NOBODY)
    finally:
        part.close()


def seen(at: VolumeFolders) -> list[str]:
    return sorted(str(one.relative_to(at.files)) for one in Path(at.files).rglob("*"))


def test_the_file_appears_when_it_is_whole(at: VolumeFolders) -> None:
    wish = replace(WISH, modified=1_500, executable=True)
    one = UPLOADS.begin(at, wish, 1)
    assert not sent(at, one, 0, b"01234").done
    assert seen(at) == []
    assert UPLOADS.unfinished(at) == (replace(one, offset=5),)
    assert sent(at, one, 5, b"56789").done
    made = Path(at.files, "a/b.bin")
    assert made.read_bytes() == b"0123456789"
    assert (made.stat().st_mtime_ns, made.stat().st_mode & 0o777) == (1_500_000_000, 0o755)
    assert UPLOADS.unfinished(at) == ()
    found = UPLOADS.find(at, one.id)
    assert found is not None
    assert (found.done, found.offset) == (True, 10)


def test_nothing_is_a_file_too(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, replace(WISH, size=0), 1)
    assert sent(at, one, 0, b"").done
    assert Path(at.files, "a/b.bin").read_bytes() == b""


def test_one_writes_at_a_time_and_at_the_right_place(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, WISH, 1)
    part = UPLOADS.append(at, one.id, 0)
    with pytest.raises(UploadBusy):
        UPLOADS.append(at, one.id, 0)
    with pytest.raises(UploadBusy):
        UPLOADS.remove(at, one.id)
    part.write(b"012")
    part.close()
    with pytest.raises(WrongOffset) as refused:
        UPLOADS.append(at, one.id, 0)
    assert refused.value.offset == 3
    with pytest.raises(ValueError, match="more than"):
        sent(at, one, 3, b"x" * 8)
    assert UPLOADS.find(at, one.id) == replace(one, offset=3)


def test_a_part_that_is_not_what_was_sent_does_not_count(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, WISH, 1)
    sent(at, one, 0, b"01", Checksum("sha256", hashlib.sha256(b"01").digest()))
    with pytest.raises(Damaged):
        sent(at, one, 2, b"23", Checksum("sha1", hashlib.sha1(b"xx").digest()))
    assert UPLOADS.find(at, one.id) == replace(one, offset=2)


def test_half_a_part_with_a_checksum_does_not_count_even_after_a_crash(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, WISH, 1)
    sent(at, one, 0, b"01")
    part = UPLOADS.append(at, one.id, 2, Checksum("sha256", b"?" * 32))
    part.write(b"234")
    os.close(part._fd)  # as if the process had been killed
    part._fd = -1
    assert UPLOADS.find(at, one.id) == replace(one, offset=2)
    sent(at, one, 2, b"23456789")
    assert Path(at.files, "a/b.bin").read_bytes() == b"0123456789"


def test_a_whole_file_that_is_not_what_was_promised_is_forgotten(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, replace(WISH, checksum=Checksum("sha256", b"?" * 32)), 1)
    with pytest.raises(Damaged):
        sent(at, one, 0, b"0123456789")
    assert UPLOADS.find(at, one.id) is None
    assert seen(at) == []


def test_what_exists_is_replaced_only_on_demand(at: VolumeFolders) -> None:
    Path(at.files, "a").mkdir()
    Path(at.files, "a/b.bin").write_text("old")
    with pytest.raises(FileExistsError):
        UPLOADS.begin(at, WISH, 1)
    one = UPLOADS.begin(at, replace(WISH, overwrite=True), 1)
    sent(at, one, 0, b"0123456789")
    assert Path(at.files, "a/b.bin").read_bytes() == b"0123456789"
    with pytest.raises(FileExistsError):
        UPLOADS.begin(at, replace(WISH, path=b"a", overwrite=True), 1)


def test_what_came_meanwhile_is_not_replaced_and_the_upload_waits(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, WISH, 1)
    Path(at.files, "a").mkdir()
    Path(at.files, "a/b.bin").write_text("new")
    with pytest.raises(FileExistsError):
        sent(at, one, 0, b"0123456789")
    assert Path(at.files, "a/b.bin").read_text() == "new"
    Path(at.files, "a/b.bin").unlink()
    assert sent(at, one, 10, b"").done


def test_a_link_in_its_place_is_not_written_through(at: VolumeFolders, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "victim").write_text("precious")
    one = UPLOADS.begin(at, replace(WISH, overwrite=True), 1)
    Path(at.files, "a").symlink_to(tmp_path / "outside")
    with pytest.raises(NotADirectoryError):
        sent(at, one, 0, b"0123456789")
    Path(at.files, "a").unlink()
    Path(at.files, "a").mkdir()
    Path(at.files, "a/b.bin").symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError):
        sent(at, one, 10, b"")
    assert (tmp_path / "victim").read_text() == "precious"
    assert os.listdir(tmp_path / "outside") == []


def test_uploads_are_forgotten_on_demand_and_after_a_day(at: VolumeFolders) -> None:
    first, second = UPLOADS.begin(at, WISH, 1), UPLOADS.begin(at, replace(WISH, path=b"c"), 2)
    assert UPLOADS.remove(at, first.id)
    assert not UPLOADS.remove(at, first.id)
    now = Path(at.aside, "uploads", second.id).stat().st_mtime_ns // 1_000_000
    LeftoverCollector(Path(at.aside).parent, FakeClock(now + UPLOAD_LIFE - 10_000)).round()
    assert UPLOADS.unfinished(at) == (second,)
    LeftoverCollector(Path(at.aside).parent, FakeClock(now + UPLOAD_LIFE + 10_000)).round()
    assert os.listdir(Path(at.aside, "uploads")) == []


@pytest.mark.parametrize("name", ["", "..", "../trash/x", "0" * 31, "0" * 32, "0" * 32 + ".json"])
def test_other_names_are_no_uploads(at: VolumeFolders, name: str) -> None:
    assert UPLOADS.find(at, name) is None
    assert not UPLOADS.remove(at, name)
    with pytest.raises(FileNotFoundError):
        UPLOADS.append(at, name, 0)


def test_a_broken_note_is_no_upload(at: VolumeFolders) -> None:
    one = UPLOADS.begin(at, WISH, 1)
    for text in ("", "[]", "{}", json.dumps({"path": "../x"})):
        Path(at.aside, "uploads", f"{one.id}.json").write_text(text)
        assert UPLOADS.find(at, one.id) is None


def test_pieces_are_written_one_after_the_other_wherever_the_kernel_stops(
    at: VolumeFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.pwritev
    monkeypatch.setattr(os, "pwritev", lambda fd, pieces, offset: real(fd, [pieces[0][:2]], offset))
    made = UPLOADS.begin(at, replace(WISH, path=b"odd", size=9), 0)
    part = UPLOADS.append(at, made.id, 0)
    part.write(b"012", b"", b"3", b"45678")
    assert part.finish(NOBODY).done
    part.close()
    assert Path(at.files, "odd").read_bytes() == b"012345678"


def test_what_came_without_a_checksum_counts_after_parts_that_had_one(at: VolumeFolders) -> None:
    made = UPLOADS.begin(at, replace(WISH, size=9), 0)
    for offset, data, check in ((0, b"012", True), (3, b"345", False)):
        digest = Checksum("sha256", hashlib.sha256(data).digest()) if check else None
        sent(at, made, offset, data, digest)
        found = UPLOADS.find(at, made.id)
        assert found is not None
        assert found.offset == offset + 3
