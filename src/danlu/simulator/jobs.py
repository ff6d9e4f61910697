"""The jobs of a state file: read like job files, placed on their nodes, and prepared for a decision."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Time
from danlu.domain.labels import demanded_labels
from danlu.domain.node import Node
from danlu.domain.terms import no_such
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc, did_you_mean
from danlu.files.moments import Moment
from danlu.files.reading import FlavorSizes, Reading, read_job_file
from danlu.files.state_file import PendingPart, RunningPart
from danlu.scheduler import FOREVER, Ask, Assigned, BlockMount, Pending, Rules, Running, ask_of, selecting
from danlu.simulator.holding import HeldNodes, WrittenTask, written_tasks

_SHAPE = (
    "kind", "resources", "flavor", "nodes", "min", "roles", "node_selector", "topology", "max_time", "preemptible",
)  # fmt: skip
_ANYTHING = {"kind": "training", "name": "anything", "command": "true"}
_WITHOUT_MEANING = frozenset({"not_available", "reserved"})
"""Errors of job files that do not matter in a simulation."""


class JobReader:
    """Reads all jobs; `wrong` are the parts of the file that could not be read, so that nothing in them counts as
    missing."""

    def __init__(
        self,
        data: Mapping[str, Any],
        now: Time,
        nodes: Mapping[str, Node],
        rules: Rules,
        flavors: FlavorSizes,
        wrong: frozenset[str],
    ) -> None:
        self._data, self._now, self._nodes, self._rules = data, now, nodes, rules
        self._flavors, self._wrong = flavors, wrong
        self._readings: dict[str, Reading] = {}
        self.errors: list[FieldError] = []
        self.firm: frozenset[str] = frozenset()

    def read(
        self, running: Sequence[RunningPart], pending: Sequence[PendingPart]
    ) -> dict[str, Pending | Running]:
        """All jobs by id."""
        firm = [name for part in pending for name in ids(part) if not part.preemptible]
        self.firm = frozenset([*firm, *(part.id for part in running if not part.preemptible)])
        self._check_ids(running, pending)
        jobs: list[Pending | Running] = [*self._running(running), *self._pending(pending)]
        return {job.job_id: job for job in jobs}

    def _check_ids(self, running: Sequence[RunningPart], pending: Sequence[PendingPart]) -> None:
        seen: set[str] = set()
        named: list[tuple[Loc, str, list[str]]] = [
            *((("running", place, "id"), part.id, [part.id]) for place, part in enumerate(running)),
            *((("pending", place, "id"), part.id, ids(part)) for place, part in enumerate(pending)),
        ]
        for loc, written, names in named:
            for name in names:
                if name in seen:
                    alike = name == written and len(names) > 1
                    hint = (
                        Words("put {} where the number should go", "请用 {} 表示序号的位置")
                        if alike
                        else Words("give each job its own id", "编号不能重复")
                    )
                    self._note(
                        loc,
                        "duplicate",
                        say("two jobs have the id '{name}'", "已有另一个编号为“{name}”的任务", name=name),
                        name,
                        hint,
                    )
                    break
                seen.add(name)

    # ── running ──────────────────────────────────────────────────────────────────────────────────────

    def _running(self, parts: Sequence[RunningPart]) -> Iterator[Running]:
        holding = HeldNodes(self._nodes)
        read: list[tuple[Loc, RunningPart, JobSpec, list[WrittenTask]]] = []
        for place, part in enumerate(parts):
            loc: Loc = ("running", place)
            spec = self._spec(loc, part, len(part.tasks))
            if spec is None:
                continue
            taken, errors = written_tasks((*loc, "tasks"), part.tasks, spec)
            self.errors += errors or self._too_few(loc, part, spec, taken)
            read.append((loc, part, spec, taken))
        placed: dict[Loc, Assigned] = {}
        every = [written for *_, taken in read for written in taken] if "nodes" not in self._wrong else []
        for written in sorted(every, key=lambda written: written.part.gpus is None):
            task = holding.take(written)
            if task is not None:
                placed[written.loc] = task
        self.errors += holding.errors
        for loc, part, spec, taken in read:
            stays = [written for written in taken if not (part.leaving or written.part.leaving)]
            goes = [written for written in taken if part.leaving or written.part.leaving]
            yield self._runs(loc, part, spec, _at(stays, placed), _at(goes, placed))

    def _runs(
        self,
        loc: Loc,
        part: RunningPart,
        spec: JobSpec,
        tasks: tuple[Assigned, ...],
        leaving: tuple[Assigned, ...],
    ) -> Running:
        began = self._moment((*loc, "began"), part.began)
        created = self._moment((*loc, "created"), part.created, began)
        if part.nominated and tasks:
            hint = Words("set leaving: true, or leave it out", "请写 leaving: true，或去掉它")
            message = Words(
                "only a job that is leaving can have capacity reserved elsewhere",
                "只有正在退出的任务才能在别处预留资源",
            )
            self._note((*loc, "nominated"), "contradiction", message, None, hint)
        return Running(
            job_id=part.id,
            owner=part.owner,
            ask=self._ask(spec, part.project),
            began=began,
            tasks=tasks,
            leaving=leaving,
            project=part.project,
            priority=part.priority,
            max_time=self._max_time(spec),
            preemptible=part.preemptible,
            slot=(self._moment((*loc, "slot"), part.slot, created), part.id),
            pinned_at=self._pin(loc, part.pinned),
            gave_way_to=frozenset(part.gave_way_to),
            nominated=self._nominated(loc, part, spec),
            mounts=_mounts(part, part.id),
        )

    def _too_few(
        self, loc: Loc, part: RunningPart, spec: JobSpec, taken: list[WrittenTask]
    ) -> Iterator[FieldError]:
        """Errors if fewer tasks than the minimum run, unless the whole job is leaving."""
        stays = Counter(written.role for written in taken if not (part.leaving or written.part.leaving))
        if not stays:
            return
        if spec.total and all(len(part.tasks) != shape[0].replicas for shape in spec.shapes()):
            message = say(
                "{size} GPUs cannot be divided into {tasks} equal tasks",
                "{size} 卡无法平分为 {tasks} 个子任务",
                size=spec.size,
                tasks=len(part.tasks),
            )
            yield FieldError((*loc, "tasks"), "bad_value", message, len(part.tasks))
        hint = Words("add the missing tasks, or set leaving: true", "请补上缺少的子任务，或写 leaving: true")
        for role in () if spec.total else spec.roles:
            if stays[role.name] < role.min:
                message = say(
                    "{stays} task(s) of role {name} run, and its minimum is {min}",
                    "角色 {name} 有 {stays} 个子任务在运行，而最少需要 {min} 个",
                    stays=stays[role.name],
                    name=role.name,
                    min=role.min,
                )
                yield FieldError((*loc, "tasks"), "too_few", message, stays[role.name], role.min, hint)
                return
        if stays.total() < spec.minimum:
            message = say(
                "{total} task(s) run, and the job's minimum is {minimum}",
                "有 {total} 个子任务在运行，而任务最少需要 {minimum} 个",
                total=stays.total(),
                minimum=spec.minimum,
            )
            yield FieldError((*loc, "tasks"), "too_few", message, stays.total(), spec.minimum, hint)

    # ── queued ───────────────────────────────────────────────────────────────────────────────────────

    def _pending(self, parts: Sequence[PendingPart]) -> Iterator[Pending]:
        born = self._now - sum(part.count for part in parts)
        for place, part in enumerate(parts):
            loc: Loc = ("pending", place)
            spec = self._spec(loc, part, 1)
            created = self._moment((*loc, "created"), part.created, born)
            slot = self._moment((*loc, "slot"), part.slot, created)
            if spec is not None:
                nominated = self._nominated(loc, part, spec)
                pinned = self._pin(loc, part.pinned)
                ask, max_time = self._ask(spec, part.project), self._max_time(spec)
                for number, name in enumerate(ids(part)):
                    later = number if part.created is None else 0
                    yield Pending(
                        name, part.owner, ask, created + later, (slot + (later if part.slot is None else 0), name),
                        part.project, part.priority, max_time, pinned, nominated, frozenset(part.gave_way_to),
                        part.refusals, None if part.held_for is None else self._now + part.held_for,
                        mounts=_mounts(part, name),
                    )  # fmt: skip
            born += part.count

    # ── what both have ───────────────────────────────────────────────────────────────────────────────

    def _spec(self, loc: Loc, part: RunningPart | PendingPart, tasks: int) -> JobSpec | None:
        """What the job asks for, as a job file says it; None where that is wrong."""
        raw = self._data[str(loc[0])][loc[1]]
        shape = {**_ANYTHING, **{key: raw[key] for key in _SHAPE if key in raw}}
        if tasks > 1 and part.nodes is None and part.roles is None:
            shape["nodes"] = tasks
        key = json.dumps(shape, sort_keys=True, default=str)
        if key not in self._readings:
            self._readings[key] = read_job_file(shape, self._flavors)
        reading = self._readings[key]
        wrong = [error for error in reading.errors if error.code not in _WITHOUT_MEANING]
        if "flavors" in self._wrong:
            wrong = [error for error in wrong if error.code != "no_such_flavor"]
        self.errors += [replace(error, loc=(*loc, *error.loc)) for error in wrong]
        self._known(loc, "project", part.project, self._rules.projects, "projects")
        self._known(loc, "priority", part.priority, self._rules.priorities, "priorities")
        return None if wrong else reading.spec

    def _known(self, loc: Loc, field: str, name: str, known: Mapping[str, Any], section: str) -> None:
        if name not in known and section not in self._wrong:
            hint = did_you_mean(name, sorted(known))
            self._note((*loc, field), f"no_such_{field}", no_such(field, name), name, hint)

    def _nominated(self, loc: Loc, part: RunningPart | PendingPart, spec: JobSpec) -> tuple[Assigned, ...]:
        taken, errors = written_tasks((*loc, "nominated"), part.nominated, spec)
        self.errors += errors
        if "nodes" in self._wrong:
            return ()
        kept = HeldNodes(self._nodes)
        placed = [kept.at_place(written) for written in taken]
        self.errors += kept.errors
        return tuple(task for task in placed if task is not None)

    def _ask(self, spec: JobSpec, project: str) -> Ask:
        """A project's selector narrows that of its jobs, as what they need does."""
        labels = demanded_labels(spec, self._rules.project(project), all_serve=True)
        return selecting(ask_of(spec), tuple(sorted(labels.items())))

    def _max_time(self, spec: JobSpec) -> int:
        return spec.max_time or self._rules.policy.default_max_time.get(spec.job_class, FOREVER)

    def _pin(self, loc: Loc, moment: Moment | None) -> Time | None:
        return None if moment is None else self._moment((*loc, "pinned"), moment)

    def _moment(self, loc: Loc, moment: Moment | None, default: Time = 0) -> Time:
        if moment is None:
            return default
        time = moment.seen(self._now)
        if time > self._now:
            hint = Words("set the current time with now", "请用 now 说明当前时间")
            self._note(
                loc,
                "bad_value",
                say("{moment} is later than now", "{moment} 晚于 now", moment=moment),
                str(moment),
                hint,
            )
        return time

    def _note(self, loc: Loc, code: str, message: Words, value: Any, hint: Words | None) -> None:
        self.errors.append(FieldError(loc, code, message, value, hint=hint))


def ids(part: PendingPart) -> list[str]:
    """`job{}` three times is job0, job1, job2."""
    return [part.id.replace("{}", str(number)) for number in range(part.count)]


def _at(tasks: list[WrittenTask], placed: Mapping[Loc, Assigned]) -> tuple[Assigned, ...]:
    return tuple(placed[written.loc] for written in tasks if written.loc in placed)


def _mounts(part: RunningPart | PendingPart, job: str) -> tuple[BlockMount, ...]:
    return tuple(BlockMount(one.volume, one.mode == "rw", one.volume, job) for one in part.mounts)
