"""PyTorch: torchrun on every task, which finds the others at the first one."""

from __future__ import annotations

from danlu.domain.job import Remedy, Trouble
from danlu.domain.words import Words
from danlu.frameworks.base import (
    ON_LOSS,
    WORKERS,
    Framework,
    Gang,
    Given,
    NeededPackage,
    RoleShape,
    Seat,
    Strategy,
)
from danlu.frameworks.launch import through

_MASTER = RoleShape(
    "master",
    Words("the first worker, which the others connect to", "第一个 worker，其他 worker 在此会合"),
    least=0,
    most=1,
)


class PyTorch(Framework):
    """torchrun reads its options from variables, so that a bare `torchrun train.py` needs none."""

    name = "pytorch"
    label = Words("PyTorch", "PyTorch")
    needs = NeededPackage("torch", "torch")
    about = Words(
        "torchrun starts one process per GPU in every task; `python train.py` is run by it.",
        "torchrun 在每个子任务中为每张 GPU 启动一个进程；`python train.py` 由它运行。",
    )
    strategies = (
        Strategy(
            "all-reduce",
            Words("All-reduce", "All-Reduce"),
            Words(
                "All workers keep the same model and average their gradients.",
                "所有 worker 保持相同的模型并对梯度求平均。",
            ),
            (_MASTER, WORKERS),
            processes=True,
            on=ON_LOSS,
        ),
        Strategy(
            "elastic",
            Words("Elastic", "弹性"),
            Words(
                "Like all-reduce, but training continues with fewer workers, down to `min`, and new workers can "
                "join.",
                "同 All-Reduce，且可在 worker 减少（不低于 `min`）时继续训练，并接纳新的 worker。",
            ),
            (WORKERS,),
            processes=True,
            elastic=True,
            on={
                **ON_LOSS,
                Trouble.NODE_LOST: Remedy.IGNORE,
                Trouble.TASK_FAILED: Remedy.IGNORE,
                Trouble.EVICTED: Remedy.REQUEUE,
            },
        ),
    )

    def given(self, gang: Gang, seat: Seat) -> Given:
        first = gang.first
        env = {
            "MASTER_ADDR": first.host,
            "MASTER_PORT": str(first.port),
            "WORLD_SIZE": str(len(gang.seats)),
            "RANK": str(seat.rank),
            "PET_NPROC_PER_NODE": str(seat.processes),
            "PET_NODE_RANK": str(seat.rank),
            "OMP_NUM_THREADS": str(seat.threads),
        }
        if gang.strategy == "elastic":
            meeting = {
                "PET_NNODES": f"{gang.least}:{gang.most}",
                "PET_RDZV_BACKEND": "c10d",
                "PET_RDZV_ENDPOINT": f"{first.host}:{first.port}",
                "PET_RDZV_ID": gang.id,
                "PET_RDZV_CONF": f"is_host={int(seat.rank == 0)},last_call_timeout=5",
                "PET_MAX_RESTARTS": str(max(gang.restarts, 3)),
                # With the store shared, the first worker tells nobody of itself in later rounds; new ones would wait.
                "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1",
            }
        else:
            meeting = {
                "PET_NNODES": str(len(gang.seats)),
                "PET_MASTER_ADDR": first.host,
                "PET_MASTER_PORT": str(first.port),
            }
        return Given({**env, **meeting}, through("torchrun", seat.command))
