"""Why jobs of a size would never start: what no node has, no pool serves, or no rule allows."""

from __future__ import annotations

from collections.abc import Iterator

from danlu.control.jobs.sizes import Beyond, Lack, NoSuchGpu, WholeOnly, holds, lacking
from danlu.domain.job import JobClass
from danlu.domain.node import Node
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.resources import Resources
from danlu.domain.rules import CPUS, ENGINE_LABEL, GPUS, MEMORY, Flavor, Project
from danlu.domain.terms import amount_said, class_said
from danlu.domain.words import Words, listed, say
from danlu.scheduler import Ask, Rules, could_ever_start
from danlu.scheduler.board import lanes
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.shares import concerns

_NO_NODES = Words("there are no nodes", "没有节点")
_NOT_LABELLED = Words("no node has the labels {labels}", "没有节点带有标签 {labels}")
_NO_SUCH_GPU = Words("no node has the requested GPU model ({model})", "没有节点配有所需的 GPU（{model}）")
_NO_GPU = Words("no node has a GPU", "没有节点配有 GPU")
_WHOLE_ONLY = Words(
    "GPU shares are not available: these nodes belong to Kubernetes, which allocates whole GPUs",
    "不能申请不足一卡的 GPU：这些节点属于 Kubernetes，只能整卡分配",
)
_BEYOND = {
    GPUS: Words(
        "{wanted} GPUs is more than any such node has ({most})", "{wanted} 卡超过任何此类节点的容量（{most}）"
    ),
    CPUS: Words(
        "{wanted} CPUs is more than any such node has ({most})",
        "{wanted} 核 CPU 超过任何此类节点的容量（{most}）",
    ),
    MEMORY: Words(
        "{wanted} of memory is more than any such node has ({most})",
        "{wanted} 内存超过任何此类节点的容量（{most}）",
    ),
}
_NO_POOL = Words(
    "no pool that serves {job_class} jobs has a node large enough",
    "面向{job_class}的资源池中没有节点能容纳",
)
_NOT_ALL_OF_IT = Words(
    "no node has {gpus} GPUs, {cpus} CPUs and {memory} together",
    "没有节点同时具备 {gpus} 卡、{cpus} 核 CPU 和 {memory} 内存",
)
_TOO_MANY = Words(
    "no single cluster has room for {count} tasks of this size",
    "{count} 个这样的子任务超出了单个集群的总容量",
)

Selector = tuple[tuple[str, str], ...]


class Misfits:
    """Checks requests of equal tasks against all nodes as if idle, and against the rules for one person."""

    def __init__(self, idle: AllNodes, rules: Rules, owner: str) -> None:
        self._idle, self._rules, self._owner = idle, rules, owner
        self._known: dict[Selector, list[Node]] = {}

    def why(self, project: Project, ask: Ask) -> Words | None:
        """Why such a job could never start; None if it could."""
        if not could_ever_start(self._idle, ask):
            return self._too_large(ask)
        return next(self._forbidden(project, ask), None)

    def _too_large(self, ask: Ask) -> Words:
        (part,) = ask.gangs[0]
        nodes = self._alike(ask.selector)
        if not nodes:
            labels = listed(f"{key}={value}" for key, value in ask.selector)
            return _NOT_LABELLED.fill(labels=labels) if ask.selector else _NO_NODES
        if lack := next(lacking(part.size, nodes), None):
            return _in_words(lack)
        served = [node for node in nodes if self._serves(node, ask.job_class)]
        if not any(holds(node, part.size) for node in served):
            if any(holds(node, part.size) for node in nodes):
                return _NO_POOL.fill(job_class=class_said(ask.job_class))
            return _NOT_ALL_OF_IT.fill(**_shown(part.size))
        return _TOO_MANY.fill(count=part.minimum)

    def _alike(self, selector: Selector) -> list[Node]:
        """The nodes with these labels; of nodes that are equal for this purpose only one."""
        if selector not in self._known:
            found: dict[object, Node] = {}
            for node in self._idle.nodes:
                if all(node.labels.get(label) == value for label, value in selector):
                    engine = node.labels.get(ENGINE_LABEL)
                    size = (node.gpu_model, len(node.gpus), node.cpu_milli, node.memory)
                    found.setdefault((*size, node.pool, engine), node)
            self._known[selector] = list(found.values())
        return self._known[selector]

    def _serves(self, node: Node, job_class: JobClass) -> bool:
        pool = self._idle.pools.get(node.pool)
        return pool is None or pool.serves(job_class)

    def _forbidden(self, project: Project, ask: Ask) -> Iterator[Words]:
        """Why a cap or limit forbids it even when nothing else runs, whatever the GPU model."""
        models = [lane[0] for lane in lanes(self._idle, ask.models, ask.job_class)]
        amounts = [ask.amounts(model) for model in models]
        for one in dict.fromkeys((project.name, project.account)):
            for resource, cap in sorted(self._rules.project(one).cap.items()):
                least = min(amount.get(resource, 0) for amount in amounts)
                if least > cap:
                    yield say(
                        "project {project} may use at most {cap}, and this would be {asked}",
                        "项目组 {project} 最多可占用 {cap}，而此处需要 {asked}",
                        project=one,
                        cap=amount_said(resource, cap),
                        asked=amount_said(resource, least),
                    )
        gpus = min(amount.get(GPUS, 0) for amount in amounts)
        for limit in self._rules.limits:
            bound = limit.gpu_milli
            mine = concerns(limit, self._rules, self._owner, project.name, ask.job_class)
            if mine and bound is not None and gpus > bound:
                yield Words(
                    "limit {limit} allows at most {bound} GPUs, and this would be {gpus}",
                    "限额 {limit} 最多允许 {bound} 卡，而此处需要 {gpus} 卡",
                ).fill(limit=limit.name, bound=show_milli(bound), gpus=show_milli(gpus))


def for_others(flavor: Flavor) -> Words:
    classes = listed(class_said(one) for one in flavor.classes)
    return say("it is for {classes} jobs", "仅用于{classes}", classes=classes)


def no_member(project: Project) -> Words:
    return Words("you are not a member of project {project}", "你不是项目组 {project} 的成员").fill(
        project=project.name
    )


def no_priority(project: Project) -> Words:
    return Words(
        "you may not use any priority class in project {project}", "项目组 {project} 没有对你开放的优先级"
    ).fill(project=project.name)


def _in_words(lack: Lack) -> Words:
    match lack:
        case NoSuchGpu(models):
            return _NO_SUCH_GPU.fill(model="|".join(models))
        case WholeOnly():
            return _WHOLE_ONLY
        case Beyond(resource, wanted, most):
            if resource == GPUS and not most:
                return _NO_GPU
            show = show_size if resource == MEMORY else show_milli
            return _BEYOND[resource].fill(wanted=show(wanted), most=show(most))


def _shown(size: Resources) -> dict[str, str]:
    return {
        "gpus": show_milli(size.gpu_milli),
        "cpus": show_milli(size.cpu_milli),
        "memory": show_size(size.memory),
    }
