"""The helper for PyTorch, with real PyTorch: a training that was stopped and resumed is the one that never was."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import danlu
from danlu.ports.reports import read_saves
from tools.dev.environments import torch_environment

TRAIN = """
import os, random, signal
import numpy, torch, danlu, danlu.torch
from torch import distributed

many = "RANK" in os.environ
if many:
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    distributed.init_process_group("gloo", init_method=os.environ["MEET"], rank=rank, world_size=size)
rank = distributed.get_rank() if many else 0
torch.manual_seed(rank); random.seed(rank); numpy.random.seed(rank)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Dropout(0.3), torch.nn.Linear(8, 1))
if many:
    model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
progress = danlu.torch.Progress(model=model, optimizer=optimizer)
for step in progress.steps(30, save_every=10):
    x = torch.randn(8, 4) + random.random() + float(numpy.random.rand())
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
    with open(os.environ["CURVE"] + str(rank), "a") as file:
        print(step, loss.item().hex(), file=file)
    if os.environ.get("STOP_AT") == str(step) and rank == 0:
        os.kill(os.getpid(), signal.SIGTERM)
    if os.environ.get("DIE_AT") == str(step):
        os._exit(3)
"""
LOADER = """
import subprocess, time
import torch, danlu.torch
from torch.utils.data import DataLoader, Dataset

class Slow(Dataset):
    def __len__(self):
        return 1000
    def __getitem__(self, index):
        time.sleep(0.3)
        return index

progress = danlu.torch.Progress(model=torch.nn.Linear(1, 1))
batches = iter(DataLoader(Slow(), num_workers=2, worker_init_fn=danlu.torch.worker_init))
for step in progress.steps(1000):
    if step == 2:
        subprocess.run(["sh", "-c", "kill -TERM 0"])
    next(batches)
"""


# To import PyTorch takes seconds of a processor: it is done once, and every process of a training is a fork of this one.
FORKS = """
import json, os, runpy, sys
import numpy, torch, torch.distributed, torch.nn.parallel, torch.utils.data
torch.optim.Adam(torch.nn.Linear(1, 1).parameters())  # imports as much again
for line in sys.stdin:
    order, children = json.loads(line), []
    for env in order["processes"]:
        children.append(os.fork())
        if children[-1] == 0:
            break
    else:
        ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        print(json.dumps(ends), flush=True)
        continue
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.dup2(os.open(order["errors"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    os.environ.clear()
    os.environ.update(env)
    sys.path.insert(0, env["PYTHONPATH"])
    runpy.run_path(order["program"], run_name="__main__")
    break
"""


class Ended(NamedTuple):
    returncode: int
    stderr: str


class Forks:
    """Runs programs as processes that have PyTorch already."""

    def __init__(self, python: Path) -> None:
        env = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [python, "-c", FORKS], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, program: Path, errors: Path, processes: list[dict[str, str]]) -> Ended:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"program": str(program), "errors": str(errors), "processes": processes}
        print(json.dumps(order), file=self._process.stdin, flush=True)
        ends = json.loads(self._process.stdout.readline())
        return Ended(next((end for end in ends if end), 0), errors.read_text())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    made = Forks(torch_environment() / "bin" / "python")
    yield made
    made.close()


class Training:
    """Attempts of one job, one after the other."""

    def __init__(self, forks: Forks, root: Path, ranks: int = 1) -> None:
        self.forks, self.root, self.ranks, self.attempts = forks, root, ranks, 0
        (root / "reports").mkdir(parents=True)
        (root / "python").mkdir()
        (root / "python" / "danlu").symlink_to(Path(danlu.__file__).parent)

    def attempt(self, program: str = TRAIN, **env: str) -> Ended:
        """The next one, which resumes from the last checkpoint that was told of."""
        self.attempts += 1
        (self.root / "train.py").write_text(program)
        told = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self.root / "python"),
            "DANLU_REPORTS": str(self.root / "reports"),
            "DANLU_CHECKPOINT_DIR": str(self.root / "kept"),
            "CURVE": str(self.root / "curve"),
            "DANLU_JOB_ID": "j1",
            "DANLU_ATTEMPT": str(self.attempts),
        }
        saves = self.saves()
        if saves:
            told.update(DANLU_RESUME_FROM=saves[-1].path, DANLU_RESUME_STEP=str(saves[-1].step))
        if self.ranks > 1:
            told.update(MEET=f"file://{self.root}/meet-{self.attempts}", WORLD_SIZE=str(self.ranks))
        ranks = [{"RANK": str(rank)} if self.ranks > 1 else {} for rank in range(self.ranks)]
        errors = self.root / f"errors-{self.attempts}"
        return self.forks.run(self.root / "train.py", errors, [{**told, **env, **rank} for rank in ranks])

    def saves(self):
        return read_saves(str(self.root / "reports"))[0]

    def curve(self, rank: int = 0) -> dict[int, str]:
        """The loss of each step; where a step was done twice, that of the last time."""
        lines = (self.root / f"curve{rank}").read_text().splitlines()
        return {int(step): loss for step, loss in map(str.split, lines)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Training:
    training = Training(forks, tmp_path_factory.mktemp("whole") / "job")
    done = training.attempt()
    assert done.returncode == 0, done.stderr
    return training


def test_a_training_saves_as_it_goes_and_keeps_the_last_two(whole: Training):
    assert [save.step for save in whole.saves()] == [10, 20, 30]
    files = sorted(path.name for path in (whole.root / "kept").glob("step-*"))
    assert files == ["step-000000020.pt", "step-000000030.pt"]


def test_a_stopped_training_resumes_with_the_same_loss_curve(whole: Training, forks: Forks, tmp_path: Path):
    training = Training(forks, tmp_path / "job")
    stopped = training.attempt(STOP_AT="13")
    assert stopped.returncode == 0, stopped.stderr
    assert [save.step for save in training.saves()] == [10, 14]
    resumed = training.attempt()
    assert resumed.returncode == 0, resumed.stderr
    assert training.curve() == whole.curve()
    assert len((training.root / "curve0").read_text().splitlines()) == 30


def test_a_training_that_died_repeats_only_what_it_did_since_it_saved(
    whole: Training, forks: Forks, tmp_path: Path
):
    """Also when its launcher starts it again within the attempt, and Danlu tells it nothing new."""
    training = Training(forks, tmp_path / "job")
    assert training.attempt(DIE_AT="17").returncode == 3
    assert training.attempt(DIE_AT="25", DANLU_ATTEMPT="1", DANLU_RESUME_FROM="").returncode == 3
    resumed = training.attempt()
    assert resumed.returncode == 0, resumed.stderr
    assert training.curve() == whole.curve()
    assert len((training.root / "curve0").read_text().splitlines()) == 18 + 16 + 10


def test_ranks_stop_at_the_same_step_and_resume_with_the_same_curves(forks: Forks, tmp_path: Path):
    straight, broken = Training(forks, tmp_path / "straight", 2), Training(forks, tmp_path / "broken", 2)
    assert straight.attempt().returncode == 0
    stopped = broken.attempt(STOP_AT="3")
    assert stopped.returncode == 0, stopped.stderr
    assert len(broken.curve(0)) == len(broken.curve(1)) == broken.saves()[-1].step
    assert broken.attempt().returncode == 0
    for rank in range(2):
        assert broken.curve(rank) == straight.curve(rank)


def test_workers_that_load_data_do_not_fail_the_training_that_saves(forks: Forks, tmp_path: Path):
    """All processes of a task get SIGTERM at once, as the supervisor does it."""
    training = Training(forks, tmp_path / "job")
    done = training.attempt(LOADER)
    assert done.returncode == 0, done.stderr
    assert [save.step for save in training.saves()] == [3]


def test_a_checkpoint_of_something_else_is_refused_in_a_sentence(forks: Forks, tmp_path: Path):
    training = Training(forks, tmp_path / "job")
    other = TRAIN.replace("model=model, optimizer=optimizer", "net=model")
    assert training.attempt().returncode == 0
    refused = training.attempt(other)
    assert refused.returncode == 1
    assert "holds other things than this program: model, net, optimizer" in refused.stderr
