"""A plan as `danlu sim decide` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class Card(TypedDict):
    """A GPU, or a share of one."""

    index: int
    share: float


class PrintedTask(TypedDict):
    """A task and where it goes, or where it leaves."""

    task: str
    role: str
    index: int
    node: str
    gpus: list[Card]


class PrintedReason(TypedDict):
    code: str
    params: Mapping[str, object]
    text: dict[str, str]


class PrintedStart(TypedDict):
    """A job that starts or grows, once those in `after` have left."""

    job: str
    tasks: list[PrintedTask]
    after: list[str]


class PrintedEviction(TypedDict):
    """A job that makes room for another, as a whole or with some tasks."""

    job: str
    tasks: list[PrintedTask]
    whole: bool
    made_for: str
    reason: PrintedReason


class PrintedWait(TypedDict):
    """A job that waits: why, and at which place of which lane."""

    job: str
    lane: str
    position: int
    reason: PrintedReason
    ahead: list[str]


class PrintedPlan(TypedDict):
    now: str
    starts: list[PrintedStart]
    growths: list[PrintedStart]
    evictions: list[PrintedEviction]
    waiting: list[PrintedWait]
    queue: dict[str, list[str]]
    scores: dict[str, dict[str, float]]
