"""Names of jobs: with the number of their run, and made up for those that have none or no valid one."""

from __future__ import annotations

import re
from typing import Any

_OTHERS = re.compile(r"[^A-Za-z0-9_-]+")
_RUNNERS = re.compile(
    r"(python|bash|sh|zsh|env|torchrun|deepspeed|mpirun|mpiexec|accelerate|launch|exec|time|nohup|srun|uv|run)[\d.]*"
)
_TITLE = re.compile(r"([^#]+)#([1-9][0-9]{0,8})")
_LEAST, _MOST = 4, 63
_ENDING = "-job"
SOME = "some-job"
"""The name where there is nothing to make one from."""
_WORDS = 50


def run_title(name: str, run: int, numbered: bool) -> str:
    """How a job is shown, so that what is shown means this run: `bert` of the only run of its name, `bert#1` and
    `bert#2` once there are more, since `bert` alone means the latest."""
    return f"{name}#{run}" if numbered or run > 1 else name


def split_title(title: str) -> tuple[str, int | None]:
    """A name, and the number of the run if one is named."""
    match = _TITLE.fullmatch(title)
    return (match[1], int(match[2])) if match else (title, None)


def nearest_name(text: str) -> str:
    """The valid job name nearest to a text: `sweep-lr-0-1` for `sweep-lr-0.1`, `hf-job` for `hf`; where nothing of it
    can stay, as of `训练模型`, a neutral one, as the console offers it."""
    return usable_name(text) or SOME


def usable_name(text: str) -> str | None:
    """What can stay of a text; None if nothing can."""
    name = _OTHERS.sub("-", text[:1000]).strip("-")[:_MOST].strip("-")
    return name if len(name) >= _LEAST else f"{name}{_ENDING}" if name else None


def name_of_command(command: Any) -> str | None:
    """A name that shows what a command runs: `train` of `python train.py --lr 0.1`; None if no word of it can
    be a name."""
    words = command.split() if isinstance(command, str) else command
    if not isinstance(words, (list, tuple)):
        return None
    # The last part of a path; options, variables (A=1) and programs that only start others say little.
    plain = [
        word.rpartition("/")[2]
        for word in words[:_WORDS]
        if isinstance(word, str) and not word.startswith("-")
    ]
    telling = [word for word in plain if "=" not in word and not _RUNNERS.fullmatch(word)]
    stems = (word.rpartition(".") for word in (*telling, *plain) if not word[:1].isdigit())
    return next(filter(None, (usable_name(stem[0] or stem[2]) for stem in stems)), None)
