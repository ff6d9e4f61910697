"""The files of samples: what is written is read, and nothing else is taken for a sample."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.ports import samples
from danlu.ports.samples import COUNTED, RATED, Head, Sample, SampleFile, pack_head, pack_sample, read_head
from danlu.telemetry.samples import read_samples

FOREVER = 10**15
words = st.integers(0, 2**64 - 1)
heads = st.builds(
    Head,
    began=words,
    every=st.integers(1, 2**64 - 1),
    cpu=st.sampled_from((COUNTED, RATED)),
    gpus=st.lists(st.integers(0, 1023), max_size=9).map(tuple),
)
HEAD = Head(1_000, 5_000, COUNTED, (0, 3))


def sample(number: int) -> Sample:
    return Sample(6_000 + 5_000 * number, 1_000_000 * number, 100 + number, ((number % 100, 7), (1, 8)))


def write(path: Path, count: int) -> SampleFile:
    file = SampleFile(str(path), HEAD)
    assert all(file.append(sample(number)) for number in range(count))
    return file


def times(path: Path) -> list[int]:
    found = read_samples(path, FOREVER)
    return [] if found is None else found.times.tolist()


@given(heads, st.binary(max_size=40))
def test_a_head_is_read_back_whatever_follows_it(head: Head, rest: bytes) -> None:
    assert read_head(pack_head(head) + rest) == head
    assert len(pack_head(head)) == head.size


@given(heads, st.data())
def test_a_head_that_is_cut_or_has_one_bit_wrong_is_none(head: Head, data: st.DataObject) -> None:
    whole = pack_head(head)
    assert read_head(whole[: data.draw(st.integers(0, len(whole) - 1))]) is None
    bit = data.draw(st.integers(0, 8 * len(whole) - 1))
    wrong = bytearray(whole)
    wrong[bit // 8] ^= 1 << bit % 8
    assert read_head(bytes(wrong)) is None


@given(st.binary(max_size=400))
def test_garbage_is_no_head(data: bytes) -> None:
    assert read_head(data) is None


def test_samples_are_read_back(tmp_path: Path) -> None:
    write(tmp_path / "some", 3)
    found = read_samples(tmp_path / "some", FOREVER)
    assert found is not None
    assert (found.gpus, found.every) == ((0, 3), 5_000)
    assert found.times.tolist() == [6_000, 11_000, 16_000]
    assert found.values[1:].tolist() == [[100, 101, 102], [0, 1, 2], [7, 7, 7], [1, 1, 1], [8, 8, 8]]


def test_a_file_lies_beside_its_log() -> None:
    assert samples.usage_file("/logs/j/1/worker-0.log") == "/logs/j/1/worker-0.usage"
    assert samples.usage_file("/somewhere/log") == "/somewhere/log.usage"


@given(cut=st.integers(0, 400), garbage=st.binary(max_size=200))
def test_a_torn_tail_and_what_follows_cost_no_whole_sample(
    tmp_path_factory: pytest.TempPathFactory, cut: int, garbage: bytes
) -> None:
    path = tmp_path_factory.mktemp("torn") / "some"
    write(path, 4)
    kept = path.read_bytes()[: HEAD.size + cut]
    path.write_bytes(kept + garbage)
    whole = min(4, cut // HEAD.record_size)
    assert times(path)[:whole] == [sample(number).time for number in range(whole)]
    assert len(times(path)) <= whole + 1, "at most the garbage made a torn one whole again"


def test_blocks_of_zeros_and_times_that_go_back_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "some"
    write(path, 2)
    with path.open("ab") as file:
        file.write(bytes(3 * HEAD.record_size))
        file.write(pack_sample(sample(0)) + pack_sample(sample(5)))
    assert times(path) == [6_000, 11_000, 31_000]


def test_what_a_crash_tore_is_cut_off_before_the_next_sample(tmp_path: Path) -> None:
    path = tmp_path / "some"
    file = write(path, 2)
    path.write_bytes(path.read_bytes()[:-5])
    assert file.append(sample(3))
    assert times(path) == [6_000, 21_000]
    path.write_bytes(pack_head(HEAD)[:-1])
    assert file.append(sample(4))
    assert times(path) == [26_000]


@pytest.mark.parametrize("refusal", ["none", "half"])
def test_a_full_disk_costs_the_samples_of_that_time_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    path = tmp_path / "some"
    file = write(path, 1)
    real = os.write

    def full(fd: int, data: bytes) -> int:
        if refusal == "half":
            return real(fd, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        assert not file.append(sample(1))
    assert file.append(sample(2))
    assert times(path) == [6_000, 16_000]


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    assert not SampleFile(str(tmp_path / "gone" / "some"), HEAD).append(sample(0))
    assert not (tmp_path / "gone").exists()


def test_a_newer_version_is_not_guessed_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(samples, "VERSION", 2)
        write(tmp_path / "some", 2)
    assert read_samples(tmp_path / "some", FOREVER) is None
