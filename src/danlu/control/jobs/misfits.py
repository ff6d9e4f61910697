"""Why jobs of a size would never start: what no node has, no pool serves, or no rule allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from danlu.domain.job import JobClass
from danlu.domain.node import Node
from danlu.domain.quantity import show_amount, show_milli, show_size
from danlu.domain.reasons.base import amount_in_chinese
from danlu.domain.resources import Resources
from danlu.domain.rules import ENGINE_LABEL, GPUS, KUBERNETES, Flavor, Project
from danlu.domain.words import Words
from danlu.scheduler import Ask, Rules, could_ever_start
from danlu.scheduler.board import lanes
from danlu.scheduler.cluster import Cluster
from danlu.scheduler.shares import concerns

CLASSES_IN_CHINESE = {
    JobClass.WORKSPACE: "工作台",
    JobClass.SINGLE: "单机训练",
    JobClass.DISTRIBUTED: "多机训练",
    JobClass.SERVICE: "服务",
}
_NO_NODES = Words("there are no nodes", "没有节点")
_NOT_LABELLED = Words("no node is labelled {labels}", "没有节点带有标签 {labels}")
_NO_SUCH_GPU = Words("no node has the GPU it asks for ({model})", "没有节点配有所需的 GPU（{model}）")
_WHOLE_ONLY = Words(
    "a share of a GPU is not to be had: the nodes with GPUs are Kubernetes', which gives whole ones",
    "无法使用部分 GPU：配有 GPU 的节点均属于 Kubernetes，只能整卡分配",
)
_NO_POOL = Words(
    "no pool that serves {english} jobs has a node that could hold it",
    "面向{chinese}的节点池中没有节点能容纳",
)
_NOT_ALL_OF_IT = Words(
    "no node has all of it: {gpus} GPUs, {cpus} CPUs and {memory}",
    "没有节点同时具备 {gpus} 卡、{cpus} 核 CPU 和 {memory} 内存",
)
_TOO_MANY = Words(
    "{count} tasks of this size are more than the nodes of one cluster can hold",
    "{count} 个这样的子任务超出了单个集群的总容量",
)

Selector = tuple[tuple[str, str], ...]


class Misfits:
    """Holds asks of equal tasks against all nodes, idle, and against what rules allow one person at most."""

    def __init__(self, idle: Cluster, rules: Rules, owner: str) -> None:
        self._idle, self._rules, self._owner = idle, rules, owner
        self._known: dict[Selector, list[Node]] = {}

    def why(self, project: Project, ask: Ask) -> Words | None:
        """None if such a job may start one day."""
        if not could_ever_start(self._idle, ask):
            return self._too_large(ask)
        return next(self._forbidden(project, ask), None)

    def _too_large(self, ask: Ask) -> Words:
        (part,) = ask.gangs[0]
        nodes = self._alike(ask.selector)
        if not nodes:
            labels = ", ".join(f"{key}={value}" for key, value in ask.selector)
            return _NOT_LABELLED.fill(labels=labels) if labels else _NO_NODES
        if larger := _larger_than_any(part.size, nodes):
            return larger
        served = [node for node in nodes if self._serves(node, ask.job_class)]
        if not any(_holds(node, part.size) for node in served):
            if any(_holds(node, part.size) for node in nodes):
                chinese = CLASSES_IN_CHINESE[ask.job_class]
                return _NO_POOL.fill(english=ask.job_class.value, chinese=chinese)
            return _NOT_ALL_OF_IT.fill(**_shown(part.size))
        return _TOO_MANY.fill(count=part.minimum)

    def _alike(self, selector: Selector) -> list[Node]:
        """The nodes with these labels, one for all that are alike in what matters here."""
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
        """What is more than a cap or limit leaves even when nothing else is held, whatever the GPU model."""
        models = [lane[0] for lane in lanes(self._idle, ask.models, ask.job_class)]
        amounts = [ask.amounts(model) for model in models]
        for one in dict.fromkeys((project.name, project.account)):
            for resource, cap in sorted(self._rules.project(one).cap.items()):
                least = min(amount.get(resource, 0) for amount in amounts)
                if least > cap:
                    yield Words(
                        f"project {one} may hold {show_amount(resource, cap)} at most, and this is "
                        f"{show_amount(resource, least)}",
                        f"项目组 {one} 最多可占用 {amount_in_chinese(resource, cap)}，而这需要 "
                        f"{amount_in_chinese(resource, least)}",
                    )
        gpus = min(amount.get(GPUS, 0) for amount in amounts)
        for limit in self._rules.limits:
            bound = limit.gpu_milli
            mine = concerns(limit, self._rules, self._owner, project.name, ask.job_class)
            if mine and bound is not None and gpus > bound:
                yield Words(
                    "limit {limit} allows {bound} GPUs at most, and this is {gpus}",
                    "限额 {limit} 最多允许 {bound} 卡，而这需要 {gpus} 卡",
                ).fill(limit=limit.name, bound=show_milli(bound), gpus=show_milli(gpus))


def for_others(flavor: Flavor) -> Words:
    return Words(
        f"it is for {', '.join(flavor.classes)} jobs",
        f"仅用于{'、'.join(CLASSES_IN_CHINESE[one] for one in flavor.classes)}",
    )


def no_member(project: Project) -> Words:
    return Words("you are no member of project {project}", "您不是项目组 {project} 的成员").fill(
        project=project.name
    )


def no_priority(project: Project) -> Words:
    return Words(
        "no priority class is open to you in project {project}", "项目组 {project} 没有对您开放的优先级"
    ).fill(project=project.name)


def _larger_than_any(size: Resources, nodes: Sequence[Node]) -> Words | None:
    """What no single node has, of those with the right GPUs."""
    fitting = [node for node in nodes if _right_cards(node, size)]
    if not fitting:
        share = any(node.gpus for node in nodes) and size.gpu_milli % 1000
        return _WHOLE_ONLY if share and not size.models else _NO_SUCH_GPU.fill(model=size.gpu_model or "GPU")
    bounds = (
        (size.gpu_milli, max(1000 * len(node.gpus) for node in fitting), "GPUs", "卡", show_milli),
        (size.cpu_milli, max(node.cpu_milli for node in fitting), "CPUs", "核 CPU", show_milli),
        (size.memory, max(node.memory for node in fitting), "of memory", "内存", show_size),
    )
    for wanted, most, english, chinese, show in bounds:
        if wanted > most:
            return Words(
                f"{show(wanted)} {english} is more than any such node has ({show(most)})",
                f"{show(wanted)} {chinese}超过任何此类节点的容量（{show(most)}）",
            )
    return None


def _right_cards(node: Node, size: Resources) -> bool:
    if not size.gpu_milli:
        return True
    whole = size.gpu_milli % 1000 == 0 or node.labels.get(ENGINE_LABEL) != KUBERNETES
    return bool(node.gpus) and whole and (not size.models or node.gpu_model in size.models)


def _holds(node: Node, size: Resources) -> bool:
    enough = node.cpu_milli >= size.cpu_milli and node.memory >= size.memory
    return enough and 1000 * len(node.gpus) >= size.gpu_milli and _right_cards(node, size)


def _shown(size: Resources) -> dict[str, str]:
    return {
        "gpus": show_milli(size.gpu_milli),
        "cpus": show_milli(size.cpu_milli),
        "memory": show_size(size.memory),
    }
