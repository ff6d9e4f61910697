"""Which tasks use which GPUs in a state file: defaults filled in, and nothing used twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.terms import no_such
from danlu.domain.words import Words, listed, say
from danlu.files.mistakes import Loc, did_you_mean
from danlu.files.state_file import TaskPart
from danlu.scheduler import Assigned

WHOLE = 1000


@dataclass(frozen=True, slots=True)
class WrittenTask:
    """A task of the state file, and its place in the file."""

    loc: Loc
    part: TaskPart
    role: str
    index: int
    size: Resources


def written_tasks(
    loc: Loc, parts: list[TaskPart], spec: JobSpec
) -> tuple[list[WrittenTask], list[FieldError]]:
    """The tasks of a job by role and index, with missing ones filled in."""
    roles = {role.name: role for role in _roles(spec, len(parts))}
    taken: dict[str, set[int]] = defaultdict(set)
    found, errors = [], []
    for place, part in enumerate(parts):
        at = (*loc, place)
        named, _, number = (part.task or "").rpartition("-")
        name = (
            part.role or named or next((one for one in roles if len(taken[one]) < roles[one].replicas), None)
        )
        if name is None:
            most = sum(role.replicas for role in roles.values())
            message = say("the job has {most} task(s) at most", "该任务最多有 {most} 个子任务", most=most)
            errors.append(FieldError(at, "out_of_range", message, bound=most))
            break
        if name not in roles:
            message = say("there is no role '{name}'", "没有名为“{name}”的角色", name=name)
            hint = did_you_mean(name, list(roles))
            errors.append(FieldError((*at, "role"), "no_such_role", message, name, hint=hint))
            continue
        role = roles[name]
        index = part.index if part.index is not None else int(number) if number.isdigit() else None
        if index is None:
            index = next((one for one in range(role.replicas) if one not in taken[name]), role.replicas)
        wrong = _wrong_index((*at, "index"), index, role, taken[name])
        if wrong is not None:
            errors.append(wrong)
        else:
            taken[name].add(index)
            found.append(WrittenTask(at, part, name, index, role.resources))
    return found, errors


def _wrong_index(loc: Loc, index: int, role: Role, taken: set[int]) -> FieldError | None:
    if index >= role.replicas:
        message = say(
            "there is no task {name}-{index}: the role has {replicas} task(s)",
            "没有子任务 {name}-{index}：该角色有 {replicas} 个子任务",
            name=role.name,
            index=index,
            replicas=role.replicas,
        )
        return FieldError(loc, "out_of_range", message, index, role.replicas - 1)
    if index in taken:
        message = say(
            "{name}-{index} appears twice here", "{name}-{index} 重复出现", name=role.name, index=index
        )
        return FieldError(loc, "duplicate", message, index)
    return None


def _roles(spec: JobSpec, tasks: int) -> tuple[Role, ...]:
    """The roles of a job that has so many tasks: where the scheduler divides, their number says how."""
    return (
        next((shape for shape in spec.shapes() if shape[0].replicas == tasks), spec.roles)
        if spec.total
        else spec.roles
    )


class HeldNodes:
    """Current use of the nodes. Tasks that name their GPUs come first, whatever the file's order."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes
        self._cards: dict[tuple[str, int], int] = defaultdict(int)
        self._cpus: dict[str, int] = defaultdict(int)
        self._memory: dict[str, int] = defaultdict(int)
        self.errors: list[FieldError] = []

    def take(self, written: WrittenTask) -> Assigned | None:
        """Place a task; None if there are errors, which are collected."""
        before = len(self.errors)
        task = self.at_place(written, self._given(written) if written.part.gpus is None else None)
        if task is None:
            return None
        self._cpus[task.node] += task.cpu_milli
        self._memory[task.node] += task.memory
        for grant in task.gpus:
            self._cards[task.node, grant.index] += grant.milli
        self.errors += self._overfull(written, task)
        return task if len(self.errors) == before else None

    def at_place(self, written: WrittenTask, given: list[GpuGrant] | None = None) -> Assigned | None:
        """The task at its place, whoever else is there."""
        node = self._nodes.get(written.part.node)
        if node is None:
            name = written.part.node
            hint = did_you_mean(name, list(self._nodes)[:50])
            self.errors.append(
                FieldError((*written.loc, "node"), "no_such_node", no_such("node", name), name, hint=hint)
            )
            return None
        share = min(written.size.gpu_milli, WHOLE)
        grants = (
            given
            if given is not None
            else [
                GpuGrant(card.index, share if card.share is None else card.share)
                for card in written.part.gpus or ()
            ]
        )
        wrong = list(_misfits(written, node, grants))
        self.errors += wrong
        if wrong:
            return None
        model = node.gpu_model if grants else None
        return Assigned(
            written.role,
            written.index,
            node.name,
            written.size.cpu_milli,
            written.size.memory,
            tuple(grants),
            model,
        )

    def _given(self, written: WrittenTask) -> list[GpuGrant]:
        """The first GPUs with enough left; fewer than needed if the node has no more."""
        node = self._nodes.get(written.part.node)
        share = min(written.size.gpu_milli, WHOLE)
        if node is None or not share:
            return []
        free = [gpu.index for gpu in node.gpus if self._cards[node.name, gpu.index] + share <= WHOLE]
        return [GpuGrant(index, share) for index in free[: max(1, written.size.whole_gpus)]]

    def _overfull(self, written: WrittenTask, task: Assigned) -> Iterator[FieldError]:
        node = self._nodes[task.node]
        for grant in task.gpus:
            held = self._cards[node.name, grant.index]
            if held > WHOLE:
                message = say(
                    "{held} of GPU {index} of {name} are in use, which is more than one GPU",
                    "{name} 的 GPU {index} 共占用 {held}，超过一张整卡",
                    index=grant.index,
                    name=node.name,
                    held=show_milli(held),
                )
                yield FieldError(
                    (*written.loc, "gpus"),
                    "held_twice",
                    message,
                    grant.index,
                    1,
                    Words("give it another GPU", "请换一个 GPU"),
                )
        for what, held, most, shown in (
            (Words("CPUs", "核 CPU"), self._cpus[node.name], node.cpu_milli, show_milli),
            (Words("memory", "内存"), self._memory[node.name], node.memory, show_size),
        ):
            if held > most:
                message = say(
                    "with this task, jobs use {held} {what} on {name}, which has {most}",
                    "加上此子任务，{name} 上共占用 {held} {what}，而它只有 {most}",
                    held=shown(held),
                    what=what,
                    name=node.name,
                    most=shown(most),
                )
                hint = Words("give the node more, or the jobs less", "请增加节点的资源，或减少任务的资源")
                yield FieldError((*written.loc, "node"), "held_twice", message, node.name, shown(most), hint)


def _misfits(written: WrittenTask, node: Node, grants: list[GpuGrant]) -> Iterator[FieldError]:
    """Errors where a task's GPUs do not match its size or its node."""
    loc, size = (*written.loc, "gpus"), written.size
    yield from _wrong_cards(loc, node, grants)
    held = sum(grant.milli for grant in grants)
    if held != size.gpu_milli or len(grants) != -(-size.gpu_milli // WHOLE):
        yield _wrong_number(loc, written, node, held)
    if grants and size.models and node.gpu_model not in size.models:
        message = say(
            "{name} has {gpu_model}, but the job needs {wanted}",
            "{name} 配有 {gpu_model}，而任务需要 {wanted}",
            name=node.name,
            gpu_model=node.gpu_model,
            wanted=size.gpu_model,
        )
        yield FieldError((*written.loc, "node"), "bad_value", message, node.name, size.gpu_model)


def _wrong_cards(loc: Loc, node: Node, grants: list[GpuGrant]) -> Iterator[FieldError]:
    """Cards that the node does not have, more than the whole of one, and the same one twice."""
    indices = {gpu.index for gpu in node.gpus}
    for grant in grants:
        if grant.index not in indices:
            there = listed(sorted(indices))
            has = (
                say("it has {there}", "它有 {there}", there=there)
                if indices
                else Words("it has none", "它没有 GPU")
            )
            message = say(
                "{name} has no GPU {index}; {has}",
                "{name} 没有 GPU {index}；{has}",
                name=node.name,
                index=grant.index,
                has=has,
            )
            yield FieldError(loc, "no_such_gpu", message, grant.index)
        elif grant.milli > WHOLE:
            message = say(
                "{milli} of GPU {index} is more than one GPU",
                "GPU {index} 的 {milli} 超过了整卡",
                milli=show_milli(grant.milli),
                index=grant.index,
            )
            yield FieldError(loc, "out_of_range", message, show_milli(grant.milli), 1)
    if len({grant.index for grant in grants}) < len(grants):
        yield FieldError(loc, "duplicate", Words("a GPU appears twice here", "有 GPU 重复出现"))


def _wrong_number(loc: Loc, written: WrittenTask, node: Node, held: int) -> FieldError:
    """The task has another number of GPUs than its size says; if it lists none, it gets what the node has left."""
    wanted = show_milli(written.size.gpu_milli)
    if written.part.gpus is None:
        message = say(
            "{name} has too few free GPUs left: {held} of {wanted}",
            "{name} 的空闲 GPU 不足：{held}，需要 {wanted}",
            name=node.name,
            held=show_milli(held),
            wanted=wanted,
        )
    else:
        message = say(
            "these are {held} GPUs; a task of role {role} needs {wanted}",
            "这里有 {held} 卡；角色 {role} 的子任务需要 {wanted} 卡",
            held=show_milli(held),
            role=written.role,
            wanted=wanted,
        )
    return FieldError(loc, "bad_value", message, show_milli(held), wanted)
