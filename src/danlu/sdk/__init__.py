"""Danlu from Python: `Client` and what it answers. Standard library only, Python 3.8 or newer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.sdk.clusters import Cluster, ClusterReport
    from danlu.sdk.errors import (
        BadCode,
        BadConfig,
        BadFile,
        ClusterNotReady,
        Conflict,
        DanluError,
        Finding,
        Invalid,
        KeyReused,
        NameTaken,
        NotAllowed,
        NotFound,
        NotSignedIn,
        Problem,
        ServerFailed,
        Stale,
        TimedOut,
        TooLarge,
        TooMany,
        Unavailable,
        Unreachable,
        WrongCredentials,
        WrongState,
    )
    from danlu.sdk.models import (
        Attempt,
        Check,
        Event,
        Flavor,
        Help,
        Job,
        JobRow,
        Lane,
        LedgerRow,
        Limit,
        LogLine,
        Node,
        Pool,
        Priority,
        Project,
        QueueItem,
        Reason,
        Resources,
        Score,
        Task,
        Token,
        User,
        Version,
        Why,
    )
    from danlu.sdk.usage import GpuLines, JobUsage, Line, NodeUsage, TaskUsage

__all__ = [
    "Attempt",
    "BadCode",
    "BadConfig",
    "BadFile",
    "Check",
    "Client",
    "Cluster",
    "ClusterNotReady",
    "ClusterReport",
    "Conflict",
    "DanluError",
    "Event",
    "Finding",
    "Flavor",
    "GpuLines",
    "Help",
    "Invalid",
    "Job",
    "JobRow",
    "JobUsage",
    "KeyReused",
    "Lane",
    "LedgerRow",
    "Limit",
    "Line",
    "LogLine",
    "NameTaken",
    "Node",
    "NodeUsage",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "Pool",
    "Priority",
    "Problem",
    "Project",
    "QueueItem",
    "Reason",
    "Resources",
    "Score",
    "ServerFailed",
    "Stale",
    "Task",
    "TaskUsage",
    "TimedOut",
    "Token",
    "TooLarge",
    "TooMany",
    "Unavailable",
    "Unreachable",
    "User",
    "Version",
    "Why",
    "WrongCredentials",
    "WrongState",
]

_MODELS = frozenset(
    "Attempt Check Event Flavor Help Job JobRow Lane LedgerRow Limit LogLine Node Pool Priority Project "  # noqa: SIM905
    "QueueItem Reason Resources Score Task Token User Version Why".split()
)
_USAGE = frozenset(("GpuLines", "JobUsage", "Line", "NodeUsage", "TaskUsage"))


def __getattr__(name: str) -> Any:
    """Load a name when it is first used, so that `import danlu` costs a training nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'danlu.sdk' has no attribute '{name}'")
    # Each by its own statement: `importlib` would cost more than what it loads.
    if name == "Client":
        from danlu.sdk import client

        value: Any = client.Client
    elif name in _MODELS:
        from danlu.sdk import models

        value = getattr(models, name)
    elif name in _USAGE:
        from danlu.sdk import usage

        value = getattr(usage, name)
    elif name in ("Cluster", "ClusterReport"):
        from danlu.sdk import clusters

        value = getattr(clusters, name)
    else:
        from danlu.sdk import errors

        value = getattr(errors, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
