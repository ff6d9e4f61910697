"""Who may knock at which door: the words in which every route says its rule.

A permission here is what a caller must have on things of their own; what they may do with things of others
is decided by `control`, which knows whose they are. `verdicts` tells what follows from both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from danlu.domain.permissions import Permission

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


class About(Enum):
    """What a request is about, which decides whose it is."""

    COMMON = "what is common"
    """Nodes, rules, everybody's accounts: nobody's own, so it takes the permission on what belongs to others."""
    ONESELF = "oneself"
    """One's own affairs, what one is about to make, and lists of what one may see."""
    JOB = "a job"
    USER = "a person"
    PROJECT = "a project"
    """One's own if one is a creator of it, in one's project if one belongs to it otherwise."""
    REQUEST = "a request"
    """One's own if one asks, in one's project if it asks to join one that one is a creator of."""
    GROUP = "a group"
    """One's own if one is in it."""
    SCORE = "a score"
    USAGE = "what was used"
    """One's own, that of a project one belongs to, or everybody's."""
    TOKEN = "a token"
    KEY = "an SSH key"
    SESSION = "a session"


OPEN, SIGNED_IN, IN_PERSON, TASK = Anyone.OPEN, Anyone.SIGNED_IN, Anyone.IN_PERSON, Anyone.TASK
COMMON, ONESELF, JOB, USER, PROJECT = About.COMMON, About.ONESELF, About.JOB, About.USER, About.PROJECT
REQUEST, GROUP, SCORE, USAGE = About.REQUEST, About.GROUP, About.SCORE, About.USAGE
TOKEN, KEY, SESSION = About.TOKEN, About.KEY, About.SESSION


@dataclass(frozen=True, slots=True)
class Rule:
    """What a route asks for. `permission` is asked at the door, of everybody alike; then it is asked of the thing the
    request is about, or `on_it` in its place."""

    permission: Permission | Anyone
    about: About
    on_it: Permission | None = None
