"""What to do about one task on a cluster and what to tell of it: wanted against observed, without any I/O.

start ──▶ Create ──▶ pod: steps ──▶ runs ──▶ over ──▶ Drain (its log) ──▶ end is told
stop  ──▶ Bury where there is no pod (a tombstone: it never starts) │ Delete where there is one ──▶ gone ──▶ end is told
A pod that must go (not admitted, can never start) is deleted first and its end told once it is gone. Only the end of
what is on a lost node is told while its pod is still there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning, TaskStarting
from danlu.domain.job import Time
from danlu.domain.quantity import show_time
from danlu.domain.reasons import (
    DeletedElsewhere,
    ExitCode,
    LeftWhenAsked,
    NeverStarted,
    NodeLost,
    NotAdmitted,
    Reason,
    Signal,
)
from danlu.engines.kubernetes.objects.filling import PATIENCE
from danlu.engines.kubernetes.tasks.conditions import SeenPod
from danlu.engines.kubernetes.tasks.known import KnownTask, Pod, Told, World
from danlu.ports.engine import TaskOrder

ISOLATION = "pod"
AT_ONCE_S = 1
"""The shortest grace period: zero would remove the pod's record while it may still run."""

_SHOWN_WITHIN_MS = 10_000


@dataclass(frozen=True, slots=True)
class Create:
    """Make the pod; a conflict means that it is there already."""


@dataclass(frozen=True, slots=True)
class Bury:
    """Make a pod of the same name that can never run; a conflict means that there is a pod after all."""


@dataclass(frozen=True, slots=True)
class Look:
    """Ask the API server itself for the pod."""


@dataclass(frozen=True, slots=True)
class Delete:
    uid: str
    grace_s: int


@dataclass(frozen=True, slots=True)
class Drain:
    """Read the log to its end."""


Action = Create | Bury | Look | Delete | Drain


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The task after a look, the one thing to do now, what to tell, and when to look again without being asked."""

    known: KnownTask
    action: Action | None = None
    events: tuple[TaskEvent, ...] = ()
    again: Time | None = None


def wanted(
    known: KnownTask | None, attempt_id: str, order: TaskOrder, grace: int | None, now: Time
) -> KnownTask:
    """The task after a `start` (no grace) or a `stop`: its state is told anew, the shorter grace counts, and what was
    once to stop is never to start."""
    if known is None:
        return KnownTask(attempt_id, order, grace, since=now)
    graces = [one for one in (known.grace, grace) if one is not None]
    kept = replace(order, seen=order.seen or known.order.seen)
    return replace(known, order=kept, grace=min(graces, default=None), told=Told())


def noticed(known: KnownTask, pod: Pod, now: Time) -> KnownTask:
    """The task once its pod was seen like this, be it for the last time."""
    seen = pod.seen
    if seen.tombstone:
        known = replace(known, buried=True)
    if not known.uid:
        known = replace(known, uid=seen.uid, since=now, absent=False)
    if seen.uid != known.uid:
        return known
    if known.last is not None and seen.started_at is None:
        # An end that nobody saw has no beginning either.
        seen = replace(seen, started_at=known.last.started_at)
    return replace(
        known,
        last=seen,
        shown=known.shown or pod.shown,
        taken=known.taken or (_is_taken(known, seen) and seen.ended is None),
        disruption=pod.disruption or known.disruption,
        stuck_since=None if seen.stuck is None else known.stuck_since or now,
    )


def reconcile(known: KnownTask, pod: Pod | None, world: World) -> Reconciled:
    """One look at a task. Looking again at the same state does nothing new, except for what was not carried out."""
    if pod is not None:
        known = noticed(known, pod, world.now)
    mine = None
    if pod is not None and known.last is not None and pod.seen.uid == known.uid:
        mine = replace(pod, seen=known.last)
    if known.end is None:
        step = _with_pod(known, mine, world) if mine is not None else _without_pod(known, world)
        if step.known.end is None:
            return step
        known = step.known
    return Reconciled(*_ended(known, pod, world))


# ── there is a pod ───────────────────────────────────────────────────────────────────────────────────


def _with_pod(known: KnownTask, pod: Pod, world: World) -> Reconciled:
    seen = pod.seen
    if seen.tombstone:
        return Reconciled(_end(known, world.now, NeverStarted(known.name)))
    if seen.ended is not None and pod.over:
        if seen.started_at is not None and not known.drained:
            known, news = _news(known)
            return Reconciled(known, Drain(), news)
        return Reconciled(_end(known, seen.ended.at, *_outcome(known, seen)))
    lost_at = None if world.away_since is None or not seen.scheduled else world.away_since + world.lost_time
    if lost_at is not None and world.now >= lost_at:
        return Reconciled(_end(known, world.now, NodeLost(known.name, known.order.node)))
    known, again = _doomed(known, pod, world)
    known, news = _news(known)
    action = _removal(known, pod) or _unshown(known, world)
    return Reconciled(
        known, action, news, min((at for at in (lost_at, again) if at is not None), default=None)
    )


def _doomed(known: KnownTask, pod: Pod, world: World) -> tuple[KnownTask, Time | None]:
    """Whether the pod must go for reasons of its own, and when that is to be asked again."""
    seen, shown_by = pod.seen, None if known.shown else _due_to_show(known)
    if known.doom is not None or known.grace is not None or seen.terminating:
        return known, shown_by
    if seen.ended is not None:
        return replace(known, doom=seen.ended.reason), shown_by
    doom: Reason
    if not seen.scheduled:
        words = seen.refusal or f"it got no node within {show_time(world.admission_time)}"
        due, doom = known.since + world.admission_time, NotAdmitted(known.name, known.order.node, words)
    elif known.stuck_since is not None and seen.stuck is not None:
        due, doom = known.stuck_since + PATIENCE * world.admission_time, seen.stuck
    else:
        return known, shown_by
    if world.now >= due:
        return replace(known, doom=doom), shown_by
    return known, due if shown_by is None else min(due, shown_by)


def _removal(known: KnownTask, pod: Pod) -> Delete | None:
    if known.doom is not None:
        grace_s = AT_ONCE_S
    elif known.grace is not None:
        grace_s = max(AT_ONCE_S, -(-known.grace // 1000))
    else:
        return None
    return Delete(pod.seen.uid, grace_s) if known.asked is None or grace_s < known.asked else None


def _unshown(known: KnownTask, world: World) -> Look | None:
    """A pod that we made and the watch never shows may have come and gone between two lists."""
    return Look() if not known.shown and world.now >= _due_to_show(known) else None


def _due_to_show(known: KnownTask) -> Time:
    return max(known.since, known.looked_at) + _SHOWN_WITHIN_MS


def _is_taken(known: KnownTask, seen: SeenPod) -> bool:
    """Somebody else deleted it, not Danlu."""
    return seen.terminating and not _is_asked(known) and known.doom is None


def _is_asked(known: KnownTask) -> bool:
    """We asked for its end, or are about to."""
    return known.grace is not None or known.asked is not None


def _outcome(known: KnownTask, seen: SeenPod) -> tuple[Reason | None, int | None]:
    """How a pod ended: for what we know better than its exit code."""
    assert seen.ended is not None
    reason, code = seen.ended.reason, seen.ended.exit_code
    if known.doom is not None:
        return known.doom, code
    killed = isinstance(reason, Signal | NodeLost) and _is_taken(known, seen)
    if killed or (known.taken and (reason is None or isinstance(reason, ExitCode | NodeLost | Signal))):
        return known.disruption or DeletedElsewhere(known.name), code
    if isinstance(reason, NodeLost) and known.disruption is None and _is_asked(known):
        return Signal(known.name, "SIGTERM"), code  # it was gone before its node had looked how it ended
    if reason is None and _left_when_asked(known, seen):
        return LeftWhenAsked(known.name), code
    return reason, code


def _left_when_asked(known: KnownTask, seen: SeenPod) -> bool:
    """Whether it ended after we had asked for that. Times are whole seconds: in doubt it did, for work that may not be
    done is better done twice than not at all."""
    assert seen.ended is not None
    return _is_asked(known) and seen.asked_at is not None and seen.ended.at >= seen.asked_at


# ── there is none ────────────────────────────────────────────────────────────────────────────────────


def _without_pod(known: KnownTask, world: World) -> Reconciled:
    if known.uid:
        return _vanished(known, world)
    if known.order.seen:
        if not known.absent:
            return Reconciled(known, Look())
        return Reconciled(_end(known, world.now, NodeLost(known.name, known.order.node)))
    return Reconciled(known, Create() if known.grace is None else Bury())


def _vanished(known: KnownTask, world: World) -> Reconciled:
    last = known.last
    if last is not None and last.ended is not None and last.started_at is not None and not known.drained:
        known, news = _news(known)
        return Reconciled(known, Drain(), news)
    if last is not None and last.ended is not None:
        return Reconciled(_end(known, last.ended.at, *_outcome(known, last)))
    ran = last is not None and last.started_at is not None
    if known.doom is not None:
        reason: Reason = known.doom
    elif _is_asked(known):
        reason = Signal(known.name, "SIGTERM") if ran else NeverStarted(known.name)
    elif world.away_since is not None:
        reason = NodeLost(known.name, known.order.node)
    else:
        reason = known.disruption or DeletedElsewhere(known.name)
    return Reconciled(_end(known, world.now, reason))


# ── it is over ───────────────────────────────────────────────────────────────────────────────────────


def _end(known: KnownTask, at: Time, reason: Reason | None, exit_code: int | None = None) -> KnownTask:
    return replace(known, end=TaskEnded(known.attempt_id, known.name, at, reason, exit_code))


def _ended(
    known: KnownTask, pod: Pod | None, world: World
) -> tuple[KnownTask, Action | None, tuple[TaskEvent, ...]]:
    """Tell the end, once, and see to it that nothing of the task is left running or can still come."""
    news: tuple[TaskEvent, ...] = ()
    if known.end is not None and not known.told.ended:
        end = known.end
        if known.last is not None and known.last.started_at is not None:
            known, news = _news(known)
        known, news = replace(known, told=replace(known.told, ended=True)), (*news, end)
    return known, _remains(known, pod, world), news


def _remains(known: KnownTask, pod: Pod | None, world: World) -> Action | None:
    if pod is None:
        return Bury() if world.rivals and known.uid and not known.buried else None
    if pod.over or pod.seen.tombstone:
        return None
    if pod.seen.uid == known.uid and known.asked is not None and known.asked <= AT_ONCE_S:
        return None
    return Delete(pod.seen.uid, AT_ONCE_S)


def _news(known: KnownTask) -> tuple[KnownTask, tuple[TaskEvent, ...]]:
    """The task's way to running, and that it runs, as far as it was not told yet."""
    told, last = known.told, known.last
    if last is None or told.running:
        return known, ()
    if last.started_at is not None:
        running = TaskRunning(known.attempt_id, known.name, last.started_at, ISOLATION)
        return replace(known, told=replace(told, running=True)), (running,)
    if last.step and last.step != told.step:
        starting = TaskStarting(known.attempt_id, known.name, last.step)
        return replace(known, told=replace(told, step=last.step)), (starting,)
    return known, ()
