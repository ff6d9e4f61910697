"""DeepSpeed: torchrun's conventions, and what the `deepspeed` command needs to work without SSH."""

from __future__ import annotations

import re
import shlex

from danlu.domain.words import Words
from danlu.frameworks.base import (
    ON_LOSS,
    WORKERS,
    Command,
    Framework,
    Gang,
    Given,
    NeededPackage,
    Seat,
    Strategy,
)
from danlu.frameworks.pytorch import PyTorch

_CALL = re.compile(
    r"\s*(?P<program>(?:\S*/)?deepspeed)(?:\s+--num_(?:gpus|accelerators|nodes)[=\s]\s*\d+)*(?=\s)"
)
_CARDS = 1024
"""No machine has as many: a task's cards may have any number."""


class DeepSpeed(Framework):
    """With the `deepspeed` command every task runs the launcher for itself alone, with the address of the first
    task."""

    name = "deepspeed"
    label = Words("DeepSpeed", "DeepSpeed")
    needs = NeededPackage("deepspeed", "deepspeed")
    about = Words(
        "`python train.py` is run by torchrun; `deepspeed train.py` runs in every task as if started over SSH.",
        "`python train.py` 由 torchrun 运行；`deepspeed train.py` 无需 SSH，直接在每个子任务中运行。",
    )
    strategies = (
        Strategy(
            "all-reduce",
            Words("Data parallel with ZeRO", "数据并行（ZeRO）"),
            Words(
                "Workers share gradients and, depending on the DeepSpeed configuration, optimizer states and "
                "parameters.",
                "各 worker 共享梯度，并按 DeepSpeed 配置分摊优化器状态和参数。",
            ),
            (WORKERS,),
            processes=True,
            on=ON_LOSS,
        ),
    )

    def given(self, gang: Gang, seat: Seat) -> Given:
        as_torch = PyTorch().given(gang, seat)
        return Given(as_torch.env, _without_ssh(gang, seat) or as_torch.command)


def _without_ssh(gang: Gang, seat: Seat) -> Command | None:
    """The `deepspeed` command with all its options; None for any other command. The numbers of tasks and processes
    come from the job file, not from the command."""
    line = seat.command if isinstance(seat.command, str) else shlex.join(seat.command)
    call = _CALL.match(line)
    return f"{_prepared(gang, seat, call['program'])}{line[call.end() :]}" if call else None


def _prepared(gang: Gang, seat: Seat, program: str) -> str:
    """The launcher needs a file with all hosts; without SSH only their order and number of GPUs count. It would number
    this task's GPUs from 0, so they are named explicitly."""
    hosts = r"\n".join(f"{one.name} slots={_CARDS}" for one in gang.seats)
    usual = ",".join(map(str, range(seat.processes)))
    mine = f'{seat.name}:$(echo "${{CUDA_VISIBLE_DEVICES:-{usual}}}" | cut -d, -f1-{seat.processes})'
    others = [
        f"{one.name}:{','.join(map(str, range(one.processes)))}"
        for one in gang.seats
        if one.name != seat.name
    ]
    return (
        f'hosts=$(mktemp) && printf \'{hosts}\\n\' > "$hosts" && {program} --hostfile "$hosts" --no_ssh '
        f"--node_rank {seat.rank} --master_addr {gang.first.host} --master_port {gang.first.port} "
        f'--include "{"@".join([*others, mine])}"'
    )
