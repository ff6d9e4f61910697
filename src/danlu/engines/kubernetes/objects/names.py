"""Names of Danlu's objects in a cluster: they follow from the attempt, so that none is created twice."""

from __future__ import annotations

import hashlib
import re

_LONGEST = 63

MANAGED_BY, DANLU = "app.kubernetes.io/managed-by", "danlu"
ATTEMPT, JOB, TASK, OWNER = "danlu.io/attempt", "danlu.io/job", "danlu.io/task", "danlu.io/owner"
TOMBSTONE = "danlu.io/tombstone"
INSTALLATION = "danlu.io/installation"
"""Which Danlu, and its name for the cluster: objects of others are never deleted."""
OURS = f"{MANAGED_BY}={DANLU}"
"""The label selector that finds everything of Danlu's."""


def pod_name(attempt_id: str, task_name: str) -> str:
    """The only name a pod for this task of this attempt can have."""
    name = f"{attempt_id}-{task_name}".lower()
    if len(name) <= _LONGEST:
        return name
    tail = hashlib.sha256(name.encode()).hexdigest()[:10]
    return f"{name[: _LONGEST - len(tail) - 1].rstrip('-')}-{tail}"


def service_name(attempt_id: str) -> str:
    """Services, unlike pods, must begin with a letter."""
    return f"danlu-{attempt_id}".lower()


def label_value(text: str) -> str:
    """The text as a label may have it: what labels cannot hold becomes `_`, and length is cut."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", text)[:_LONGEST].strip("._-")
