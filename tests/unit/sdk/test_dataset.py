"""The reader of datasets: every file once, in an order that everybody can repeat."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import danlu
from danlu.sdk.dataset import DatasetReader

COUNT = 23


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DatasetReader:
    for number in range(COUNT):
        file = tmp_path / str(number % 3) / f"{number}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(str(number))
    (tmp_path / "link").symlink_to("0/0.txt")
    monkeypatch.setenv("DANLU_DATASETS", json.dumps({"lin:digits@v1": str(tmp_path)}))
    reader: DatasetReader = danlu.dataset("digits@v1", rank=0, world=1)
    return reader


@pytest.mark.parametrize("world", [1, 2, 5, COUNT, COUNT + 4])
def test_shares_hold_every_file_once_and_tell_how_many_they_have(data: DatasetReader, world: int) -> None:
    for reader in (data, data.shuffle(7, 2)):
        shares = [reader.shard(rank, world) for rank in range(world)]
        told = [list(one.files()) for one in shares]
        assert sorted(path for share in told for path in share) == sorted(data.files())
        assert [len(one) for one in shares] == [len(share) for share in told]


def test_an_order_follows_from_seed_and_epoch_alone(data: DatasetReader) -> None:
    first = list(data.shuffle(7, 0).files())
    assert first == list(data.shuffle(7, 0).files())
    orders = {tuple(data.shuffle(seed, epoch).files()) for seed in (7, 8) for epoch in range(3)}
    assert len(orders) == 6
    assert first[:3] == ["1/10.txt", "1/19.txt", "0/15.txt"], "the same with every Python, on every machine"
    assert [int(sample.data) for sample in data.shuffle(7, 0)] == [int(Path(path).stem) for path in first]


def test_a_reader_goes_on_where_it_was(data: DatasetReader) -> None:
    own = data.shard(1, 2).shuffle(3, 1)
    every = list(own.files())
    assert list(own.skip(4).files()) == every[4:]
    assert len(own.skip(4)) == len(every) - 4
    assert (list(own.skip(100).files()), len(own.skip(100))) == ([], 0)
    with pytest.raises(ValueError, match="-1 files"):
        own.skip(-1)


def test_a_path_leads_nowhere_else(data: DatasetReader) -> None:
    for path in ("../secret", "/etc/passwd", "0/../../x"):
        with pytest.raises(ValueError, match="leads down"):
            data.read(path)
    assert os.fspath(data) == data.path
