"""Archives that are too large, or meant to do harm."""

import gzip
import io
import tarfile
import time

import pytest

from danlu.runtime.code import code
from danlu.runtime.code.code import unpack
from danlu.runtime.task import CannotStart, Unpack


def write(path, *members):
    """(name, size, further attributes) of files full of zeros."""
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name, size, pax in members:
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = size, pax
            tar.addfile(info, io.BytesIO(bytes(size)))
    return str(path)


def refusal(path, target, limit=None):
    with pytest.raises(CannotStart) as caught:
        unpack(path, str(target), lambda: None, limit or Unpack())
    assert caught.value.reason == "code_failed"
    return str(caught.value)


def test_an_archive_that_unpacks_to_too_much_is_refused_before_it_is_written(tmp_path):
    path = write(tmp_path / "x.tgz", ("a", 600, {}), ("b", 600, {}))
    text = refusal(path, tmp_path / "work", Unpack(size=1000))
    assert "more than 1,000 bytes" in text
    assert "setting unpack_limit" in text
    assert not (tmp_path / "work" / "b").exists()


def test_files_of_an_archive_without_times_are_as_old_as_their_unpacking(tmp_path):
    path = write(tmp_path / "x.tgz", ("a", 1, {}), ("b", 1, {"mtime": "1700000000"}))
    before = time.time() - 5
    unpack(path, str(tmp_path / "work"), lambda: None, Unpack())
    assert (tmp_path / "work" / "a").stat().st_mtime > before
    assert (tmp_path / "work" / "b").stat().st_mtime == 1_700_000_000


def test_an_archive_of_too_many_entries_is_refused(tmp_path):
    path = write(tmp_path / "x.tgz", *((str(n), 0, {}) for n in range(5)))
    assert "more than 4 entries" in refusal(path, tmp_path / "work", Unpack(entries=4))
    unpack(path, str(tmp_path / "other"), lambda: None, Unpack(entries=5))


def test_attributes_too_large_for_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(code, "_LARGEST_HEADER", 1 << 16)
    path = write(tmp_path / "x.tgz", ("a", 0, {"comment": "x" * (1 << 17)}))
    assert "name or attributes exceed 65,536 bytes" in refusal(path, tmp_path / "work")


def test_an_order_to_stop_is_heard_inside_a_large_file(tmp_path):
    path = write(tmp_path / "x.tgz", ("large", 40 << 20, {}))
    file = tmp_path / "work" / "large"

    class StoppedError(Exception):
        pass

    def check():
        if file.exists() and file.stat().st_size > 4 << 20:
            raise StoppedError

    with pytest.raises(StoppedError):
        unpack(path, str(tmp_path / "work"), check, Unpack())
    assert file.stat().st_size < 16 << 20


@pytest.mark.parametrize("pax", [{"path": "a\0b"}, {"mtime": "1e30"}, {"mtime": "nan"}, {"mtime": "inf"}])
def test_attributes_that_no_file_can_have_are_a_failed_start(tmp_path, pax):
    path = write(tmp_path / "x.tgz", ("a", 1, pax))
    assert "cannot be unpacked" in refusal(path, tmp_path / "work")


def test_a_damaged_stream_is_a_failed_start(tmp_path):
    path = tmp_path / "x.tgz"
    data = bytearray(gzip.compress(bytes(range(256)) * 4000))
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    path.write_bytes(data)
    assert "cannot be unpacked" in refusal(str(path), tmp_path / "work")
