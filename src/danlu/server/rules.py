"""Who may knock at which door: every route has a rule, and none is served without.

A permission here is what a caller must have on things of their own; what they may do with things of others
is decided by `control`, which knows whose they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from danlu.domain.permissions import Permission

P = Permission
API = "/api/v1"


class Anyone(Enum):
    """Rules that ask for no permission."""

    OPEN = "open"
    SIGNED_IN = "signed in"


OPEN, SIGNED_IN = Anyone.OPEN, Anyone.SIGNED_IN
Rule = Permission | Anyone

RULES: Mapping[tuple[str, str], Rule] = {
    ("POST", f"{API}/session"): OPEN,
    ("POST", f"{API}/session/link"): OPEN,
    ("GET", f"{API}/session"): SIGNED_IN,
    ("DELETE", f"{API}/session"): SIGNED_IN,
    ("PUT", f"{API}/me/password"): SIGNED_IN,
    ("GET", f"{API}/permissions"): SIGNED_IN,
    ("GET", f"{API}/me/preferences"): SIGNED_IN,
    ("PATCH", f"{API}/me/preferences"): SIGNED_IN,
    ("GET", f"{API}/me/sessions"): SIGNED_IN,
    ("DELETE", f"{API}/me/sessions"): SIGNED_IN,
    ("DELETE", f"{API}/me/sessions/{{id}}"): SIGNED_IN,
    ("GET", f"{API}/resources"): P.NODE_READ,
    ("GET", f"{API}/jobs"): P.JOB_READ,
    ("POST", f"{API}/jobs"): P.JOB_WRITE,
    ("POST", f"{API}/jobs/check"): P.JOB_WRITE,
    ("GET", f"{API}/jobs/{{job}}"): P.JOB_READ,
    ("DELETE", f"{API}/jobs/{{job}}"): P.JOB_DELETE,
    ("PUT", f"{API}/jobs/{{job}}/spec"): P.JOB_WRITE,
    ("POST", f"{API}/jobs/{{job}}/start"): P.JOB_WRITE,
    ("POST", f"{API}/jobs/{{job}}/stop"): P.JOB_STOP,
    ("POST", f"{API}/jobs/{{job}}/restart"): P.JOB_WRITE,
    ("POST", f"{API}/jobs/{{job}}/reset"): P.JOB_RESET,
    ("POST", f"{API}/jobs/{{job}}/clone"): P.JOB_WRITE,
    ("GET", f"{API}/jobs/{{job}}/events"): P.JOB_READ,
    ("GET", f"{API}/jobs/{{job}}/logs"): P.JOB_READ,
    ("GET", f"{API}/jobs/{{job}}/usage"): P.JOB_READ,
    ("WS", f"{API}/jobs/{{job}}/exec"): P.JOB_EXEC,
    ("GET", f"{API}/jobs/{{job}}/why"): P.QUEUE_READ,
    ("PUT", f"{API}/jobs/{{job}}/pin"): P.QUEUE_PIN,
    ("DELETE", f"{API}/jobs/{{job}}/pin"): P.QUEUE_PIN,
    ("POST", f"{API}/jobs/{{job}}/order"): P.QUEUE_ORDER,
    ("GET", f"{API}/queue"): P.QUEUE_READ,
    ("GET", f"{API}/scores"): P.SCORE_READ,
    ("GET", f"{API}/scores/{{user}}"): P.SCORE_READ,
    ("GET", f"{API}/scores/{{user}}/ledger"): P.SCORE_READ,
    ("GET", f"{API}/nodes"): P.NODE_READ,
    ("GET", f"{API}/nodes/{{name}}"): P.NODE_READ,
    ("PATCH", f"{API}/nodes/{{name}}"): P.NODE_WRITE,
    ("GET", f"{API}/nodes/{{name}}/events"): P.NODE_READ,
    ("GET", f"{API}/nodes/{{name}}/usage"): P.NODE_READ,
    ("GET", f"{API}/clusters"): P.CLUSTER_READ,
    ("POST", f"{API}/clusters"): P.CLUSTER_WRITE,
    ("POST", f"{API}/clusters/check"): P.CLUSTER_WRITE,
    ("GET", f"{API}/clusters/{{name}}"): P.CLUSTER_READ,
    ("PATCH", f"{API}/clusters/{{name}}"): P.CLUSTER_WRITE,
    ("DELETE", f"{API}/clusters/{{name}}"): P.CLUSTER_WRITE,
    ("POST", f"{API}/clusters/{{name}}/check"): P.CLUSTER_WRITE,
    ("GET", f"{API}/projects"): P.PROJECT_READ,
    ("POST", f"{API}/projects"): P.PROJECT_CREATE,
    ("GET", f"{API}/projects/{{name}}"): P.PROJECT_READ,
    ("PATCH", f"{API}/projects/{{name}}"): P.PROJECT_CREATE,
    ("DELETE", f"{API}/projects/{{name}}"): P.PROJECT_WRITE,
    ("GET", f"{API}/priorities"): P.PRIORITY_READ,
    ("POST", f"{API}/priorities"): P.PRIORITY_WRITE,
    ("GET", f"{API}/priorities/{{name}}"): P.PRIORITY_READ,
    ("PATCH", f"{API}/priorities/{{name}}"): P.PRIORITY_WRITE,
    ("DELETE", f"{API}/priorities/{{name}}"): P.PRIORITY_WRITE,
    ("GET", f"{API}/pools"): P.POOL_READ,
    ("POST", f"{API}/pools"): P.POOL_WRITE,
    ("GET", f"{API}/pools/{{name}}"): P.POOL_READ,
    ("PATCH", f"{API}/pools/{{name}}"): P.POOL_WRITE,
    ("DELETE", f"{API}/pools/{{name}}"): P.POOL_WRITE,
    ("GET", f"{API}/flavors"): P.FLAVOR_READ,
    ("POST", f"{API}/flavors"): P.FLAVOR_WRITE,
    ("GET", f"{API}/flavors/{{name}}"): P.FLAVOR_READ,
    ("PATCH", f"{API}/flavors/{{name}}"): P.FLAVOR_WRITE,
    ("DELETE", f"{API}/flavors/{{name}}"): P.FLAVOR_WRITE,
    ("GET", f"{API}/limits"): P.LIMIT_READ,
    ("POST", f"{API}/limits"): P.LIMIT_WRITE,
    ("GET", f"{API}/limits/{{name}}"): P.LIMIT_READ,
    ("PATCH", f"{API}/limits/{{name}}"): P.LIMIT_WRITE,
    ("DELETE", f"{API}/limits/{{name}}"): P.LIMIT_WRITE,
    ("GET", f"{API}/users"): P.USER_WRITE,
    ("POST", f"{API}/users"): P.USER_WRITE,
    ("PATCH", f"{API}/users/{{name}}"): P.USER_WRITE,
    ("DELETE", f"{API}/users/{{name}}"): P.USER_WRITE,
    ("GET", f"{API}/tokens"): P.TOKEN_READ,
    ("POST", f"{API}/tokens"): P.TOKEN_WRITE,
    ("DELETE", f"{API}/tokens/{{id}}"): P.TOKEN_WRITE,
    ("PUT", f"{API}/code/{{digest}}"): P.JOB_WRITE,
    ("HEAD", f"{API}/code/{{digest}}"): P.JOB_WRITE,
    ("GET", f"{API}/code/{{digest}}"): P.JOB_READ,
    ("GET", f"{API}/events"): P.EVENT_READ,
    ("WS", f"{API}/live"): P.EVENT_READ,
    ("GET", f"{API}/schema/job"): OPEN,
    ("GET", f"{API}/version"): OPEN,
    ("GET", f"{API}/openapi.json"): OPEN,
    ("GET", "/healthz"): OPEN,
    ("GET", "/readyz"): OPEN,
    ("GET", "/metrics"): OPEN,
}

FOR_TASKS = frozenset(
    {
        ("GET", f"{API}/jobs/{{job}}"),
        ("GET", f"{API}/jobs/{{job}}/events"),
        ("GET", f"{API}/jobs/{{job}}/logs"),
        ("GET", f"{API}/code/{{digest}}"),
    }
)
"""Where a task may knock too, about its own job; everywhere else its token is refused."""
