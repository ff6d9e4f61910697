"""What is known of one task on a cluster, and what else matters when it is judged."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.domain.events import TaskEnded
from danlu.domain.job import Time
from danlu.domain.reasons import Reason
from danlu.engines.kubernetes.tasks.conditions import SeenPod
from danlu.ports.engine import TaskOrder


@dataclass(frozen=True, slots=True)
class Pod:
    """A task's pod as it is. `shown`: by the watch, not only in an answer. `disruption`: who else is ending it."""

    seen: SeenPod
    shown: bool = True
    disruption: Reason | None = None

    @property
    def over(self) -> bool:
        """Nothing in it runs or ever will, and its record stays."""
        return self.seen.ended is not None and not self.seen.ended.lingers


@dataclass(frozen=True, slots=True)
class World:
    """What else matters. `away_since`: since when the task's node has not been ready. `rivals`: another control plane
    may have led a short while ago, and a last request of it may still be on its way."""

    now: Time
    admission_time: int
    lost_time: int
    away_since: Time | None = None
    rivals: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What was reported since the last `start` or `stop`."""

    step: str = ""
    delay: str = ""
    running: bool = False
    ended: bool = False


@dataclass(frozen=True, slots=True)
class KnownTask:
    """One task, from one look to the next.

    `grace`: it is to end within so many milliseconds. `uid`, `last`, `since`: the pod that is the task, how it was when
    last seen, and from when its time to be admitted counts. `absent`: the API server itself said that there is none.
    `asked`: the shortest grace, in seconds, with which its end was asked for. `doom`: why it must go. `taken`: others
    asked for its end before it came; `disruption` says who, as far as anybody does. `stuck_since`: since when it has
    come no further."""

    attempt_id: str
    order: TaskOrder
    grace: int | None = None
    uid: str = ""
    last: SeenPod | None = None
    since: Time = 0
    looked_at: Time = 0
    shown: bool = False
    absent: bool = False
    asked: int | None = None
    doom: Reason | None = None
    taken: bool = False
    disruption: Reason | None = None
    stuck_since: Time | None = None
    drained: bool = False
    buried: bool = False
    end: TaskEnded | None = None
    told: Told = Told()

    @property
    def name(self) -> str:
        return self.order.name
