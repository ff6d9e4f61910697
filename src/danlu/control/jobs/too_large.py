"""Errors for requests larger than the idle nodes, at their place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from danlu.control.jobs.sizes import Beyond, NoSuchGpu, WholeOnly, lacking, too_many
from danlu.control.jobs.unserved import place_of_size
from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.words import NOTHING, Words, listed, say
from danlu.files.mistakes import Loc, did_you_mean
from danlu.scheduler.cluster import AllNodes

_FEWER = Words("request fewer", "请减少数量")


def larger_than_any(
    role: Role, place: int, nodes: Sequence[Node], data: Mapping[str, Any], labels: Words = NOTHING
) -> Iterator[FieldError]:
    """What no single node has of a role's task, among nodes with the required `labels`."""
    labelled = (
        say(" with the labels {labels}", "带有标签 {labels} 的", labels=labels) if labels.en else NOTHING
    )
    root = place_of_size(place, data)
    for lack in lacking(role.resources, nodes):
        match lack:
            case NoSuchGpu():
                yield _no_such_gpu(lack, role, (*root, "gpu"), labelled)
            case WholeOnly(gpu_milli):
                share = show_milli(gpu_milli)
                text = say(
                    "{share} of a GPU is not available: these GPUs belong to Kubernetes, which allocates whole GPUs",
                    "{share} 卡：这些 GPU 属于 Kubernetes，只能整卡分配",
                    share=share,
                )
                hint = Words("request whole GPUs", "请申请整卡")
                yield FieldError((*root, "gpus"), "out_of_range", text, share, hint=hint)
            case Beyond(resource, wanted, most):
                show = show_size if resource == "memory" else show_milli
                text = say(
                    "{wanted} is more than any node{labelled} has ({most})",
                    "{wanted} 超过了任何{labelled}节点的容量（{most}）",
                    wanted=show(wanted),
                    labelled=labelled,
                    most=show(most),
                )
                several = _several(wanted, most) if resource == "gpus" and len(root) == 1 else None
                yield FieldError((*root, resource), "out_of_range", text, show(wanted), show(most), several)


def _several(wanted: int, most: int) -> Words | None:
    """How to get GPUs of several nodes: each task has those of one."""
    if not most:
        return None
    nodes = -(-wanted // most)
    if wanted % (1000 * nodes):
        return Words(
            "a task runs on one node: use nodes: auto, which divides the total",
            "一个子任务只在一个节点上运行：请用 nodes: auto，由丹炉划分总数",
        )
    return say(
        "a task runs on one node: use nodes: {nodes} with gpus: {each}, or nodes: auto with the total",
        "一个子任务只在一个节点上运行：请写 nodes: {nodes} 和 gpus: {each}，或用 nodes: auto 填写总数",
        nodes=nodes,
        each=show_milli(wanted // nodes),
    )


def _no_such_gpu(lack: NoSuchGpu, role: Role, loc: Loc, labelled: Words) -> FieldError:
    there = say("there are {models}", "现有 {models}", models=listed(lack.there))
    if not lack.there:
        no_gpu = Words("no node has a GPU", "没有节点配有 GPU")
        there = Words("no such node has a GPU", "这些节点都没有 GPU") if labelled.en else no_gpu
    text = say(
        "no node{labelled} has GPU model '{model}' ({there})",
        "没有{labelled}节点配有型号为“{model}”的 GPU（{there}）",
        labelled=labelled,
        model=lack.models[0],
        there=there,
    )
    hint = did_you_mean(lack.models[0], lack.there)
    return FieldError(loc, "no_such_gpu", text, role.resources.gpu_model, list(lack.there), hint)


def too_many_tasks(spec: JobSpec, cluster: AllNodes, data: Mapping[str, Any]) -> FieldError:
    """Every task fits somewhere, but not all of the minimum at once, or not in one cluster."""
    if spec.total:
        gpus = show_milli(spec.roles[0].resources.gpu_milli)
        nodes, one_cluster = Words("the nodes", "所有节点"), Words("any one cluster", "任何一个集群")
        text = say(
            "{gpus} GPUs are more than {whose} can provide, however they are divided",
            "无论如何划分，{gpus} 卡都超过了{whose}的容量",
            gpus=gpus,
            whose=one_cluster if cluster.clusters else nodes,
        )
        return FieldError(("resources", "gpus"), "out_of_range", text, gpus, hint=_FEWER)
    found = too_many(spec, cluster)
    loc: Loc = ("roles", found.place, "replicas") if "roles" in data else ("nodes",)
    text = say(
        "all nodes together have room for {fit} tasks of this size, not {count}",
        "{count} 个这样的子任务超过了所有节点的总容量（{fit} 个）",
        count=found.count,
        fit=found.fit,
    )
    if found.clusters:
        (first, best), *others = found.clusters
        english = ", ".join([f"{first} has room for {best}", *(f"{name} {fit}" for name, fit in others)])
        chinese = "，".join(f"{name} 可容纳 {fit} 个" for name, fit in found.clusters)
        text = say(
            "no single cluster has room for all {count} tasks of this size: {clusters}",
            "没有一个集群能容纳全部 {count} 个这样的子任务：{clusters}",
            count=found.count,
            clusters=Words(english, chinese),
        )
    hint = Words("request fewer or smaller tasks", "请减少子任务数量或缩小规格")
    return FieldError(loc, "out_of_range", text, found.count, found.fit, hint)
