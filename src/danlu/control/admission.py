"""What is refused at the door: nobody can queue for a machine that does not exist."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.quantity import show_milli, show_size
from danlu.ports.code import CodeStore
from danlu.scheduler import Pending, Snapshot, could_ever_start, decide
from danlu.scheduler.model import Held
from danlu.wire.mistakes import Loc, did_you_mean
from danlu.wire.reading import read_job_file


@dataclass(frozen=True, slots=True)
class Outlook:
    """What would happen to a job submitted now."""

    starts_now: bool
    reason: Any = None


class Admission:
    """Reads job files and holds them against what there is."""

    def __init__(
        self,
        nodes: Callable[[], Sequence[Node]],
        code: CodeStore,
        projects: Collection[str],
        images: Collection[str] | None,
    ) -> None:
        self._nodes, self._code, self._projects, self._images = nodes, code, projects, images

    def read(self, data: Any) -> JobSpec:
        """The specification of a job file, or Invalid with everything that is wrong with it."""
        reading = read_job_file(data)
        errors = list(reading.errors)
        if reading.spec is not None:
            known = {error.loc for error in errors}
            errors += [error for error in self.misfits(reading.spec, data) if error.loc not in known]
        if errors or reading.spec is None:
            raise Invalid(tuple(errors))
        return reading.spec

    def misfits(self, spec: JobSpec, data: Mapping[str, Any]) -> Iterator[FieldError]:
        """What the file asks for that is not here."""
        if spec.project not in self._projects:
            yield FieldError(
                ("project",), "no_such_project", f"there is no project '{spec.project}'", spec.project,
                hint=did_you_mean(spec.project, sorted(self._projects)),
            )  # fmt: skip
        if self._images is not None and spec.image not in self._images:
            yield FieldError(
                ("image",), "image_not_available", f"image '{spec.image}' cannot run here", spec.image,
                hint="use image: host, the machine's own Python environment",
            )  # fmt: skip
        if spec.code and spec.code.archive and not self._code.has(spec.code.archive):
            yield FieldError(
                ("code", "archive"), "not_uploaded", "no code of this digest was uploaded", spec.code.archive,
                hint="upload it first with PUT /api/v1/code/{digest}",
            )  # fmt: skip
        yield from self._oversized(spec, data)

    def outlook(self, spec: JobSpec, held: Sequence[Held], pending: Sequence[Pending], now: int) -> Outlook:
        """Would it start at once, or what would it wait for?"""
        hopeful = Pending("", spec, now)
        plan = decide(Snapshot(now, tuple(self._nodes()), tuple(held), (*pending, hopeful)))
        return Outlook(any(start.job_id == "" for start in plan.starts), plan.waiting.get(""))

    def _oversized(self, spec: JobSpec, data: Mapping[str, Any]) -> Iterator[FieldError]:
        nodes = self._nodes()
        suiting = [node for node in nodes if _selected(node, spec.node_selector)]
        if not suiting:
            wanted = ", ".join(f"{key}={value}" for key, value in spec.node_selector.items())
            message = f"no node is labelled {wanted}" if wanted else "there are no nodes"
            yield FieldError(
                ("node_selector",), "no_such_node", message, dict(spec.node_selector),
                hint="`danlu nodes` shows the labels there are",
            )  # fmt: skip
            return
        wrong = [
            error for place, role in enumerate(spec.roles) for error in _role(role, place, suiting, data)
        ]
        yield from wrong
        if not wrong and not could_ever_start(Snapshot(0, tuple(nodes), (), ()), spec):
            yield _too_many(spec, nodes, data)


def _role(role: Role, place: int, nodes: Sequence[Node], data: Mapping[str, Any]) -> Iterator[FieldError]:
    size, root = role.resources, _root(place, data)
    models = sorted({node.gpu_model for node in nodes if node.gpu_model})
    if size.gpu_milli and size.gpu_model and size.gpu_model not in models:
        there = f"there are {', '.join(models)}" if models else "no node has a GPU"
        hint = did_you_mean(size.gpu_model, models)
        message = f"no node has GPU model '{size.gpu_model}' ({there})"
        yield FieldError((*root, "gpu"), "no_such_gpu", message, size.gpu_model, models, hint)
        return
    fitting = [node for node in nodes if not size.gpu_model or node.gpu_model == size.gpu_model]
    bounds = (
        ("gpus", size.gpu_milli, max(1000 * len(node.gpus) for node in fitting), show_milli),
        ("cpus", size.cpu_milli, max(node.cpu_milli for node in fitting), show_milli),
        ("memory", size.memory, max(node.memory for node in fitting), show_size),
    )
    for key, wanted, most, show in bounds:
        if wanted > most:
            message = f"{show(wanted)} is more than any node has ({show(most)})"
            yield FieldError((*root, key), "out_of_range", message, show(wanted), show(most))


def _too_many(spec: JobSpec, nodes: Sequence[Node], data: Mapping[str, Any]) -> FieldError:
    """Every task fits somewhere, but not all of the minimum at once."""
    place = max(range(len(spec.roles)), key=lambda at: spec.roles[at].min)
    role = spec.roles[place]
    snapshot = Snapshot(0, tuple(nodes), (), ())
    fit = _most(lambda count: could_ever_start(snapshot, _with_min(spec, place, count)), role.min)
    loc: Loc = ("roles", place, "replicas") if "roles" in data else ("nodes",)
    message = f"{role.min} tasks of this size are more than all nodes together can hold ({fit})"
    return FieldError(loc, "out_of_range", message, role.min, fit, "ask for fewer or smaller tasks")


def _with_min(spec: JobSpec, place: int, count: int) -> JobSpec:
    roles = tuple(
        replace(role, replicas=count, min=count) if at == place else role
        for at, role in enumerate(spec.roles)
    )
    return replace(spec, roles=roles)


def _most(fits: Callable[[int], bool], limit: int) -> int:
    """The largest count below `limit` that fits; bisection, since fewer always fit where more do."""
    low, high = 0, limit
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _root(place: int, data: Mapping[str, Any]) -> Loc:
    """Where in the file the size of a role stands: at the role itself or at the job."""
    roles = data.get("roles")
    # What was written may be wrong in itself: the specification is then what the rest amounts to.
    role = roles[place] if isinstance(roles, list) and place < len(roles) else None
    own = isinstance(role, Mapping) and "resources" in role
    return ("roles", place, "resources") if own else ("resources",)


def _selected(node: Node, selector: Mapping[str, str]) -> bool:
    return all(node.labels.get(key) == value for key, value in selector.items())
