"""TensorFlow: every task reads in TF_CONFIG who the others are and which of them it is."""

from __future__ import annotations

import json

from danlu.domain.words import Words
from danlu.frameworks.base import ON_LOSS, WORKERS, Framework, Gang, Given, RoleShape, Seat, Strategy

_EVALUATOR = RoleShape(
    "evaluator",
    Words(
        "evaluates the checkpoints that the others save, until they are done",
        "评估其他角色保存的检查点，直到训练结束",
    ),
    least=0,
    most=1,
    serves=True,
)
_FIRST = RoleShape(
    "chief",
    Words(
        "a worker that also saves and exports the model; without it, worker 0 does",
        "同时负责保存与导出的 worker；没有时由 0 号 worker 负责",
    ),
    least=0,
    most=1,
)
_COORDINATOR = RoleShape(
    "chief",
    Words("runs the training program and hands out the work", "运行训练程序并分派工作"),
    most=1,
    gpus=False,
)
_PS = RoleShape(
    "ps",
    Words("keeps a part of the parameters", "保存一部分参数"),
    gpus=False,
    serves=True,
    one_for=4,
    usual=Words("one for every 4 workers is usual", "通常每 4 个 worker 配 1 个"),
)
# Its program is a server that the chief sends work to and that never ends by itself.
_SERVING_WORKERS = RoleShape(
    "worker",
    Words("computes the steps that the chief hands out", "计算 chief 分派的工作"),
    serves=True,
    usual=WORKERS.usual,
)


class TensorFlow(Framework):
    """The command stays as it is: `tf.distribute` finds TF_CONFIG by itself."""

    name = "tensorflow"
    label = Words("TensorFlow", "TensorFlow")
    about = Words(
        "Every task gets a TF_CONFIG with the addresses of all tasks and its own role and index.",
        "每个子任务都会得到 TF_CONFIG，其中包含所有子任务的地址以及它自身的位置。",
    )
    strategies = (
        Strategy(
            "all-reduce",
            Words("All-reduce", "All-Reduce"),
            Words(
                "MultiWorkerMirroredStrategy: all workers keep the same model and average their gradients.",
                "MultiWorkerMirroredStrategy：所有 worker 保持相同的模型并对梯度求平均。",
            ),
            (_FIRST, WORKERS, _EVALUATOR),
            on=ON_LOSS,
        ),
        Strategy(
            "ps",
            Words("Parameter server", "参数服务器"),
            Words(
                "ParameterServerStrategy: ps tasks hold the model; each worker computes the steps that the chief "
                "hands out, at its own pace. The job completes when the chief completes.",
                "ParameterServerStrategy：ps 保存模型，各 worker 按自己的速度计算 chief 分派的工作。"
                "chief 完成时任务即完成。",
            ),
            (_COORDINATOR, _PS, _SERVING_WORKERS, _EVALUATOR),
            on=ON_LOSS,
        ),
    )

    def given(self, gang: Gang, seat: Seat) -> Given:
        cluster: dict[str, list[str]] = {}
        for one in gang.of("chief", "worker", "ps"):  # evaluators look on from outside
            cluster.setdefault(one.role, []).append(f"{one.host}:{one.port}")
        task = {"type": seat.role, "index": seat.index}
        config = json.dumps({"cluster": cluster, "task": task}, ensure_ascii=False)
        return Given({"TF_CONFIG": config}, seat.command)
