"""What is wanted and known of every attempt on a cluster; whatever changed is looked at again, and nothing else."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace
from typing import Any

from danlu.domain.errors import NotLeader
from danlu.domain.events import TaskDelayed, TaskEnded, TaskEvent
from danlu.domain.reasons import NeverStarted
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api.api import ApiError, ApiUnreachable
from danlu.engines.kubernetes.logs.logs import PodLogFollower
from danlu.engines.kubernetes.objects.names import pod_name
from danlu.engines.kubernetes.objects.objects import Json
from danlu.engines.kubernetes.objects.rendezvous import needs_service
from danlu.engines.kubernetes.tasks.acting import (
    Absent,
    Asked,
    Drained,
    Found,
    Hands,
    Outcome,
    PodRefused,
    is_of,
)
from danlu.engines.kubernetes.tasks.conditions import FILLING, disruption_of, seen
from danlu.engines.kubernetes.tasks.filling import FillProgress
from danlu.engines.kubernetes.tasks.gang import Introductions, PodGang, Tracked
from danlu.engines.kubernetes.tasks.known import Pod, World
from danlu.engines.kubernetes.tasks.reconcile import (
    AT_ONCE_S,
    Action,
    Bury,
    Create,
    Delete,
    Look,
    noticed,
    reconcile,
    wanted,
)
from danlu.engines.kubernetes.watch.mirror import Mirror
from danlu.ports.clock import Clock
from danlu.ports.engine import AttemptOrder
from danlu.ports.logs import LogKey

log = logging.getLogger(__name__)

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.2, 10.0
_AFTER_A_FAULT_S = 10.0


class Attempts:
    """Belongs to one event loop. `spawn` runs what takes time, `report` takes what there is to tell; `rivals` says
    whether a last request of a former control plane may still arrive; `condemned` are the unique ids of pods that were
    swept away while nobody wanted them."""

    def __init__(
        self,
        cluster: KubernetesCluster,
        mirror: Mirror,
        hands: Hands,
        logs: PodLogFollower,
        clock: Clock,
        qualify: Callable[[str], str],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        report: Callable[[list[TaskEvent]], None],
        rivals: Callable[[], bool],
        condemned: Collection[str],
        progress: FillProgress,
    ) -> None:
        self._cluster, self._mirror, self._hands, self._logs = cluster, mirror, hands, logs
        self._clock, self._qualify, self._spawn, self._report = clock, qualify, spawn, report
        self._rivals, self._condemned, self._progress = rivals, condemned, progress
        self._attempts: dict[str, PodGang] = {}
        self._by_pod: dict[str, Tracked] = {}
        self._dirty: dict[Tracked, None] = {}
        self._turning = False
        self._counted: set[str] = set()
        self._last_requests: set[asyncio.Task[Any]] = set()
        self._introductions = Introductions(cluster, hands, spawn, self._again_in)
        mirror.serve(self._pod_changed, self._node_changed, self._counted)

    # ── what is wanted ───────────────────────────────────────────────────────────────────────────────

    def __contains__(self, attempt_id: object) -> bool:
        return attempt_id in self._attempts

    def start(self, order: AttemptOrder) -> None:
        self._want(order, None)

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        self._want(order, grace_ms)

    def forget(self, attempt_id: str) -> None:
        """What has ended stays in the cluster as proof until it is collected; anything else is ended at once."""
        attempt = self._attempts.pop(attempt_id, None)
        if attempt is None:
            return
        for task in attempt.tasks.values():
            self._by_pod.pop(task.pod_name, None)
            self._dirty.pop(task, None)
            self._count_no_more(task)
            self._logs.drop(task.pod_name)
            if task.timer is not None:
                task.timer.cancel()
            last = task.known.last
            if task.there and last is not None and last.ended is None and not last.tombstone:
                self._spawn(self._last_request(self._hands.end(task.pod_name, last.uid, AT_ONCE_S)))
        if needs_service(self._cluster, attempt.order):
            self._spawn(self._last_request(self._hands.remove_service(attempt_id)))

    async def let_go(self, seconds: float) -> None:
        """Until the last requests about what was forgotten are answered, at most so long."""
        await asyncio.sleep(0)
        if self._last_requests:
            await asyncio.wait(self._last_requests, timeout=seconds)

    def _want(self, order: AttemptOrder, grace: int | None) -> None:
        attempt = self._attempts.get(order.attempt_id)
        if attempt is None:
            attempt = self._attempts[order.attempt_id] = PodGang(order)
        elif grace is None:
            attempt.order = order  # the gang may have grown; a stop may be for a part of it
        now = self._clock.now()
        for wish in order.tasks:
            if wish.held and grace is None:
                continue
            task = attempt.tasks.get(wish.name)
            if task is None:
                known = wanted(None, order.attempt_id, wish, grace, now)
                task = Tracked(attempt, known, pod_name(order.attempt_id, wish.name))
                attempt.tasks[wish.name] = self._by_pod[task.pod_name] = task
                self._counted.add(task.pod_name)
                self._mirror.recount(task.pod_name)
                self._pod_changed(task.pod_name, self._mirror.pod(task.pod_name))
                if task.pod is not None and task.pod["metadata"]["uid"] in self._condemned:
                    task.known = replace(known, asked=AT_ONCE_S)
            else:
                task.known = wanted(task.known, order.attempt_id, wish, grace, now)
            self._mark(task)

    # ── what changed ─────────────────────────────────────────────────────────────────────────────────

    def _pod_changed(self, name: str, pod: Json | None) -> None:
        task = self._by_pod.get(name)
        if task is None:
            return
        if pod is None:
            task.there = task.there and not task.shown
        elif is_of(pod, task.known.attempt_id, task.known.name):
            task.pod, task.there, task.shown = pod, True, True
        self._mark(task)

    def _node_changed(self, node: str) -> None:
        for task in self._by_pod.values():
            if task.node == node:
                self._mark(task)

    def _mark(self, task: Tracked) -> None:
        if self._by_pod.get(task.pod_name) is not task:
            return  # forgotten meanwhile
        self._dirty[task] = None
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self.turn)

    def turn(self) -> None:
        """Look at everything that changed; not while the cluster is not known as it is."""
        self._turning = False
        if not self._mirror.synced:
            self._explain_delay()
            return
        dirty, self._dirty = self._dirty, {}
        told: list[TaskEvent] = []
        for task in dirty:
            try:
                told += self._look(task)
            except Exception:
                log.exception("%s could not be processed; retrying", task.pod_name)
                self._again_in(task, _AFTER_A_FAULT_S)
        if told:
            self._report(told)
        for attempt in {id(task.gang): task.gang for task in dirty}.values():
            self._introductions.look(attempt)

    def _explain_delay(self) -> None:
        trouble = self._mirror.trouble
        if not trouble:
            return
        waiting = [task for task in self._dirty if not task.known.uid and task.known.end is None]
        told = [event for task in waiting for event in _delayed(task, trouble)]
        if told:
            self._report(told)

    # ── one task ─────────────────────────────────────────────────────────────────────────────────────

    def _look(self, task: Tracked) -> tuple[TaskEvent, ...]:
        now, pod = self._clock.now(), self._read(task)
        if task.pod is not None:
            task.node = task.pod["spec"].get("nodeName", "")
        if pod is not None and not task.there:
            task.known, task.pod, pod = noticed(task.known, pod, now), None, None
        world = World(
            now=now,
            admission_time=self._cluster.admission_time,
            lost_time=self._cluster.lost_time,
            away_since=self._mirror.away_since(task.node),
            rivals=self._rivals(),
        )
        step = reconcile(task.known, pod, world)
        task.known = step.known
        self._follow(task)
        if step.known.end is not None:
            self._count_no_more(task)
        if step.again is not None:
            self._again_in(task, (step.again - now) / 1000)
        if step.action is not None and not task.busy:
            self._act(task, step.action)
        return step.events

    def _read(self, task: Tracked) -> Pod | None:
        if task.pod is None:
            return None
        events = self._mirror.events_of(task.pod["metadata"]["uid"])
        order = task.known.order
        known = seen(task.pod, order.name, order.resources.memory, events, self._qualify)
        ending = known.terminating or not task.there
        disruption = disruption_of(task.pod, order.name, events, self._qualify) if ending else None
        return Pod(known, task.shown, disruption)

    def _follow(self, task: Tracked) -> None:
        last, order = task.known.last, task.gang.order
        if not task.followed and task.there and last is not None and last.started_at is not None:
            task.followed = True
            self._logs.follow(task.pod_name, LogKey(order.job_id, order.number, task.known.name))
        if not task.filling and self._fills(task):
            task.filling = True
            watch = self._progress.watch(
                task.pod_name, order.attempt_id, task.known.name, lambda: self._fills(task)
            )
            self._spawn(watch)

    def _fills(self, task: Tracked) -> bool:
        """Whether what it mounts is being fetched."""
        last = task.known.last
        wanted = self._by_pod.get(task.pod_name) is task and task.there and task.known.end is None
        return wanted and last is not None and last.step == FILLING

    def _act(self, task: Tracked, action: Action) -> None:
        pause = task.not_before - asyncio.get_running_loop().time()
        if pause > 0:
            self._again_in(task, pause)
            return
        task.busy = True
        self._spawn(self._carry_out(task, action))

    async def _carry_out(self, task: Tracked, action: Action) -> None:
        try:
            outcome = await self._hands.carry_out(action, task.gang.order, task.known.order)
        except (ApiError, ApiUnreachable, NotLeader) as error:
            self._put_off(task, action, error)
        except Exception:
            log.exception("%s could not be handled; retrying", task.pod_name)
            task.not_before = asyncio.get_running_loop().time() + _AFTER_A_FAULT_S
        else:
            task.tries = 0
            self._take(task, action, outcome)
            if isinstance(action, Create) and isinstance(outcome, Found):
                await self._end_if_forgotten(task, str(outcome.pod["metadata"]["uid"]))
        finally:
            task.busy = False
            self._mark(task)

    def _take(self, task: Tracked, action: Action, outcome: Outcome) -> None:
        known = task.known
        match outcome:
            case Found(pod=pod):
                if not task.shown:
                    task.pod, task.there = pod, True
                looked_at = self._clock.now() if isinstance(action, Look) else known.looked_at
                buried = known.buried or isinstance(action, Bury)
                known = replace(known, looked_at=looked_at, buried=buried)
            case Absent():
                task.there = task.there and task.shown
                asked = action.grace_s if isinstance(action, Delete) else known.asked
                known = replace(known, absent=True, asked=asked)
            case Asked(grace_s=grace_s):
                known = replace(known, asked=grace_s)
            case Drained():
                known = replace(known, drained=True)
            case PodRefused(reason=reason):
                # If we may not create it, no other control plane can start it either.
                reason = NeverStarted(known.name) if isinstance(action, Bury) else reason
                end = TaskEnded(known.attempt_id, known.name, self._clock.now(), reason)
                known = replace(known, buried=True, end=known.end or end)
        task.known = known

    def _put_off(self, task: Tracked, action: Action, error: Exception) -> None:
        """A temporary error: retry later, with growing delays."""
        wait = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2**task.tries) * random.uniform(0.5, 1.5)
        task.tries += 1
        task.not_before = asyncio.get_running_loop().time() + wait
        log.info("%s: %s failed and will be retried: %s", task.pod_name, type(action).__name__.lower(), error)
        if isinstance(action, Create) and not isinstance(error, NotLeader):
            why = error.message if isinstance(error, ApiError) else str(error)
            self._report(_delayed(task, why))

    def _again_in(self, task: Tracked, seconds: float) -> None:
        if task.timer is not None:
            task.timer.cancel()
        task.timer = asyncio.get_running_loop().call_later(max(0.0, seconds), self._mark, task)

    def _count_no_more(self, task: Tracked) -> None:
        if task.pod_name in self._counted:
            self._counted.discard(task.pod_name)
            self._mirror.recount(task.pod_name)

    async def _end_if_forgotten(self, task: Tracked, uid: str) -> None:
        """End a pod that was created after its task was forgotten."""
        if task.pod_name not in self._by_pod:
            await self._last_request(self._hands.end(task.pod_name, uid, AT_ONCE_S))

    async def _last_request(self, request: Coroutine[Any, Any, None]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._last_requests.add(task)
        try:
            await request
        except (ApiError, ApiUnreachable, NotLeader) as error:
            log.info("leftovers remain for now: %s", error)
        finally:
            self._last_requests.discard(task)


def _delayed(task: Tracked, why: str) -> list[TaskEvent]:
    """The task could not be launched yet; the same is not told again."""
    known = task.known
    if known.told.delay == why or known.grace is not None or known.order.seen:
        return []
    task.known = replace(known, told=replace(known.told, delay=why))
    return [TaskDelayed(known.attempt_id, known.name, why)]
