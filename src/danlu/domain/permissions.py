"""Who may do what: permissions are `noun:verb`, granted by role, by group, and by the caller's relation to a thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from danlu.domain.audit import Entry
from danlu.domain.errors import NotAllowed
from danlu.domain.job import Time
from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.words import NOTHING, Words, say


class Permission(StrEnum):
    JOB_READ = "job:read"
    JOB_WRITE = "job:write"
    JOB_START = "job:start"
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
    MEMBER_READ = "member:read"
    MEMBER_WRITE = "member:write"
    REQUEST_READ = "request:read"
    REQUEST_WRITE = "request:write"
    GROUP_READ = "group:read"
    GROUP_WRITE = "group:write"
    QUOTA_READ = "quota:read"
    QUOTA_WRITE = "quota:write"
    USAGE_READ = "usage:read"
    AUDIT_READ = "audit:read"
    SYSTEM_READ = "system:read"
    QUEUE_READ = "queue:read"
    QUEUE_PIN = "queue:pin"
    QUEUE_ORDER = "queue:order"
    SCORE_READ = "score:read"
    USER_READ = "user:read"
    USER_WRITE = "user:write"
    TOKEN_READ = "token:read"
    TOKEN_WRITE = "token:write"
    TOKEN_EXTEND = "token:extend"
    KEY_READ = "key:read"
    KEY_WRITE = "key:write"
    TEMPLATE_READ = "template:read"
    TEMPLATE_WRITE = "template:write"
    VOLUME_READ = "volume:read"
    VOLUME_WRITE = "volume:write"
    VOLUME_SENSITIVE = "volume:sensitive"
    TRANSFER_READ = "transfer:read"
    TRANSFER_WRITE = "transfer:write"
    VOLUME_ATTACH = "volume:attach"
    DATASET_READ = "dataset:read"
    DATASET_WRITE = "dataset:write"
    EVENT_READ = "event:read"


class Relation(StrEnum):
    """The relation of a thing to the caller: their own, in a project that they belong to, or neither."""

    OWN = "own"
    PROJECT = "project"
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
        P.GROUP_READ,
    }
)
_IN_PROJECT = frozenset({P.MEMBER_READ, P.USAGE_READ, P.TEMPLATE_READ, P.VOLUME_READ, P.DATASET_READ})
_OWN_READ = frozenset(
    {
        P.JOB_READ,
        P.EVENT_READ,
        P.TOKEN_READ,
        P.TOKEN_WRITE,
        P.KEY_READ,
        P.KEY_WRITE,
        P.SCORE_READ,
        P.USER_READ,
        P.QUOTA_READ,
        P.REQUEST_READ,
        P.REQUEST_WRITE,
        P.TEMPLATE_READ,
        P.VOLUME_READ,
        P.DATASET_READ,
        P.TRANSFER_READ,
    }
)
_OWN_WRITE = frozenset(
    {
        P.JOB_WRITE,
        P.JOB_START,
        P.JOB_STOP,
        P.JOB_DELETE,
        P.JOB_RESET,
        P.JOB_EXEC,
        P.PROJECT_CREATE,
        P.MEMBER_WRITE,
        P.QUEUE_ORDER,
        P.TEMPLATE_WRITE,
        P.VOLUME_WRITE,
        P.DATASET_WRITE,
        P.TRANSFER_WRITE,
    }
)
_SUPPORT = frozenset(
    {
        P.JOB_READ,
        P.JOB_STOP,
        P.JOB_RESET,
        P.NODE_WRITE,
        P.EVENT_READ,
        P.SCORE_READ,
        P.USER_READ,
        P.QUOTA_READ,
        P.MEMBER_READ,
        P.USAGE_READ,
        P.REQUEST_READ,
        P.TEMPLATE_READ,
    }
)
PERSONAL = frozenset({P.TOKEN_READ, P.TOKEN_WRITE, P.KEY_WRITE, P.JOB_WRITE, P.QUEUE_ORDER, P.REQUEST_WRITE})
"""What nobody may do for somebody else, because it would be done in their name. No group can grant it."""

IMPLIED = {P.JOB_START: P.JOB_WRITE}
"""What a token may do with its owner's own things if it may do the other: whoever may write a job may start it."""

ANYBODY = ""
"""The owner of things that concern everybody; no user has this name."""

_OWN = _OWN_READ | _OWN_WRITE | _READ_ANYWHERE | _IN_PROJECT
_VIEWED = _OWN_READ | _READ_ANYWHERE | _IN_PROJECT

TABLE: Mapping[UserRole, Mapping[Relation, frozenset[Permission]]] = {
    UserRole.ADMINISTRATOR: {
        Relation.OWN: frozenset(Permission),
        Relation.PROJECT: frozenset(Permission) - PERSONAL,
        Relation.OTHER: frozenset(Permission) - PERSONAL,
    },
    UserRole.OPERATOR: {
        Relation.OWN: _OWN | _SUPPORT,
        Relation.PROJECT: _READ_ANYWHERE | _IN_PROJECT | _SUPPORT,
        Relation.OTHER: _READ_ANYWHERE | _SUPPORT,
    },
    UserRole.ENGINEER: {
        Relation.OWN: _OWN,
        Relation.PROJECT: _READ_ANYWHERE | _IN_PROJECT,
        Relation.OTHER: _READ_ANYWHERE,
    },
    UserRole.VIEWER: {
        Relation.OWN: _VIEWED,
        Relation.PROJECT: _READ_ANYWHERE | _IN_PROJECT,
        Relation.OTHER: _READ_ANYWHERE,
    },
}


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller: a person, perhaps with a token that may do less than they; with `job`, a task of that job.

    `granted` are permissions on everybody's things from their groups, `projects` are the projects they belong to.
    `address` and `means` say where the request comes from, and how the caller was authenticated; `token` is the token
    that they use, and `until` when it or their session ends."""

    user: User
    scopes: frozenset[str] | None = None
    job: str | None = None
    granted: frozenset[Permission] = frozenset()
    projects: Mapping[str, MemberRole] = field(default_factory=dict)
    address: str = ""
    means: str = ""
    token: str | None = None
    until: Time | None = None

    @property
    def name(self) -> str:
        return self.user.name

    def relation_to(self, owner: str, project: str | None = None) -> Relation:
        if owner == self.user.name:
            return Relation.OWN
        return Relation.PROJECT if project is not None and project in self.projects else Relation.OTHER

    def reaches(self, job_id: str) -> bool:
        """Whether they may know of a job at all: a task knows only its own."""
        return self.job is None or self.job == job_id

    def may(self, permission: Permission, owner: str | None = None, project: str | None = None) -> bool:
        """Whether they have the permission on a thing of `owner` in `project`; without an owner, on their own
        things."""
        relation = Relation.OWN if owner is None else self.relation_to(owner, project)
        if self.scopes is not None and permission not in self.scopes:
            implied = IMPLIED.get(permission) if relation is Relation.OWN else None
            if implied is None or implied not in self.scopes:
                return False
        return permission in TABLE[self.user.role][relation] or permission in self.granted

    def may_everywhere(self, permission: Permission) -> bool:
        """Whether they have the permission on things of everybody."""
        return self.may(permission, ANYBODY)

    def require(self, permission: Permission, owner: str | None = None, project: str | None = None) -> None:
        """NotAllowed unless they have the permission; it says whether the person or only the token lacks it."""
        if self.may(permission, owner, project):
            return
        if Caller(self.user, granted=self.granted, projects=self.projects).may(permission, owner, project):
            raise NotAllowed(
                say(
                    "this token does not have the permission {permission}, though its owner does; use a token with "
                    "that scope",
                    "该令牌没有权限 {permission}，但其所有者有；请使用包含该范围的令牌",
                    permission=permission.value,
                )
            )
        whose = NOTHING
        if owner is not None and owner != self.name:
            other = Words(owner, f" {owner} ") if owner else Words("others", "他人")
            whose = say(" on resources of {owner}", "（针对{owner}的内容）", owner=other)
        raise NotAllowed(
            say(
                "{name} does not have the permission {permission}{whose}",
                "{name} 没有权限 {permission}{whose}",
                permission=permission.value,
                whose=whose,
                name=self.name,
            )
        )

    def require_whole(self, what: Words) -> None:
        """NotAllowed for a token with scopes: some things only the person may do."""
        if self.scopes is not None:
            raise NotAllowed(
                say(
                    "a token with scopes cannot {what}; sign in to do that",
                    "限定了权限范围的令牌不能{what}，请登录后操作",
                    what=what,
                )
            )

    def entry(
        self,
        act: str,
        subject: str,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> Entry:
        """What they do, for the audit log."""
        return Entry(self.name, act, subject, before, after, reason, self.address, self.means)
