"""Horovod: MPI ranks, started by mpirun with the options that Horovod needs."""

from __future__ import annotations

import re
import shlex

from danlu.domain.words import Words
from danlu.frameworks.base import Command, Framework, Gang, Given, Seat
from danlu.frameworks.mpi import ALL_REDUCE, launched, seats_of

_HOROVODRUN = re.compile(
    r"\s*(?:\S*/)?horovodrun(?P<number>\s+(?:-np|-n|--num-proc)[=\s]\s*\d+)?\s+(?=[^-\s])"
)

_OPTIONS = {
    "OMPI_MCA_rmaps_base_mapping_policy": "slot",
    "PRTE_MCA_rmaps_default_mapping_policy": "slot",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "^openib",
    "HOROVOD_CONTROLLER": "mpi",
    "HOROVOD_CPU_OPERATIONS": "mpi",
}
"""As its guide has them for mpirun: `-map-by slot -mca pml ob1 -mca btl ^openib`; `-bind-to none` is so anyway."""


class Horovod(Framework):
    """`horovodrun` needs SSH, so mpirun runs instead, with the same number of ranks."""

    name = "horovod"
    label = Words("Horovod", "Horovod")
    about = Words(
        "Like MPI, with the options that Horovod needs; `horovodrun python train.py` needs no host list and no sshd.",
        "同 MPI，并带有 Horovod 所需的选项；`horovodrun python train.py` 无需主机列表和 sshd。",
    )
    strategies = (ALL_REDUCE,)
    ssh = True

    def given(self, gang: Gang, seat: Seat) -> Given:
        env = {**_OPTIONS, "HOROVOD_HOSTNAME": seat.name, **seats_of(gang)}
        return Given(env, launched(gang, seat, with_mpirun(seat.command)))


def with_mpirun(command: Command) -> Command:
    """`horovodrun [-np n] program …` as mpirun takes it; with any other option it stays, and needs SSH."""
    line = command if isinstance(command, str) else shlex.join(command)
    call = _HOROVODRUN.match(line)
    if call is None:
        return command
    number = re.search(r"\d+", call["number"] or "")
    return f"mpirun {f'-np {number[0]} ' if number else ''}{line[call.end() :]}"
