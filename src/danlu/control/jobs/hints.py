"""What seems to slow a training down, judged by the utilisation of its GPUs and CPUs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from danlu.domain.words import Words

MEASURED_FOR = 60_000
"""Milliseconds; before that a training may still be starting."""
GPU_LOW, GPU_IDLE = 50.0, 15.0
"""Utilisation in percent: below the first a GPU waits for something, below the second it is almost idle."""
CPU_FULL, CPU_IDLE = 0.85, 0.15
"""Share of a task's CPUs in use: from the first on they are the bottleneck, below the second they wait too."""

_CPUS_FULL = Words(
    "The GPUs are {busy} % busy and the CPUs are at their limit: the GPUs are waiting for data. Request more CPUs, "
    "or do less work per sample (decode and resize beforehand).",
    "GPU 利用率仅 {busy}%，而 CPU 已满载：GPU 在等待数据。请申请更多 CPU，或减少每个样本的处理量（如预先解码、缩放）。",
)
_FEW_WORKERS = Words(
    "The GPUs are {busy} % busy and the CPUs are not fully used: the GPUs seem to wait for data. Try more "
    "data-loader workers, or larger batches.",
    "GPU 利用率仅 {busy}%，而 CPU 仍有余量：GPU 似乎在等待数据。请尝试增加数据加载进程数，或增大 batch size。",
)
_BOTH_IDLE = Words(
    "The GPUs ({busy} % busy) and CPUs are nearly idle: the training seems to wait for the network, the disk or "
    "another task. Check the log, where the data is stored, and the other tasks.",
    "GPU（利用率 {busy}%）和 CPU 几乎空闲：训练似乎在等待网络、磁盘或其他子任务。"
    "请查看日志、数据所在位置和其他子任务。",
)


@dataclass(frozen=True, slots=True)
class Load:
    """The load of one task over this many milliseconds: GPUs in percent, CPUs as a share of what it was given; None if
    not measured."""

    gpu: float | None
    cpu: float | None
    over: int


def hint(loads: Sequence[Load]) -> Words | None:
    """The hint, or None if all seems well or too little is known; judged by the task with the least busy GPUs."""
    known = [load for load in loads if load.gpu is not None and load.over >= MEASURED_FOR]
    if not known:
        return None
    worst = min(known, key=lambda load: load.gpu or 0.0)
    busy, cpu = worst.gpu or 0.0, worst.cpu
    if busy >= GPU_LOW or cpu is None:
        return None
    if cpu >= CPU_FULL:
        return _CPUS_FULL.fill(busy=round(busy))
    if busy < GPU_IDLE and cpu < CPU_IDLE:
        return _BOTH_IDLE.fill(busy=round(busy))
    return _FEW_WORKERS.fill(busy=round(busy))
