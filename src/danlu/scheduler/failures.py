"""What failed in one pass over the queue, so that equal jobs are not tried again."""

from __future__ import annotations

from collections import defaultdict

from danlu.domain.reasons import Reason, RunTimeLimit, VolumeBusy, VolumeFull
from danlu.scheduler.ask import Ask
from danlu.scheduler.draft import Draft
from danlu.scheduler.model import FOREVER, Lane, Pending, QueueLine
from danlu.scheduler.order import LaneFacts
from danlu.scheduler.possible import may_lead

NEVER = FOREVER + 1
"""Longer than any job."""

_Whose = tuple[str, str, str, Ask]
"""Owner, project, model and ask: who is before a gate together."""


class Failures:
    """What one pass has found out, so that nothing is tried twice.

    It remembers
    - no room: by lane and rank, which asks found none, and from which duration on: where only a reservation
      forbids, the short may pass;
    - gates: the cap or limit that jobs of one owner, project, model and ask are before;
    - nobody leaves: for whom nobody can make room, and from which duration on;
    - entitled: for which projects and priorities others would have to make room at all;
    - heads, and for whom the room is reserved that others would fit in: to tell those who wait.

    All of it is forgotten with the pass, for what a pass gives to some changes what others may have. Only that there is
    no room at all is known to the next pass as well, unless somebody was told to leave in between.
    """

    def __init__(self, draft: Draft, before: Failures | None = None) -> None:
        self._desk, self._closing = draft, draft.closing
        self.heads: dict[Lane, Pending] = {}
        """The first of each lane that lacks room."""
        self._no_room: dict[tuple[Lane, int], dict[Ask, int]] = defaultdict(dict)
        self._open: dict[Lane, int] = defaultdict(lambda: -1)
        """What of the wants of each lane there may be room for, as bits (`QueueLine.wants`)."""
        self._gates: dict[_Whose, Reason] = {}
        self._gate_of: dict[str, Reason] = {}
        self._nobody_leaves: dict[tuple[object, ...], int] = {}
        self._entitled: dict[tuple[str, str, str], bool] = {}
        self._reserved_for: dict[tuple[Lane, int, Ask], Pending] = {}
        self._evictions = len(draft.evictions)
        if before is not None and before._evictions == self._evictions:
            for (lane, rank), asks in before._no_room.items():
                for ask in (ask for ask, since in asks.items() if not since):
                    self._close(lane, rank, ask, 0)

    # ── whose turn could matter: what the order asks ─────────────────────────────────────────────────

    def lane_worth(self, lane: Lane, facts: LaneFacts) -> bool:
        """Whether any job of a lane is still worth trying."""
        if lane not in self.heads or facts.wants & self._open[lane]:
            return True
        return any(self.entitled(*whose, lane[0]) for whose in facts.whose)

    def worth(self, line: QueueLine) -> bool:
        """Whether any job of the line has an ask that has not failed yet, or could evict others."""
        if line.wants & self._open[line.lane] or line.lane not in self.heads:
            return True
        return self.entitled(line.jobs[0].project, line.jobs[0].priority, line.lane[0])

    def skip(self, line: QueueLine, at: int) -> int:
        """Past those who have their room, those held back, and those like whom somebody failed already; the head is
        always tried."""
        if not self.worth(line):
            return len(line.jobs)
        while at < len(line.jobs) and not self._worth_a_try(line.jobs[at], line.lane):
            at += 1
        return at

    def _worth_a_try(self, job: Pending, lane: Lane) -> bool:
        if self._failed(job, lane) or (job.owner, job.project, lane[0], job.ask) in self._gates:
            return False
        return job.job_id not in self._desk.given and not self._desk.held_back(job)

    def _failed(self, job: Pending, lane: Lane) -> bool:
        """Whether it is known that it finds no room and cannot evict anybody."""
        if not self.no_room(job, lane) or self._might_lead(job, lane):
            return False
        return not self.entitled(job.project, job.priority, lane[0]) or self.nobody_leaves(job, lane)

    def _might_lead(self, job: Pending, lane: Lane) -> bool:
        return lane not in self.heads and (not self._closing or may_lead(self._desk, job, lane[0]))

    # ── room ─────────────────────────────────────────────────────────────────────────────────────────

    def no_room(self, job: Pending, lane: Lane) -> bool:
        """Whether it is known that there is no room for jobs like this one."""
        return self.no_room_since(job, lane) <= job.max_time

    def no_room_since(self, job: Pending, lane: Lane) -> int:
        """From which duration on there is none for jobs like this one."""
        return self._no_room[lane, self._closing.rank(job.max_time)].get(job.ask, NEVER)

    def note_no_room(self, job: Pending, lane: Lane, since: int) -> None:
        """Remember that jobs of this lane and rank with the same ask and at least this duration find no room."""
        self._close(lane, self._closing.rank(job.max_time), job.ask, since)

    def _close(self, lane: Lane, rank: int, ask: Ask, since: int) -> None:
        self._no_room[lane, rank][ask] = since
        for max_time, number in self._desk.snapshot.wants.get(ask, {}).items():
            if max_time >= since and self._closing.rank(max_time) == rank:
                self._open[lane] &= ~(1 << number)

    def reserved_for(self, job: Pending, lane: Lane) -> Pending | None:
        """The job whose reservation keeps jobs like this one from room that they would fit in."""
        return self._reserved_for.get((lane, self._closing.rank(job.max_time), job.ask))

    def note_reserved_for(self, holder: Pending, job: Pending, lane: Lane) -> None:
        self._reserved_for[lane, self._closing.rank(job.max_time), job.ask] = holder

    # ── gates ────────────────────────────────────────────────────────────────────────────────────────

    def gate(self, job: Pending, lane: Lane) -> Reason | None:
        """The cap or limit that this job, or one like it, waits for."""
        known = self._gate_of.get(job.job_id)
        return known or self._gates.get((job.owner, job.project, lane[0], job.ask))

    def note_gate(self, job: Pending, lane: Lane, gate: Reason) -> None:
        self._gate_of[job.job_id] = gate
        # Others who ask the same may be shorter, or mount other volumes.
        if not isinstance(gate, RunTimeLimit | VolumeBusy | VolumeFull):
            self._gates[job.owner, job.project, lane[0], job.ask] = gate

    # ── others who would make room ───────────────────────────────────────────────────────────────────

    def entitled(self, project: str, priority: str, model: str) -> bool:
        """Whether jobs of this project and priority may evict others at all."""
        key = (project, priority, model)
        if key not in self._entitled:
            self._entitled[key] = self._desk.evictor.entitled(project, priority, model)
        return self._entitled[key]

    def nobody_leaves(self, job: Pending, lane: Lane, gate: Reason | None = None) -> bool:
        """Whether making room already failed for a job with the same possible victims."""
        return self._nobody_leaves.get(self._way(job, lane, gate), NEVER) <= job.max_time

    def note_nobody_leaves(self, job: Pending, lane: Lane, gate: Reason | None) -> None:
        self._nobody_leaves[self._way(job, lane, gate)] = job.max_time

    def _way(self, job: Pending, lane: Lane, gate: Reason | None) -> tuple[object, ...]:
        """A key for jobs with the same possible victims."""
        alone = job.owner if gate else job.job_id if job.gave_way_to else ""
        return (job.project, job.priority, lane[0], alone, job.ask, self._closing.rank(job.max_time))
