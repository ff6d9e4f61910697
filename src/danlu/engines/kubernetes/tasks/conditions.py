"""What a pod's status says, in Danlu's words: how far it is, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from danlu.domain.job import Time
from danlu.domain.reasons import NotAdmitted, Reason, StartFailed
from danlu.engines.kubernetes.objects.before import FETCH_CONTAINER
from danlu.engines.kubernetes.objects.filling import FILL_CONTAINER
from danlu.engines.kubernetes.objects.names import OWNER, TOMBSTONE
from danlu.engines.kubernetes.objects.objects import Json, annotation_of, labels_of, moment
from danlu.engines.kubernetes.objects.pods import TASK_CONTAINER
from danlu.engines.kubernetes.tasks.ends import code_reason, disruption_of, exit_code_of, exit_reason
from danlu.engines.kubernetes.tasks.filling import fill_reason
from danlu.engines.kubernetes.tasks.waits import PodWait, missing_volume, waits_for

__all__ = ["Ended", "SeenPod", "disruption_of", "seen"]

SCHEDULED, PULLING, MOUNTING = "scheduled", "pulling", "mounting"
FETCHING, FILLING, STARTING = "fetching code", "mounts", "starting"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a task ended. One that `lingers` never began and never will, but its pod is still there to be deleted."""

    at: Time
    reason: Reason | None
    exit_code: int | None
    lingers: bool = False


@dataclass(frozen=True, slots=True)
class SeenPod:
    """A pod as it is now. Times are the cluster's, cut to whole seconds.

    `refusal` are the scheduler's words while no node takes it. `stuck` is what it will have ended with if nothing
    changes: a registry that does not answer may yet, so how long to wait is for whoever asks. `asked_at` is when its
    end was first asked for."""

    uid: str
    node: str | None
    ip: str | None
    scheduled: bool
    step: str
    refusal: str
    started_at: Time | None
    ended: Ended | None
    terminating: bool
    tombstone: bool
    created_at: Time
    stuck: Reason | None = None
    asked_at: Time | None = None


def seen(
    pod: Json,
    task: str,
    memory_limit: int,
    events: Sequence[Json] = (),
    qualify: Callable[[str], str] = str,
) -> SeenPod:
    """Read a pod; events about it, in any order, tell of steps and troubles that its status does not."""
    return _Reading(pod, task, memory_limit, events, qualify).seen()


class _Reading:
    def __init__(
        self,
        pod: Json,
        task: str,
        memory_limit: int,
        events: Sequence[Json],
        qualify: Callable[[str], str],
    ) -> None:
        self._pod, self._task, self._memory_limit = pod, task, memory_limit
        self._events, self._qualify = sorted(events, key=_told_at), qualify
        self._status: Json = pod.get("status") or {}
        self._node = pod["spec"].get("nodeName") or None
        self._created: Time = moment(pod["metadata"].get("creationTimestamp")) or 0
        self._fetch = _state_of(self._status.get("initContainerStatuses"), FETCH_CONTAINER)
        self._fill = _state_of(self._status.get("initContainerStatuses"), FILL_CONTAINER)
        self._main = _state_of(self._status.get("containerStatuses"), TASK_CONTAINER)

    def seen(self) -> SeenPod:
        wait = self._wait()
        began: Json = self._main.get("running") or self._main.get("terminated") or {}
        refusal = "" if self._node else self._refusal()
        return SeenPod(
            uid=str(self._pod["metadata"].get("uid", "")),
            node=self._qualify(self._node) if self._node else None,
            ip=self._status.get("podIP") or None,
            scheduled=self._node is not None,
            step=self._step(wait),
            refusal=refusal,
            started_at=moment(began.get("startedAt")),
            ended=self._ended(wait, refusal),
            terminating="deletionTimestamp" in self._pod["metadata"],
            tombstone=TOMBSTONE in labels_of(self._pod),
            created_at=self._created,
            stuck=wait.reason if wait and not wait.hopeless else None,
            asked_at=_asked_at(self._pod["metadata"]),
        )

    def _wait(self) -> PodWait | None:
        """The trouble that keeps a placed pod from starting."""
        if self._node is None or self._begun():
            return None
        return waits_for(self._pod, self._task, self._events)

    def _begun(self) -> bool:
        return "running" in self._main or "terminated" in self._main

    def _refusal(self) -> str:
        placed = self._condition("PodScheduled")
        if placed.get("status") != "False":
            return ""
        return str(placed.get("message") or placed.get("reason") or "it was not scheduled")

    def _step(self, wait: PodWait | None) -> str:
        if self._node is None or self._begun():
            return ""
        if wait is not None:
            return f"{wait.step}: {wait.message}"
        if "running" in self._fetch:
            return FETCHING
        if "running" in self._fill:
            return FILLING
        if "terminated" in self._fetch or "terminated" in self._fill:
            return STARTING
        latest = [_STEPS[event["reason"]] for event in self._events if event.get("reason") in _STEPS]
        return latest[-1] if latest else SCHEDULED

    def _ended(self, wait: PodWait | None, refusal: str) -> Ended | None:
        terminated: Json | None = self._main.get("terminated")
        if terminated is not None:
            reason = self._disruption() or exit_reason(
                self._task, terminated, self._memory_limit, self._qualified_node()
            )
            return Ended(self._end_of(terminated), reason, exit_code_of(terminated))
        fetched: Json | None = self._fetch.get("terminated")
        if fetched is not None and fetched.get("exitCode") != 0:
            return Ended(self._end_of(fetched), self._disruption() or code_reason(self._task, fetched), None)
        filled: Json | None = self._fill.get("terminated")
        if filled is not None and filled.get("exitCode") != 0:
            told = fill_reason(self._task, filled, self._qualified_node(), annotation_of(self._pod, OWNER))
            return Ended(self._end_of(filled), self._disruption() or told, None)
        if self._status.get("phase") == "Failed":
            return Ended(self._latest(), self._disruption() or self._not_begun(), None)
        if self._status.get("phase") == "Succeeded":
            return Ended(self._latest(), self._disruption(), 0)
        hopeless = missing_volume(self._task, refusal)
        if hopeless is None and wait is not None and wait.hopeless:
            hopeless = wait.reason
        return Ended(self._latest(), hopeless, None, lingers=True) if hopeless else None

    def _disruption(self) -> Reason | None:
        return disruption_of(self._pod, self._task, self._events, self._qualify)

    def _not_begun(self) -> Reason:
        """The kubelet turned the pod away, or gave it up before its containers ran."""
        code, message = self._status.get("reason"), self._status.get("message")
        if code:
            return NotAdmitted(self._task, self._qualified_node(), str(message or code))
        return StartFailed(self._task, str(message or "its pod failed before the task began"))

    def _qualified_node(self) -> str:
        return self._qualify(self._node) if self._node else ""

    def _end_of(self, terminated: Json) -> Time:
        return moment(terminated.get("finishedAt")) or self._latest()

    def _latest(self) -> Time:
        """When the pod was last heard of, for ends that nobody timed."""
        return max(self._times(), default=self._created)

    def _times(self) -> Iterator[Time]:
        conditions = self._status.get("conditions") or ()
        told = [one.get("lastTransitionTime") for one in conditions]
        for text in (*told, self._status.get("startTime"), *map(_told_at, self._events)):
            at = moment(text)
            if at is not None:
                yield at

    def _condition(self, name: str) -> Json:
        conditions = self._status.get("conditions") or ()
        return next((one for one in conditions if one["type"] == name), {})


_STEPS = {
    "Scheduled": SCHEDULED,
    "SuccessfulAttachVolume": MOUNTING,
    "Pulling": PULLING,
    "Pulled": STARTING,
    "Created": STARTING,
    "Started": STARTING,
}
"""Events that tell how far a pod is."""


def _state_of(statuses: Sequence[Json] | None, container: str) -> Json:
    found = next((one for one in statuses or () if one["name"] == container), {})
    state: Json = found.get("state") or {}
    # No container runs twice: one that waits although it ended is one whose end the kubelet missed.
    missed = (found.get("lastState") or {}).get("terminated")
    return {"terminated": missed} if missed and "waiting" in state else state


def _asked_at(metadata: Json) -> Time | None:
    """When the pod's end was asked for first: its deletion is dated to when its grace is over."""
    due = moment(metadata.get("deletionTimestamp"))
    return None if due is None else due - 1000 * int(metadata.get("deletionGracePeriodSeconds") or 0)


def _told_at(event: Json) -> str:
    """When an event last happened; the text sorts by time."""
    made = event.get("metadata", {}).get("creationTimestamp")
    return str(event.get("lastTimestamp") or event.get("eventTime") or made or "")
