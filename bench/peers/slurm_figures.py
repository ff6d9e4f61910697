"""What Slurm's controller spends on a decision and on a submission."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bench.peers.slurm_controller import Controller, Cpu, running
from bench.workload import Scenario, requests

# Long enough for a round of backfill, every thirty seconds, after the last change.
_QUIET = 35.0
_REFILLS = 3


@dataclass(frozen=True)
class Refill:
    """Places that became free in a full cluster, given to others; CPU seconds from the ends to those starts."""

    started: int
    backfilled: int
    """Of the started, those that backfill came upon first."""
    cpu: Cpu

    @property
    def each(self) -> float:
        return self.cpu.deciding / self.started


@dataclass(frozen=True)
class Decisions:
    """CPU seconds per started job on an empty cluster, of the deciding threads and of the whole controller; then
    refills of a full one; and how much backfill spent meanwhile, in how many rounds."""

    empty: float
    empty_whole: float
    refills: list[Refill]
    backfill: float
    rounds: int

    @property
    def full(self) -> Refill:
        """The refill of median cost."""
        return sorted(self.refills, key=lambda refill: refill.each)[len(self.refills) // 2]


@dataclass(frozen=True)
class Submissions:
    """End to end, with clients and controller on the same machine."""

    per_second: float
    cpu_each: float
    """CPU seconds of the controller."""


def decisions(scenario: Scenario) -> Decisions:
    with running(scenario.nodes) as slurm:
        slurm.submit(scenario.first)
        before = slurm.cpu()
        slurm.open()
        started = slurm.await_started(len(scenario.first), 600)
        empty = slurm.cpu() - before
        assert started == len(scenario.first), f"{started} of {len(scenario.first)} started in ten minutes"
        _fill(slurm, scenario)
        before, rounds = slurm.cpu(), slurm.backfill_rounds()
        refills = [_refill(slurm, scenario.freed) for _ in range(_REFILLS)]
        backfill, rounds = (slurm.cpu() - before).backfill, slurm.backfill_rounds() - rounds
    return Decisions(empty.deciding / started, empty.whole / started, refills, backfill, rounds)


def submissions(nodes: int, count: int, clients: int = 4) -> Submissions:
    """As they come: the partition is open, and jobs start meanwhile."""
    with running(nodes) as slurm:
        slurm.open()
        before, began = slurm.cpu(), time.monotonic()
        slurm.submit(requests(count), clients)
        wall, spent = time.monotonic() - began, slurm.cpu() - before
    return Submissions(count / wall, spent.whole / count)


def _fill(slurm: Controller, scenario: Scenario) -> None:
    """No node is left empty, the queue is there, and whatever of it still fitted has started."""
    slurm.submit_whole_nodes(slurm.idle_nodes())
    slurm.await_rest(_QUIET, 300)
    assert slurm.idle_nodes() == 0, "the jobs that fill the cluster did not all start"
    slurm.close()
    slurm.submit(scenario.queue)
    slurm.open()
    slurm.await_rest(_QUIET, 600)


def _refill(slurm: Controller, freed: int) -> Refill:
    began, backfilled, before = slurm.started(), slurm.backfilled(), slurm.cpu()
    slurm.end_jobs_of_one_gpu(freed)
    # A job of eight GPUs at the head takes none of these places, and the last few may wait for backfill.
    started = slurm.await_started(began + int(0.9 * freed), 180) - began
    spent = slurm.cpu() - before
    assert started, "nothing started in the places that became free"
    refill = Refill(started, slurm.backfilled() - backfilled, spent)
    slurm.await_rest(_QUIET, 300)
    return refill
