"""The helper for PyTorch, with real PyTorch: a training that was stopped and resumed is the one that never was."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

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
    distributed.init_process_group("gloo")
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


class Training:
    """Attempts of one job, one after the other."""

    def __init__(self, root: Path, ranks: int = 1) -> None:
        self.root, self.ranks, self.attempts = root, ranks, 0
        (root / "reports").mkdir(parents=True)
        (root / "python").mkdir()
        (root / "python" / "danlu").symlink_to(Path(danlu.__file__).parent)

    def attempt(self, program: str = TRAIN, **env: str) -> subprocess.CompletedProcess[str]:
        """The next one, which resumes from the last checkpoint that was told of."""
        self.attempts += 1
        (self.root / "train.py").write_text(program)
        bin_ = torch_environment() / "bin"
        launcher = [bin_ / "torchrun", "--standalone", f"--nproc-per-node={self.ranks}"]
        told = {"DANLU_JOB_ID": "j1", "DANLU_ATTEMPT": str(self.attempts), "OMP_NUM_THREADS": "1"}
        saves = self.saves()
        if saves:
            told.update(DANLU_RESUME_FROM=saves[-1].path, DANLU_RESUME_STEP=str(saves[-1].step))
        return subprocess.run(
            [*(launcher if self.ranks > 1 else [bin_ / "python"]), self.root / "train.py"],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(self.root / "python"),
                "DANLU_REPORTS": str(self.root / "reports"),
                "DANLU_CHECKPOINT_DIR": str(self.root / "kept"),
                "CURVE": str(self.root / "curve"),
                **told,
                **env,
            },
            capture_output=True,
            text=True,
            timeout=100,
            start_new_session=True,
        )

    def saves(self):
        return read_saves(str(self.root / "reports"))[0]

    def curve(self, rank: int = 0) -> dict[int, str]:
        """The loss of each step; where a step was done twice, that of the last time."""
        lines = (self.root / f"curve{rank}").read_text().splitlines()
        return {int(step): loss for step, loss in map(str.split, lines)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Training:
    training = Training(tmp_path_factory.mktemp("whole") / "job")
    done = training.attempt()
    assert done.returncode == 0, done.stderr
    return training


def test_a_training_saves_as_it_goes_and_keeps_the_last_two(whole: Training):
    assert [save.step for save in whole.saves()] == [10, 20, 30]
    files = sorted(path.name for path in (whole.root / "kept").glob("step-*"))
    assert files == ["step-000000020.pt", "step-000000030.pt"]


def test_a_stopped_training_resumes_with_the_same_loss_curve(whole: Training, tmp_path: Path):
    training = Training(tmp_path / "job")
    stopped = training.attempt(STOP_AT="13")
    assert stopped.returncode == 0, stopped.stderr
    assert [save.step for save in training.saves()] == [10, 14]
    resumed = training.attempt()
    assert resumed.returncode == 0, resumed.stderr
    assert training.curve() == whole.curve()
    assert len((training.root / "curve0").read_text().splitlines()) == 30


def test_a_training_that_died_repeats_only_what_it_did_since_it_saved(whole: Training, tmp_path: Path):
    """Also when its launcher starts it again within the attempt, and Danlu tells it nothing new."""
    training = Training(tmp_path / "job")
    assert training.attempt(DIE_AT="17").returncode == 3
    assert training.attempt(DIE_AT="25", DANLU_ATTEMPT="1", DANLU_RESUME_FROM="").returncode == 3
    resumed = training.attempt()
    assert resumed.returncode == 0, resumed.stderr
    assert training.curve() == whole.curve()
    assert len((training.root / "curve0").read_text().splitlines()) == 18 + 16 + 10


def test_ranks_stop_at_the_same_step_and_resume_with_the_same_curves(tmp_path: Path):
    straight, broken = Training(tmp_path / "straight", 2), Training(tmp_path / "broken", 2)
    assert straight.attempt().returncode == 0
    stopped = broken.attempt(STOP_AT="3")
    assert stopped.returncode == 0, stopped.stderr
    assert len(broken.curve(0)) == len(broken.curve(1)) == broken.saves()[-1].step
    assert broken.attempt().returncode == 0
    for rank in range(2):
        assert broken.curve(rank) == straight.curve(rank)


def test_workers_that_load_data_do_not_fail_the_training_that_saves(tmp_path: Path):
    """All processes of a task get SIGTERM at once, as the supervisor does it."""
    training = Training(tmp_path / "job")
    done = training.attempt(LOADER)
    assert done.returncode == 0, done.stderr
    assert [save.step for save in training.saves()] == [3]


def test_a_checkpoint_of_something_else_is_refused_in_a_sentence(tmp_path: Path):
    training = Training(tmp_path / "job")
    other = TRAIN.replace("model=model, optimizer=optimizer", "net=model")
    assert training.attempt().returncode == 0
    refused = training.attempt(other)
    assert refused.returncode == 1
    assert "holds other things than this program: model, net, optimizer" in refused.stderr
