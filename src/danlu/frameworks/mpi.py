"""MPI: mpirun in the first task starts the ranks in all of them, through Danlu's agents instead of SSH."""

from __future__ import annotations

import json

from danlu.domain.words import Words
from danlu.frameworks.base import ON_LOSS, WORKERS, Command, Framework, Gang, Given, RoleShape, Seat, Strategy
from danlu.frameworks.launch import through

_LAUNCHER = RoleShape(
    "launcher",
    Words("runs mpirun, but no ranks of its own", "只运行 mpirun，不运行训练进程"),
    least=0,
    most=1,
    gpus=False,
    usual=Words(
        "optional: without it, the first worker runs mpirun", "可省略：此时由第一个 worker 运行 mpirun"
    ),
)

_START = """\
command -v python3 >/dev/null || {
  echo "danlu: this framework needs python3 and the danlu package in the image: python3 is not there" >&2
  exit 127
}
exec python3 -c 'import sys
sys.path[:] = [folder for folder in sys.path if folder]
try:
    from danlu.runtime.mpi import main
except ImportError as error:
    sys.exit(f"danlu: this framework needs the danlu package in the image (pip install danlu): {error}")
sys.exit(main(sys.argv[1:]))' "$@"
"""
"""The task's directory is not on the module path: people's modules may have the same names as ours."""

ALL_REDUCE = Strategy(
    "all-reduce",
    Words("All-reduce", "All-Reduce"),
    Words(
        "All ranks keep the same model and average their gradients.",
        "所有进程保持相同的模型并对梯度求平均。",
    ),
    (_LAUNCHER, WORKERS),
    processes=True,
    on=ON_LOSS,
)


class Mpi(Framework):
    """mpirun reads its host file and its options from variables, so that a bare `mpirun program` needs none."""

    name = "mpi"
    label = Words("MPI", "MPI")
    about = Words(
        "mpirun starts `processes` ranks in every task, without sshd; `python train.py` is run by it.",
        "mpirun 在每个子任务中启动 `processes` 个进程，无需 sshd；`python train.py` 由它运行。",
    )
    strategies = (ALL_REDUCE,)
    ssh = True

    def given(self, gang: Gang, seat: Seat) -> Given:
        return Given(seats_of(gang), launched(gang, seat, seat.command))


def seats_of(gang: Gang) -> dict[str, str]:
    """The tasks and how many ranks each runs, the leading task first."""
    lead = _lead(gang)
    rows = [
        [seat.name, seat.host, seat.port, 0 if seat.role == _LAUNCHER.name else seat.processes]
        for seat in (lead, *(seat for seat in gang.seats if seat != lead))
    ]
    # mpirun takes SIGTERM for an order to kill the ranks: the agent tells them instead.
    return {"DANLU_SEATS": json.dumps(rows, ensure_ascii=False), "DANLU_PASSES_ON": "1"}


def launched(gang: Gang, seat: Seat, command: Command) -> Command:
    """The task's agent: in the leading task it runs the command, in all others what the leading task asks for."""
    if seat != _lead(gang):
        return ("/bin/sh", "-c", _START, "danlu")
    command = under_mpirun(command)
    words = ("/bin/sh", "-c", command) if isinstance(command, str) else command
    return ("/bin/sh", "-c", _START, "danlu", *words)


def under_mpirun(command: Command) -> Command:
    """A command that begins with `python` as mpirun runs it in every rank; any other as it is."""
    if through("mpirun", command) == command:
        return command
    return f"mpirun {command.lstrip()}" if isinstance(command, str) else ("mpirun", *command)


def _lead(gang: Gang) -> Seat:
    return next(iter(gang.of(_LAUNCHER.name)), gang.first)
