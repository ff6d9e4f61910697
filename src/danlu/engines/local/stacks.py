"""Where the processes of a task on this machine are, seen from outside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from danlu.domain.errors import Unavailable
from danlu.domain.words import Words, say
from danlu.engines.local.programs import bare_environment, own_program

_PATIENCE_S = 25.0
"""The program has its own time limit; this one is for a machine that is stuck."""


def read_stacks(folder: Path, task: str, programs: str) -> str:
    """What each process of the task is doing; `programs` is where its Python environment keeps its own. Unavailable
    when it does not run, or nothing could be found out in time."""
    py_spy = find_py_spy(programs)
    command = own_program("danlu.runtime.stacks", str(folder), *([py_spy] if py_spy else []))
    try:
        said = subprocess.run(
            command,
            env=bare_environment(),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(
            say(
                "{task}: its processes could not be inspected: {error}",
                "{task}：无法查看其进程：{error}",
                task=task,
                error=error,
            )
        ) from error
    if said.returncode:
        why = said.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise Unavailable(
            say(
                "{task}: {why}",
                "{task}：{why}",
                task=task,
                why=why or Words("its processes could not be inspected", "无法查看其进程"),
            )
        )
    return said.stdout.decode("utf-8", "replace")


def find_py_spy(programs: str) -> str | None:
    """In the environment of tasks, beside Danlu's own Python, or on PATH."""
    own = str(Path(sys.executable).parent)
    everywhere = (programs, own, os.environ.get("PATH", ""))
    return shutil.which("py-spy", path=os.pathsep.join(place for place in everywhere if place))
