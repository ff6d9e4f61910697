"""Who may knock at which door: the words in which every route says its rule.

A permission here is what a caller must have on things of their own; what they may do with things of others
is decided by `control`, which knows whose they are. `verdicts` tells what follows from both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from danlu.domain.permissions import Permission, Relation

P = Permission
API = "/api/v1"


class Anyone(Enum):
    """Rules that ask for no permission."""

    OPEN = "open"
    SIGNED_IN = "signed in"
    IN_PERSON = "in person"
    """Signed in, and not through a token with scopes: that is not the person."""
    TASK = "a task"
    """The token of a running task, and nobody else."""


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """What requests are about: how it can stand to whoever asks, and the permission without which it is hidden.
    `own_only`: asked for by its id, it is found among one's own or not at all."""

    value: str
    relations: tuple[Relation, ...]
    hidden_without: Permission | None = None
    own_only: bool = False


_EVERY = (Relation.OWN, Relation.PROJECT, Relation.OTHER)
_TWO = (Relation.OWN, Relation.OTHER)

COMMON = RequestTarget("what is common", (Relation.OTHER,))
"""Nodes, rules, everybody's accounts: nobody's own, so it takes the permission on what belongs to others."""
ONESELF = RequestTarget("oneself", (Relation.OWN,))
"""One's own affairs, what one is about to make, and lists of what one may see."""
JOB = RequestTarget("a job", _EVERY, hidden_without=P.JOB_READ)
USER = RequestTarget("a person", _EVERY)
PROJECT = RequestTarget("a project", _EVERY)
"""One's own if one is a creator of it, in one's project if one belongs to it otherwise."""
REQUEST = RequestTarget("a request", _EVERY, hidden_without=P.REQUEST_READ)
"""One's own if one asks, in one's project if it asks to join one that one is a creator of."""
GROUP = RequestTarget("a group", _TWO)
"""One's own if one is in it."""
SCORE = RequestTarget("a score", _EVERY, hidden_without=P.SCORE_READ)
USAGE = RequestTarget("what was used", _EVERY)
"""One's own, that of a project one belongs to, or everybody's."""
TOKEN = RequestTarget("a token", _TWO, own_only=True)
KEY = RequestTarget("an SSH key", _TWO, own_only=True)
SESSION = RequestTarget("a session", _TWO, own_only=True)

OPEN, SIGNED_IN, IN_PERSON, TASK = Anyone.OPEN, Anyone.SIGNED_IN, Anyone.IN_PERSON, Anyone.TASK


@dataclass(frozen=True, slots=True)
class AccessRule:
    """What a route asks for. `permission` is asked at the door, of everybody alike; then it is asked of the thing the
    request is about, or `on_it` in its place."""

    permission: Permission | Anyone
    about: RequestTarget
    on_it: Permission | None = None
