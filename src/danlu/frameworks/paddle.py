"""PaddlePaddle: its launcher in every task, which finds the others at the first one."""

from __future__ import annotations

from danlu.domain.words import Words
from danlu.frameworks.base import ON_LOSS, WORKERS, Framework, Gang, Given, Seat, Strategy
from danlu.frameworks.launch import by_module


class Paddle(Framework):
    """The launcher reads its options from variables, and gives each process it starts its rank."""

    name = "paddle"
    label = Words("PaddlePaddle", "飞桨 PaddlePaddle")
    about = Words(
        "paddle.distributed.launch starts one process per GPU in every task; `python train.py` is run by it.",
        "paddle.distributed.launch 在每个子任务中为每张 GPU 启动一个进程；`python train.py` 由它运行。",
    )
    strategies = (
        Strategy(
            "all-reduce",
            Words("All-reduce", "All-Reduce"),
            Words(
                "All workers keep the same model and average their gradients.",
                "所有 worker 保持相同的模型并对梯度求平均。",
            ),
            (WORKERS,),
            processes=True,
            on=ON_LOSS,
        ),
    )

    def given(self, gang: Gang, seat: Seat) -> Given:
        env = {
            "PADDLE_MASTER": f"{gang.first.host}:{gang.first.port}",
            "PADDLE_NNODES": str(len(gang.seats)),
            "PADDLE_RANK": str(seat.rank),
            "PADDLE_NPROC_PER_NODE": str(seat.processes),
            "PADDLE_JOB_ID": gang.id,
            # The launcher at this very address serves the others.
            "POD_IP": seat.host,
        }
        if not seat.gpus:
            env["PADDLE_DISTRI_BACKEND"] = "gloo"
            # An empty list of cards counts as one card there. This makes it look for itself, and CUDA shows it none.
            env["CUDA_VISIBLE_DEVICES"] = "all"
        return Given(env, by_module("paddle.distributed.launch", seat.command))
