"""Who may knock at which door: every route has a rule, and none is served without.

A permission here is what a caller must have on things of their own; what they may do with things of others
is decided by `control`, which knows whose they are. `verdicts` tells what follows from both.
"""

from __future__ import annotations

from collections.abc import Mapping
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


RULES: Mapping[tuple[str, str], Rule] = {
    ("POST", f"{API}/session"): Rule(OPEN, COMMON),
    ("POST", f"{API}/session/link"): Rule(OPEN, COMMON),
    ("GET", f"{API}/session/providers"): Rule(OPEN, COMMON),
    ("GET", f"{API}/session/oidc/{{provider}}"): Rule(OPEN, COMMON),
    ("GET", f"{API}/session/oidc/{{provider}}/callback"): Rule(OPEN, COMMON),
    ("GET", f"{API}/session"): Rule(SIGNED_IN, ONESELF),
    ("DELETE", f"{API}/session"): Rule(SIGNED_IN, ONESELF),
    ("PUT", f"{API}/me/password"): Rule(IN_PERSON, ONESELF),
    ("GET", f"{API}/permissions"): Rule(SIGNED_IN, ONESELF),
    ("GET", f"{API}/me"): Rule(SIGNED_IN, ONESELF),
    ("GET", f"{API}/me/keys"): Rule(P.KEY_READ, ONESELF),
    ("POST", f"{API}/me/keys"): Rule(P.KEY_WRITE, ONESELF),
    ("DELETE", f"{API}/me/keys/{{id}}"): Rule(P.KEY_WRITE, KEY),
    ("GET", f"{API}/me/preferences"): Rule(IN_PERSON, ONESELF),
    ("PATCH", f"{API}/me/preferences"): Rule(IN_PERSON, ONESELF),
    ("GET", f"{API}/me/sessions"): Rule(IN_PERSON, ONESELF),
    ("DELETE", f"{API}/me/sessions"): Rule(IN_PERSON, ONESELF),
    ("DELETE", f"{API}/me/sessions/{{id}}"): Rule(IN_PERSON, SESSION),
    ("GET", f"{API}/resources"): Rule(P.NODE_READ, COMMON),
    ("GET", f"{API}/trends"): Rule(P.USAGE_READ, USAGE),
    ("GET", f"{API}/jobs"): Rule(P.JOB_READ, ONESELF),
    ("POST", f"{API}/jobs"): Rule(P.JOB_WRITE, ONESELF),
    ("POST", f"{API}/jobs/check"): Rule(P.JOB_WRITE, ONESELF),
    ("GET", f"{API}/jobs/{{job}}"): Rule(P.JOB_READ, JOB),
    ("DELETE", f"{API}/jobs/{{job}}"): Rule(P.JOB_DELETE, JOB),
    ("PUT", f"{API}/jobs/{{job}}/spec"): Rule(P.JOB_WRITE, JOB),
    ("POST", f"{API}/jobs/{{job}}/start"): Rule(P.JOB_WRITE, JOB),
    ("POST", f"{API}/jobs/{{job}}/stop"): Rule(P.JOB_STOP, JOB),
    ("POST", f"{API}/jobs/{{job}}/restart"): Rule(P.JOB_WRITE, JOB),
    ("POST", f"{API}/jobs/{{job}}/reset"): Rule(P.JOB_RESET, JOB),
    ("POST", f"{API}/jobs/{{job}}/clone"): Rule(P.JOB_WRITE, JOB, P.JOB_READ),
    ("GET", f"{API}/jobs/{{job}}/events"): Rule(P.JOB_READ, JOB),
    ("GET", f"{API}/jobs/{{job}}/logs"): Rule(P.JOB_READ, JOB),
    ("GET", f"{API}/jobs/{{job}}/usage"): Rule(P.JOB_READ, JOB),
    ("GET", f"{API}/jobs/{{job}}/metrics"): Rule(P.JOB_READ, JOB),
    ("WS", f"{API}/jobs/{{job}}/exec"): Rule(P.JOB_EXEC, JOB),
    ("GET", f"{API}/jobs/{{job}}/stacks"): Rule(P.JOB_READ, JOB),
    ("POST", f"{API}/jobs/{{job}}/stacks"): Rule(P.JOB_EXEC, JOB),
    ("GET", f"{API}/jobs/{{job}}/why"): Rule(P.QUEUE_READ, JOB, P.JOB_READ),
    ("PUT", f"{API}/jobs/{{job}}/pin"): Rule(P.QUEUE_PIN, JOB),
    ("DELETE", f"{API}/jobs/{{job}}/pin"): Rule(P.QUEUE_PIN, JOB),
    ("POST", f"{API}/jobs/{{job}}/order"): Rule(P.QUEUE_ORDER, JOB),
    ("GET", f"{API}/queue"): Rule(P.QUEUE_READ, COMMON),
    ("GET", f"{API}/scores"): Rule(P.SCORE_READ, ONESELF),
    ("GET", f"{API}/scores/{{user}}"): Rule(P.SCORE_READ, SCORE),
    ("GET", f"{API}/scores/{{user}}/ledger"): Rule(P.SCORE_READ, SCORE),
    ("GET", f"{API}/nodes"): Rule(P.NODE_READ, COMMON),
    ("GET", f"{API}/nodes/{{name}}"): Rule(P.NODE_READ, COMMON),
    ("PATCH", f"{API}/nodes/{{name}}"): Rule(P.NODE_WRITE, COMMON),
    ("GET", f"{API}/nodes/{{name}}/events"): Rule(P.NODE_READ, COMMON),
    ("GET", f"{API}/nodes/{{name}}/usage"): Rule(P.NODE_READ, COMMON),
    ("POST", f"{API}/nodes/move"): Rule(P.NODE_WRITE, COMMON),
    ("POST", f"{API}/nodes/cordon"): Rule(P.NODE_WRITE, COMMON),
    ("POST", f"{API}/nodes/drain"): Rule(P.NODE_WRITE, COMMON),
    ("GET", f"{API}/maintenance"): Rule(P.NODE_READ, COMMON),
    ("POST", f"{API}/maintenance"): Rule(P.NODE_WRITE, COMMON),
    ("POST", f"{API}/maintenance/preview"): Rule(P.NODE_WRITE, COMMON),
    ("GET", f"{API}/maintenance/{{name}}"): Rule(P.NODE_READ, COMMON),
    ("PATCH", f"{API}/maintenance/{{name}}"): Rule(P.NODE_WRITE, COMMON),
    ("DELETE", f"{API}/maintenance/{{name}}"): Rule(P.NODE_WRITE, COMMON),
    ("GET", f"{API}/clusters"): Rule(P.CLUSTER_READ, COMMON),
    ("POST", f"{API}/clusters"): Rule(P.CLUSTER_WRITE, COMMON),
    ("POST", f"{API}/clusters/check"): Rule(P.CLUSTER_WRITE, COMMON),
    ("GET", f"{API}/clusters/{{name}}"): Rule(P.CLUSTER_READ, COMMON),
    ("PATCH", f"{API}/clusters/{{name}}"): Rule(P.CLUSTER_WRITE, COMMON),
    ("DELETE", f"{API}/clusters/{{name}}"): Rule(P.CLUSTER_WRITE, COMMON),
    ("POST", f"{API}/clusters/{{name}}/check"): Rule(P.CLUSTER_WRITE, COMMON),
    ("GET", f"{API}/projects"): Rule(P.PROJECT_READ, COMMON),
    ("POST", f"{API}/projects"): Rule(P.PROJECT_CREATE, ONESELF),
    ("GET", f"{API}/projects/{{name}}"): Rule(P.PROJECT_READ, PROJECT),
    ("PATCH", f"{API}/projects/{{name}}"): Rule(P.PROJECT_CREATE, PROJECT),
    ("DELETE", f"{API}/projects/{{name}}"): Rule(P.PROJECT_WRITE, PROJECT),
    ("GET", f"{API}/projects/{{name}}/members"): Rule(P.MEMBER_READ, PROJECT),
    ("POST", f"{API}/projects/{{name}}/members"): Rule(P.MEMBER_WRITE, PROJECT),
    ("PUT", f"{API}/projects/{{name}}/members/{{user}}"): Rule(P.MEMBER_WRITE, PROJECT),
    ("DELETE", f"{API}/projects/{{name}}/members/{{user}}"): Rule(SIGNED_IN, PROJECT, P.MEMBER_WRITE),
    ("GET", f"{API}/projects/{{name}}/standing"): Rule(P.PROJECT_READ, PROJECT),
    ("GET", f"{API}/requests"): Rule(P.REQUEST_READ, ONESELF),
    ("POST", f"{API}/requests"): Rule(P.REQUEST_WRITE, ONESELF),
    ("GET", f"{API}/requests/{{id}}"): Rule(P.REQUEST_READ, REQUEST),
    ("POST", f"{API}/requests/{{id}}/approve"): Rule(P.REQUEST_READ, REQUEST, P.MEMBER_WRITE),
    ("POST", f"{API}/requests/{{id}}/refuse"): Rule(P.REQUEST_READ, REQUEST, P.MEMBER_WRITE),
    ("POST", f"{API}/requests/{{id}}/withdraw"): Rule(P.REQUEST_WRITE, REQUEST),
    ("GET", f"{API}/priorities"): Rule(P.PRIORITY_READ, COMMON),
    ("POST", f"{API}/priorities"): Rule(P.PRIORITY_WRITE, COMMON),
    ("GET", f"{API}/priorities/{{name}}"): Rule(P.PRIORITY_READ, COMMON),
    ("PATCH", f"{API}/priorities/{{name}}"): Rule(P.PRIORITY_WRITE, COMMON),
    ("DELETE", f"{API}/priorities/{{name}}"): Rule(P.PRIORITY_WRITE, COMMON),
    ("GET", f"{API}/pools"): Rule(P.POOL_READ, COMMON),
    ("POST", f"{API}/pools"): Rule(P.POOL_WRITE, COMMON),
    ("GET", f"{API}/pools/{{name}}"): Rule(P.POOL_READ, COMMON),
    ("PATCH", f"{API}/pools/{{name}}"): Rule(P.POOL_WRITE, COMMON),
    ("DELETE", f"{API}/pools/{{name}}"): Rule(P.POOL_WRITE, COMMON),
    ("GET", f"{API}/flavors"): Rule(P.FLAVOR_READ, COMMON),
    ("POST", f"{API}/flavors"): Rule(P.FLAVOR_WRITE, COMMON),
    ("GET", f"{API}/flavors/offers"): Rule(P.FLAVOR_READ, COMMON),
    ("GET", f"{API}/flavors/recommend"): Rule(P.JOB_READ, JOB),
    ("POST", f"{API}/flavors/generate"): Rule(P.FLAVOR_WRITE, COMMON),
    ("PATCH", f"{API}/flavors"): Rule(P.FLAVOR_WRITE, COMMON),
    ("POST", f"{API}/flavors/delete"): Rule(P.FLAVOR_WRITE, COMMON),
    ("GET", f"{API}/flavors/{{name}}"): Rule(P.FLAVOR_READ, COMMON),
    ("PATCH", f"{API}/flavors/{{name}}"): Rule(P.FLAVOR_WRITE, COMMON),
    ("DELETE", f"{API}/flavors/{{name}}"): Rule(P.FLAVOR_WRITE, COMMON),
    ("GET", f"{API}/frameworks"): Rule(SIGNED_IN, ONESELF),
    ("POST", f"{API}/frameworks/propose"): Rule(P.JOB_WRITE, ONESELF),
    ("GET", f"{API}/limits"): Rule(P.LIMIT_READ, COMMON),
    ("POST", f"{API}/limits"): Rule(P.LIMIT_WRITE, COMMON),
    ("GET", f"{API}/limits/{{name}}"): Rule(P.LIMIT_READ, COMMON),
    ("PATCH", f"{API}/limits/{{name}}"): Rule(P.LIMIT_WRITE, COMMON),
    ("DELETE", f"{API}/limits/{{name}}"): Rule(P.LIMIT_WRITE, COMMON),
    ("GET", f"{API}/users"): Rule(P.USER_READ, COMMON),
    ("POST", f"{API}/users"): Rule(P.USER_WRITE, COMMON),
    ("POST", f"{API}/users/invite"): Rule(P.USER_WRITE, COMMON),
    ("POST", f"{API}/users/bulk"): Rule(P.USER_WRITE, COMMON),
    ("GET", f"{API}/users/{{name}}"): Rule(P.USER_READ, USER),
    ("POST", f"{API}/users/{{name}}/link"): Rule(P.USER_WRITE, USER),
    ("GET", f"{API}/users/{{name}}/keys"): Rule(P.KEY_READ, USER),
    ("PATCH", f"{API}/users/{{name}}"): Rule(P.USER_WRITE, USER),
    ("DELETE", f"{API}/users/{{name}}"): Rule(P.USER_WRITE, USER),
    ("GET", f"{API}/quotas"): Rule(P.QUOTA_WRITE, COMMON),
    ("POST", f"{API}/quotas/bulk"): Rule(P.QUOTA_WRITE, COMMON),
    ("GET", f"{API}/quotas/{{name}}"): Rule(P.QUOTA_WRITE, COMMON),
    ("PUT", f"{API}/quotas/{{name}}"): Rule(P.QUOTA_WRITE, COMMON),
    ("PATCH", f"{API}/quotas/{{name}}"): Rule(P.QUOTA_WRITE, COMMON),
    ("DELETE", f"{API}/quotas/{{name}}"): Rule(P.QUOTA_WRITE, COMMON),
    ("POST", f"{API}/quotas/{{name}}/raises"): Rule(P.QUOTA_WRITE, COMMON),
    ("DELETE", f"{API}/quotas/{{name}}/raises"): Rule(P.QUOTA_WRITE, COMMON),
    ("GET", f"{API}/users/{{name}}/quota"): Rule(P.QUOTA_READ, USER),
    ("GET", f"{API}/groups/{{name}}/quota"): Rule(P.QUOTA_READ, GROUP),
    ("GET", f"{API}/groups"): Rule(P.GROUP_READ, COMMON),
    ("POST", f"{API}/groups"): Rule(P.GROUP_WRITE, COMMON),
    ("GET", f"{API}/groups/{{name}}"): Rule(P.GROUP_READ, COMMON),
    ("PATCH", f"{API}/groups/{{name}}"): Rule(P.GROUP_WRITE, COMMON),
    ("DELETE", f"{API}/groups/{{name}}"): Rule(P.GROUP_WRITE, COMMON),
    ("POST", f"{API}/groups/{{name}}/members"): Rule(P.GROUP_WRITE, COMMON),
    ("GET", f"{API}/audit"): Rule(P.AUDIT_READ, COMMON),
    ("GET", f"{API}/audit/export"): Rule(P.AUDIT_READ, COMMON),
    ("GET", f"{API}/audit/verify"): Rule(P.AUDIT_READ, COMMON),
    ("GET", f"{API}/tokens"): Rule(P.TOKEN_READ, ONESELF),
    ("POST", f"{API}/tokens"): Rule(P.TOKEN_WRITE, ONESELF),
    ("DELETE", f"{API}/tokens/{{id}}"): Rule(P.TOKEN_WRITE, TOKEN),
    ("PUT", f"{API}/code/{{digest}}"): Rule(P.JOB_WRITE, ONESELF),
    ("HEAD", f"{API}/code/{{digest}}"): Rule(P.JOB_WRITE, ONESELF),
    ("GET", f"{API}/code/{{digest}}"): Rule(P.JOB_READ, JOB),
    ("GET", f"{API}/examples"): Rule(P.JOB_WRITE, ONESELF),
    ("GET", f"{API}/examples/{{name}}"): Rule(P.JOB_WRITE, ONESELF),
    ("POST", f"{API}/task/reports"): Rule(TASK, ONESELF),
    ("GET", f"{API}/events"): Rule(P.EVENT_READ, ONESELF),
    ("WS", f"{API}/live"): Rule(P.EVENT_READ, ONESELF),
    ("GET", f"{API}/schema/job"): Rule(OPEN, COMMON),
    ("GET", f"{API}/version"): Rule(OPEN, COMMON),
    ("GET", f"{API}/openapi.json"): Rule(OPEN, COMMON),
    ("GET", "/healthz"): Rule(OPEN, COMMON),
    ("GET", "/readyz"): Rule(OPEN, COMMON),
    ("GET", "/metrics"): Rule(OPEN, COMMON),
}

FOR_TASKS = frozenset(
    {
        ("GET", f"{API}/jobs/{{job}}"),
        ("GET", f"{API}/jobs/{{job}}/events"),
        ("GET", f"{API}/jobs/{{job}}/logs"),
        ("GET", f"{API}/code/{{digest}}"),
        ("POST", f"{API}/task/reports"),
    }
)
"""Where a task may knock too, about its own job; everywhere else its token is refused."""
