"""The scheduling decision as a pure function: which queued jobs start where, which are evicted, and why others wait."""

from danlu.scheduler.ask import Ask, ask_of, selecting
from danlu.scheduler.board import Board, Snapshot
from danlu.scheduler.decide import NOTHING_TO_DECIDE, Decision, decide
from danlu.scheduler.model import (
    FOREVER,
    Assigned,
    BlockMount,
    Eviction,
    Growth,
    Lane,
    Pending,
    Plan,
    Rules,
    Running,
    Start,
)
from danlu.scheduler.possible import could_ever_start

__all__ = [
    "FOREVER",
    "NOTHING_TO_DECIDE",
    "Ask",
    "Assigned",
    "BlockMount",
    "Board",
    "Decision",
    "Eviction",
    "Growth",
    "Lane",
    "Pending",
    "Plan",
    "Rules",
    "Running",
    "Snapshot",
    "Start",
    "ask_of",
    "could_ever_start",
    "decide",
    "selecting",
]
