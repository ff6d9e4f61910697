"""The decision, simple form: creation order per lane, whole gangs, a reason for everybody who waits."""

from __future__ import annotations

from collections import Counter

from danlu.domain.job import JobSpec
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.reasons import BehindOthers, NoSuchNode, NotEnoughGpus, NotEnoughRoom, Reason
from danlu.scheduler.model import Plan, Snapshot, Start
from danlu.scheduler.room import Room

ANY_MODEL = "GPU"
_CPU_ONLY = "cpu"


def decide(snapshot: Snapshot) -> Plan:
    """Serve the queue in order; the first of a lane that cannot start holds up the rest of its lane."""
    room = Room(snapshot.nodes, snapshot.held)
    starts: list[Start] = []
    waiting: dict[str, Reason] = {}
    held_up: Counter[str] = Counter()
    for pending in sorted(snapshot.pending, key=lambda pending: (pending.created_at, pending.job_id)):
        lane = _lane(pending.spec)
        if held_up[lane]:
            waiting[pending.job_id] = BehindOthers(_roughly(held_up[lane]))
            held_up[lane] += 1
            continue
        tasks = room.place(pending.spec)
        if tasks is not None:
            starts.append(Start(pending.job_id, tasks))
            continue
        reason = _why_not(snapshot, room, pending.spec)
        waiting[pending.job_id] = reason
        if not isinstance(reason, NoSuchNode):
            held_up[lane] += 1
    return Plan(tuple(starts), waiting)


def could_ever_start(snapshot: Snapshot, spec: JobSpec) -> bool:
    """Would the job fit if all nodes in service were idle?"""
    return Room(snapshot.nodes).place(spec) is not None


def _lane(spec: JobSpec) -> str:
    models = {role.resources.gpu_model or ANY_MODEL for role in spec.roles if role.resources.gpu_milli}
    return f"{spec.job_class.value}/{min(models, default=_CPU_ONLY)}"


def _why_not(snapshot: Snapshot, room: Room, spec: JobSpec) -> Reason:
    if not could_ever_start(snapshot, spec):
        return NoSuchNode(_wanted(spec))
    tightest = min(spec.roles, key=lambda role: room.count(role, spec.node_selector, role.min) - role.min)
    size = tightest.resources
    fit = room.count(tightest, spec.node_selector, tightest.min)
    if size.gpu_milli:
        model = size.gpu_model or ANY_MODEL
        return NotEnoughGpus(size.gpu_milli * tightest.min, model, tightest.min, fit)
    return NotEnoughRoom(size.cpu_milli, size.memory, tightest.min, fit)


def _wanted(spec: JobSpec) -> str:
    parts = []
    for role in spec.roles:
        size = role.resources
        gpus = f"{show_milli(size.gpu_milli)} × {size.gpu_model or ANY_MODEL}, " if size.gpu_milli else ""
        cpus = f"{show_milli(size.cpu_milli)} CPUs, {show_size(size.memory)}"
        parts.append(f"{role.min} task(s) of {gpus}{cpus}")
    return "; ".join(parts)


def _roughly(count: int) -> int:
    """Two leading digits: a long queue that moves by one need not be written anew for everybody in it."""
    step = 10 ** max(0, len(str(count)) - 2)
    return int(count - count % step)
