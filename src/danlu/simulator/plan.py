"""A plan as `danlu sim decide` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class Card(TypedDict):
    """A GPU, or a share of one."""

    index: int
    share: float


class Placed(TypedDict):
    """A task and where it goes, or where it leaves."""

    task: str
    role: str
    index: int
    node: str
    gpus: list[Card]


class Cause(TypedDict):
    code: str
    params: Mapping[str, object]
    text: dict[str, str]


class Start(TypedDict):
    """A job that starts or grows, once those in `after` have left."""

    job: str
    tasks: list[Placed]
    after: list[str]


class Leave(TypedDict):
    """A job that makes room for another, as a whole or with some tasks."""

    job: str
    tasks: list[Placed]
    whole: bool
    made_for: str
    reason: Cause


class Wait(TypedDict):
    """A job that waits: why, and at which place of which lane."""

    job: str
    lane: str
    position: int
    reason: Cause
    ahead: list[str]


class Plan(TypedDict):
    now: str
    starts: list[Start]
    growths: list[Start]
    evictions: list[Leave]
    waiting: list[Wait]
    queue: dict[str, list[str]]
    scores: dict[str, dict[str, float]]
