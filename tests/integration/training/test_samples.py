"""`danlu.torch.Samples` under real loaders: every file once over all ranks and workers, mixed anew each epoch."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import chain
from pathlib import Path

from tools.dev.environments import torch_environment
from tools.dev.places import ROOT

COUNT, WORLD = 53, 2
PROGRAM = """
import json, sys, warnings
import danlu, danlu.torch
from torch.utils.data import DataLoader

def number(path, data):
    return int(data)

def epoch(rank, workers, of, done=0, **more):
    samples = danlu.torch.Samples("digits@v1", number, rank=rank, world=2, **more)
    samples.set_epoch(of, done)
    loader = DataLoader(samples, batch_size=4, num_workers=workers)
    return {"len": len(samples), "got": [int(one) for batch in loader for one in batch]}

if __name__ == "__main__":
    mixed = {"shuffle": True, "seed": 7}
    told = {
        "plain": [epoch(rank, 0, 0) for rank in range(2)],
        "workers": [epoch(rank, 3, 0, **mixed) for rank in range(2)],
        "again": [epoch(rank, 3, 0, **mixed) for rank in range(2)],
        "next": [epoch(rank, 3, 1, **mixed) for rank in range(2)],
        "alone": epoch(0, 0, 0, **mixed),
        "even": [epoch(rank, 2, 0, even=True, **mixed) for rank in range(2)],
        "rest": epoch(0, 2, 0, done=8, **mixed),
        "before": epoch(0, 2, 0, **mixed),
    }
    print(json.dumps(told))
"""


def test_every_file_comes_once_over_ranks_and_workers_in_an_order_of_its_epoch(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for number in range(COUNT):
        file = data / str(number % 4) / f"{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(number))
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DANLU_")}
    env = {
        **kept,
        "PYTHONPATH": str(ROOT / "src"),
        "DANLU_DATASETS": json.dumps({"lin:digits@v1": str(data)}),
    }
    ran = subprocess.run(
        [str(torch_environment() / "bin" / "python"), str(program)],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)

    def got(what: str) -> list[list[int]]:
        return [one["got"] for one in told[what]]

    every = list(range(COUNT))
    for what in ("plain", "workers", "next"):
        assert sorted(chain(*got(what))) == every, what
        assert [one["len"] for one in told[what]] == [27, 26] == [len(one) for one in got(what)]
    assert got("again") == got("workers"), "the same seed and epoch, the same order"
    assert got("next") != got("workers")
    assert set(got("next")[0]) != set(got("workers")[0]), "another share in another epoch"
    assert sorted(told["alone"]["got"]) == sorted(got("workers")[0]), "whatever number of workers"
    assert [len(one) for one in got("even")] == [26, 26]
    assert len(set(chain(*got("even")))) == 52
    first = told["before"]["got"]
    assert (told["rest"]["len"], sorted(told["rest"]["got"])) == (19, sorted(first[8:]))
