"""Danlu from Python: `Client` and what it answers. Standard library only, Python 3.8 or newer."""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would cost more than the rest of this file
if TYPE_CHECKING:
    from typing import Any

    from danlu.sdk.client import Client as Client
    from danlu.sdk.http.errors import *
    from danlu.sdk.models import *
    from danlu.sdk.resources.compare import Comparison as Comparison
    from danlu.sdk.resources.logs import LogLine as LogLine
    from danlu.sdk.resources.metrics import MetricValue as MetricValue

_ERRORS = (
    "BadCode",
    "BadConfig",
    "BadFile",
    "BudgetSpent",
    "ClusterNotReady",
    "Conflict",
    "DanluError",
    "DiskLimit",
    "DownloadFailed",
    "HasActiveJobs",
    "InsufficientQuota",
    "Invalid",
    "KeyReused",
    "NameTaken",
    "NotAllowed",
    "NotAttachable",
    "NotFound",
    "NotSignedIn",
    "ServerFailed",
    "Stale",
    "TimedOut",
    "TooLarge",
    "TooMany",
    "Unavailable",
    "Unreachable",
    "VolumeTaken",
    "WrongCredentials",
    "WrongState",
)


def __getattr__(name: str) -> Any:
    """Load a name when it is first used, so that `import danlu` costs a training nothing."""
    homes = _homes()
    if name == "__all__":
        return sorted(homes)
    if name not in homes:
        raise AttributeError(f"module 'danlu.sdk' has no attribute '{name}'")
    # The builtin: `importlib` would cost more than what it loads.
    value = globals()[name] = getattr(__import__(homes[name], fromlist=[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(_homes())


def _homes() -> dict[str, str]:
    """By name, the module that it is in."""
    from danlu.sdk.models import HOMES

    return {
        **HOMES,
        **dict.fromkeys(_ERRORS, "danlu.sdk.http.errors"),
        "Client": "danlu.sdk.client",
        "Comparison": "danlu.sdk.resources.compare",
        "LogLine": "danlu.sdk.resources.logs",
        "MetricValue": "danlu.sdk.resources.metrics",
    }
