"""Suggestions for a valid job file; they never cause a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from danlu.control.jobs.training import WORKER, place_of, place_of_gpus, usual_count, workers_of
from danlu.domain.job import JobSpec, Kind, Role
from danlu.domain.quantity import time_said
from danlu.domain.words import Words
from danlu.files.mistakes import Loc
from danlu.frameworks.base import Framework, Strategy
from danlu.frameworks.catalog import framework, strategy
from danlu.frameworks.launch import inline

_FEW = 8
"""Up to this many GPU workers, parameter servers are usually slower than all-reduce."""
_LONG = 3_600_000


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggestion for one place of the job file."""

    loc: Loc
    text: Words


def advice(spec: JobSpec, data: Mapping[str, Any]) -> Iterator[Advice]:
    """Suggestions for a completed specification without errors."""
    if spec.kind is not Kind.TRAINING:
        return
    known = framework(spec.framework)
    chosen = strategy(known, spec.strategy)
    yield from _servers(spec, known, chosen)
    yield from _elastic(spec, chosen, data)
    for place, role in enumerate(spec.roles):
        yield from _cards(spec, chosen, role, place, data)
        yield from _inline(chosen, role, place, data)
    yield from _checkpoint(spec)


def _servers(spec: JobSpec, known: Framework, chosen: Strategy) -> Iterator[Advice]:
    """Parameter servers pay off when workers are many, slow or far apart."""
    workers = workers_of(spec)
    with_gpus = any(role.name == WORKER and role.resources.gpu_milli for role in spec.roles)
    other = next((one for one in known.strategies if not any(shape.one_for for shape in one.roles)), None)
    for place, role in enumerate(spec.roles):
        shape = chosen.role(role.name)
        if shape is None or shape.one_for is None:
            continue
        if with_gpus and workers <= _FEW and other is not None:
            few = "there is only 1 GPU worker" if workers == 1 else f"there are only {workers} GPU workers"
            text = Words(
                "{few}: {other} usually trains faster, because gradients go directly from GPU to GPU instead of "
                "through the {role} tasks",
                "只有 {workers} 个 GPU worker：通常 {other} 训练更快，因为梯度在 GPU 之间直接传递，而不经过 {role}",
            )
            yield Advice(("strategy",), text.fill(few=few, workers=workers, other=other.name, role=role.name))
        usual = usual_count(shape, workers)
        if role.replicas > 2 * usual:
            text = Words(
                "{count} {role} tasks are many for {workers} workers: {usual} would be enough",
                "{workers} 个 worker 配 {count} 个 {role} 偏多：{usual} 个即可",
            )
            loc = ("roles", place, "replicas")
            yield Advice(loc, text.fill(count=role.replicas, role=role.name, workers=workers, usual=usual))


def _elastic(spec: JobSpec, chosen: Strategy, data: Mapping[str, Any]) -> Iterator[Advice]:
    if not chosen.elastic:
        return
    for place, role in enumerate(spec.roles):
        if role.min == role.replicas > 1:
            text = Words(
                "the job continues with fewer workers only down to min, which is now all {count}: set for example "
                "min: {half}",
                "worker 最少只能减到 min，而现在 min 等于全部 {count} 个：可写 min: {half}",
            )
            half = -(-role.replicas // 2)
            yield Advice(place_of("min", place, data), text.fill(count=role.replicas, half=half))


def _cards(
    spec: JobSpec, chosen: Strategy, role: Role, place: int, data: Mapping[str, Any]
) -> Iterator[Advice]:
    size = role.resources
    if size.gpu_milli % 1000 and chosen.name and workers_of(spec) > 1 and not spec.total:
        text = Words(
            "with GPU shares, two workers may get the same GPU, which NCCL does not support: request whole GPUs",
            "申请不足一卡时，两个 worker 可能分到同一张卡，而 NCCL 不支持这种用法：请申请整卡",
        )
        yield Advice(place_of_gpus(place, data), text)
    idle = size.whole_gpus - (role.processes or size.whole_gpus)
    if chosen.processes and idle > 0 and not spec.total:
        text = Words(
            "{idle} of {gpus} GPUs in each task have no process: leave processes out to get one per GPU",
            "每个子任务的 {gpus} 张 GPU 中有 {idle} 张没有进程使用：去掉 processes 即每张 GPU 一个",
        )
        yield Advice(place_of("processes", place, data), text.fill(idle=idle, gpus=size.whole_gpus))


def _inline(chosen: Strategy, role: Role, place: int, data: Mapping[str, Any]) -> Iterator[Advice]:
    several = max(role.replicas, role.processes or role.resources.whole_gpus) > 1
    if chosen.processes and several and inline(role.command):
        text = Words(
            "Danlu runs `python -c` as is, without the framework's launcher, so each task has at most one process: "
            "put the code in a file, or call the launcher yourself",
            "`python -c` 会原样运行而不经过启动器，因此每个子任务最多只有一个进程：请把代码放进文件，或自行调用启动器",
        )
        yield Advice(place_of("command", place, data), text)


def _checkpoint(spec: JobSpec) -> Iterator[Advice]:
    long = spec.expected_time or 0
    if spec.checkpoint.path is None and long >= _LONG and (spec.preemptible or spec.restarts):
        text = Words(
            "it may run for {time} and be restarted on other nodes: save checkpoints, and set a checkpoint.path "
            "that all nodes can reach",
            "任务可能运行 {time}，也可能换节点重启：请保存检查点，并将 checkpoint.path 设为所有节点都能访问的路径",
        )
        yield Advice(("checkpoint", "path"), text.fill(time=time_said(long)))
