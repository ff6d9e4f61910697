"""Access rules: how every route declares who may call it.

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
    """Rules that need no permission."""

    OPEN = "open"
    SIGNED_IN = "signed in"
    IN_PERSON = "in person"
    """Signed in, but not with a token that has scopes: those do not act as the person."""
    TASK = "a task"
    """The token of a running task, and nobody else."""


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """What a request is about: the relations it can have to the caller, and the permission without which it is hidden.
    `own_only`: looked up only among the caller's own; others' are not found."""

    value: str
    relations: tuple[Relation, ...]
    hidden_without: Permission | None = None
    own_only: bool = False


_EVERY = (Relation.OWN, Relation.PROJECT, Relation.OTHER)
_TWO = (Relation.OWN, Relation.OTHER)

COMMON = RequestTarget("what is common", (Relation.OTHER,))
"""Nodes, rules and all accounts: they belong to no single person, so the permission is needed on resources of
others."""
ONESELF = RequestTarget("oneself", (Relation.OWN,))
"""The caller's own data, things the caller creates, and lists of what the caller may see."""
JOB = RequestTarget("a job", _EVERY, hidden_without=P.JOB_READ)
USER = RequestTarget("a person", _EVERY)
PROJECT = RequestTarget("a project", _EVERY)
"""The caller's own if they are a creator of the project; in their project if they are a member or viewer."""
REQUEST = RequestTarget("a request", _EVERY, hidden_without=P.REQUEST_READ)
"""The caller's own if they made the request; in their project if somebody asks to join a project they created."""
GROUP = RequestTarget("a group", _TWO)
"""The caller's own if they are a member."""
SCORE = RequestTarget("a score", _EVERY, hidden_without=P.SCORE_READ)
USAGE = RequestTarget("what was used", _EVERY)
"""The caller's own, that of a project they belong to, or everybody's."""
TOKEN = RequestTarget("a token", _TWO, own_only=True)
KEY = RequestTarget("an SSH key", _TWO, own_only=True)
SESSION = RequestTarget("a session", _TWO, own_only=True)

OPEN, SIGNED_IN, IN_PERSON, TASK = Anyone.OPEN, Anyone.SIGNED_IN, Anyone.IN_PERSON, Anyone.TASK


@dataclass(frozen=True, slots=True)
class AccessRule:
    """What a route requires. `permission` is checked first, for every caller; then it (or `on_it` instead) is checked
    on the thing that the request is about."""

    permission: Permission | Anyone
    about: RequestTarget
    on_it: Permission | None = None
