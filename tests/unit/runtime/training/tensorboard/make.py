"""Writes the event files beside this one, with the real programs: needs torch, tensorboard and numpy.

python make.py, in an environment that has them; then keep the two files."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path


def main(here: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _by_torch(os.path.join(folder, "torch"))
        _by_tensorboard(os.path.join(folder, "tensors"))
        for name in ("torch", "tensors"):
            (made,) = Path(folder, name).iterdir()
            shutil.copy(made, here / f"{name}.tfevents")


def _by_torch(folder: str) -> None:
    import numpy
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(folder) as writer:
        for step in range(5):
            writer.add_scalar("loss/train", 1 / (step + 1), step)
        writer.add_text("notes", "words are no number", 5)
        writer.add_histogram("weights", numpy.arange(3.0), 5)
        writer.add_scalar("loss/train", float("nan"), 5)


def _by_tensorboard(folder: str) -> None:
    from tensorboard.summary import Writer

    writer = Writer(folder)
    for step in range(5):
        writer.add_scalar("accuracy", step / 8, step)
    writer.close()


if __name__ == "__main__":
    main(Path(sys.argv[0]).parent)
