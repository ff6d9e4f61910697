"""Who may do what: permissions are `noun:verb`, granted by role, and widened or not by ownership."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.errors import NotAllowed
from danlu.domain.people import User, UserRole


class Permission(StrEnum):
    JOB_READ = "job:read"
    JOB_WRITE = "job:write"
    JOB_STOP = "job:stop"
    JOB_DELETE = "job:delete"
    JOB_RESET = "job:reset"
    JOB_EXEC = "job:exec"
    NODE_READ = "node:read"
    NODE_WRITE = "node:write"
    CLUSTER_READ = "cluster:read"
    CLUSTER_WRITE = "cluster:write"
    POOL_READ = "pool:read"
    POOL_WRITE = "pool:write"
    FLAVOR_READ = "flavor:read"
    FLAVOR_WRITE = "flavor:write"
    PRIORITY_READ = "priority:read"
    PRIORITY_WRITE = "priority:write"
    LIMIT_READ = "limit:read"
    LIMIT_WRITE = "limit:write"
    PROJECT_READ = "project:read"
    PROJECT_CREATE = "project:create"
    PROJECT_WRITE = "project:write"
    QUEUE_READ = "queue:read"
    QUEUE_PIN = "queue:pin"
    QUEUE_ORDER = "queue:order"
    SCORE_READ = "score:read"
    USER_READ = "user:read"
    USER_WRITE = "user:write"
    TOKEN_READ = "token:read"
    TOKEN_WRITE = "token:write"
    EVENT_READ = "event:read"


class Relation(StrEnum):
    """How a thing stands to the person who asks."""

    OWN = "own"
    OTHER = "other"


P = Permission
_READ_ANYWHERE = frozenset(
    {
        P.NODE_READ,
        P.CLUSTER_READ,
        P.POOL_READ,
        P.FLAVOR_READ,
        P.PRIORITY_READ,
        P.LIMIT_READ,
        P.PROJECT_READ,
        P.QUEUE_READ,
        P.USER_READ,
    }
)
_OWN_READ = frozenset({P.JOB_READ, P.EVENT_READ, P.TOKEN_READ, P.TOKEN_WRITE, P.SCORE_READ})
_OWN_WRITE = frozenset(
    {
        P.JOB_WRITE,
        P.JOB_STOP,
        P.JOB_DELETE,
        P.JOB_RESET,
        P.JOB_EXEC,
        P.PROJECT_CREATE,
        P.QUEUE_ORDER,
    }
)

TABLE: Mapping[UserRole, Mapping[Relation, frozenset[Permission]]] = {
    UserRole.ADMINISTRATOR: {
        Relation.OWN: frozenset(Permission),
        Relation.OTHER: frozenset(Permission) - {P.TOKEN_READ, P.TOKEN_WRITE, P.JOB_WRITE, P.QUEUE_ORDER},
    },
    UserRole.ENGINEER: {
        Relation.OWN: _OWN_READ | _OWN_WRITE | _READ_ANYWHERE,
        Relation.OTHER: _READ_ANYWHERE - {P.USER_READ},
    },
    UserRole.VIEWER: {
        Relation.OWN: _OWN_READ | _READ_ANYWHERE,
        Relation.OTHER: _READ_ANYWHERE - {P.USER_READ},
    },
}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a person, perhaps through a token that may do less than they; with `job`, a task of that job."""

    user: User
    scopes: frozenset[str] | None = None
    job: str | None = None

    @property
    def name(self) -> str:
        return self.user.name

    def relation_to(self, owner: str) -> Relation:
        return Relation.OWN if owner == self.user.name else Relation.OTHER

    def reaches(self, job_id: str) -> bool:
        """Whether they may know of a job at all: a task knows of its own only."""
        return self.job is None or self.job == job_id

    def may(self, permission: Permission, owner: str | None = None) -> bool:
        """May they, on a thing of `owner`? Without an owner: on a thing of their own."""
        if self.scopes is not None and permission not in self.scopes:
            return False
        relation = Relation.OWN if owner is None else self.relation_to(owner)
        return permission in TABLE[self.user.role][relation]

    def require(self, permission: Permission, owner: str | None = None) -> None:
        """NotAllowed unless they may; it says whether the person or only the token is too narrow."""
        if self.may(permission, owner):
            return
        if Caller(self.user).may(permission, owner):
            raise NotAllowed(f"this token does not have {permission}; its owner does")
        whose = "" if owner is None or owner == self.name else f" on what belongs to {owner}"
        raise NotAllowed(f"{permission}{whose} is not granted to {self.name}")

    def require_whole(self, what: str) -> None:
        """NotAllowed for a token with scopes: some things are for the person alone."""
        if self.scopes is not None:
            raise NotAllowed(f"a token with scopes cannot {what}; sign in for that")
