"""The score: a person's use of a GPU model, decaying with time; exact, lazy, and the sum of what each job adds.

With g(t) in use, s' = (g − s)/T. Being linear, the score is a sum over everything ever held: something of size g
held from a to b has by t added g·(e^−(t−b)/T − e^−(t−a)/T), and while it is still held g·(1 − e^−(t−a)/T). What
was given back is settled into one number per person and model, which only decays; what is held is counted
from when it began. So nothing is sampled, a restart changes nothing, and no record means no debt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from danlu.domain.job import Time

CPU = "cpu"
"""The model under which tasks without GPUs are counted, in CPUs."""


@dataclass(frozen=True, slots=True)
class Charge:
    """A row of the ledger: how much of one model a task used, from when to when (None: still in use)."""

    user: str
    model: str
    milli: int
    began: Time
    ended: Time | None
    job_id: str
    job_name: str
    attempt: int
    task: str
    project: str = ""
    job_class: str = ""
    priority: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """The sum of all past use at one moment."""

    user: str
    model: str
    value: float = 0.0
    at: Time = 0

    def decayed(self, now: Time, score_time: int) -> float:
        return self.value * decay(now - self.at, score_time)

    def plus(self, charge: Charge, score_time: int) -> Settled:
        """Add a charge that ended; ends may become known in any order."""
        assert charge.ended is not None
        at = max(self.at, charge.ended)
        value = self.decayed(at, score_time) + added(charge, at, score_time)
        return Settled(self.user, self.model, value, at)


def added(charge: Charge, now: Time, score_time: int) -> float:
    """What a charge adds to the score by now."""
    until = now if charge.ended is None else min(charge.ended, now)
    held = -math.expm1(-max(0, until - charge.began) / score_time)
    return charge.milli / 1000 * held * decay(now - until, score_time)


def decay(passed: int, score_time: int) -> float:
    """What is left after some time; a clock that was set back changes nothing."""
    return math.exp(-max(0, passed) / score_time)
