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
        BudgetSpent,
        ClusterNotReady,
        Conflict,
        DanluError,
        Finding,
        HasActiveJobs,
        InsufficientQuota,
        Invalid,
        KeyReused,
        NameTaken,
        NotAllowed,
        NotFound,
        NotSignedIn,
        Problem,
        ServerFailed,
        Shortfall,
        Stale,
        TimedOut,
        TooLarge,
        TooMany,
        Unavailable,
        Unreachable,
        WrongCredentials,
        WrongState,
    )
    from danlu.sdk.examples import Example, ExampleDetail
    from danlu.sdk.flavors import (
        FlavorChoice,
        FlavorDeleted,
        FlavorEdited,
        FlavorMeasured,
        FlavorOffer,
        FlavorProposal,
        FlavorRecommendation,
    )
    from danlu.sdk.frameworks import (
        Framework,
        FrameworkProposal,
        FrameworkRole,
        FrameworkStrategy,
        ProposedRole,
    )
    from danlu.sdk.metrics import (
        GpuBusy,
        JobMetrics,
        MetricName,
        MetricPoint,
        MetricSeries,
        MetricValue,
        Throughput,
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
        Saved,
        Score,
        Task,
        Token,
        User,
        Version,
        Why,
    )
    from danlu.sdk.people import (
        BulkOutcome,
        Group,
        Invited,
        Me,
        MembersChanged,
        SignInAddress,
        SshKey,
        UserDetail,
    )
    from danlu.sdk.projects import Member, Request, Standing
    from danlu.sdk.quotas import Budget, Quota, QuotaRaise, QuotaRow, QuotaStanding, StorageRow
    from danlu.sdk.stacks import TaskStacks
    from danlu.sdk.trends import CapacityLine, CapacityPoint, Trend, TrendLine, TrendPoint
    from danlu.sdk.upkeep import Maintenance, NodeMoved, NodeOutcome, NodesDrained
    from danlu.sdk.usage import GpuLines, JobUsage, Line, NodeUsage, TaskUsage

__all__ = [
    "Attempt",
    "BadCode",
    "BadConfig",
    "BadFile",
    "Budget",
    "BudgetSpent",
    "BulkOutcome",
    "CapacityLine",
    "CapacityPoint",
    "Check",
    "Client",
    "Cluster",
    "ClusterNotReady",
    "ClusterReport",
    "Conflict",
    "DanluError",
    "Event",
    "Example",
    "ExampleDetail",
    "Finding",
    "Flavor",
    "FlavorChoice",
    "FlavorDeleted",
    "FlavorEdited",
    "FlavorMeasured",
    "FlavorOffer",
    "FlavorProposal",
    "FlavorRecommendation",
    "Framework",
    "FrameworkProposal",
    "FrameworkRole",
    "FrameworkStrategy",
    "GpuBusy",
    "GpuLines",
    "Group",
    "HasActiveJobs",
    "Help",
    "InsufficientQuota",
    "Invalid",
    "Invited",
    "Job",
    "JobMetrics",
    "JobRow",
    "JobUsage",
    "KeyReused",
    "Lane",
    "LedgerRow",
    "Limit",
    "Line",
    "LogLine",
    "Maintenance",
    "Me",
    "Member",
    "MembersChanged",
    "MetricName",
    "MetricPoint",
    "MetricSeries",
    "MetricValue",
    "NameTaken",
    "Node",
    "NodeMoved",
    "NodeOutcome",
    "NodeUsage",
    "NodesDrained",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "Pool",
    "Priority",
    "Problem",
    "Project",
    "ProposedRole",
    "QueueItem",
    "Quota",
    "QuotaRaise",
    "QuotaRow",
    "QuotaStanding",
    "Reason",
    "Request",
    "Resources",
    "Saved",
    "Score",
    "ServerFailed",
    "Shortfall",
    "SignInAddress",
    "SshKey",
    "Stale",
    "Standing",
    "StorageRow",
    "Task",
    "TaskStacks",
    "TaskUsage",
    "Throughput",
    "TimedOut",
    "Token",
    "TooLarge",
    "TooMany",
    "Trend",
    "TrendLine",
    "TrendPoint",
    "Unavailable",
    "Unreachable",
    "User",
    "UserDetail",
    "Version",
    "Why",
    "WrongCredentials",
    "WrongState",
]

_MODELS = frozenset(
    "Attempt Check Event Flavor Help Job JobRow Lane LedgerRow Limit LogLine Node Pool Priority Project "  # noqa: SIM905
    "QueueItem Reason Resources Saved Score Task Token User Version Why".split()
)
_METRICS = frozenset(
    ("GpuBusy", "JobMetrics", "MetricName", "MetricPoint", "MetricSeries", "MetricValue", "Throughput")
)
_PEOPLE = frozenset(
    "BulkOutcome Group Invited Me MembersChanged SignInAddress SshKey UserDetail".split()  # noqa: SIM905
)
_QUOTAS = frozenset(("Budget", "Quota", "QuotaRaise", "QuotaRow", "QuotaStanding", "StorageRow"))
_TRENDS = frozenset(("CapacityLine", "CapacityPoint", "Trend", "TrendLine", "TrendPoint"))
_USAGE = frozenset(("GpuLines", "JobUsage", "Line", "NodeUsage", "TaskUsage"))


def __getattr__(name: str) -> Any:
    """Load a name when it is first used, so that `import danlu` costs a training nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'danlu.sdk' has no attribute '{name}'")
    # Each by its own statement: `importlib` would cost more than what it loads.
    if name == "Client":
        from danlu.sdk import client

        value: Any = client.Client
    elif name.startswith("Flavor") and name not in _MODELS:
        from danlu.sdk import flavors

        value = getattr(flavors, name)
    elif name in _MODELS:
        from danlu.sdk import models

        value = getattr(models, name)
    elif name in _METRICS:
        from danlu.sdk import metrics

        value = getattr(metrics, name)
    elif name in _PEOPLE:
        from danlu.sdk import people

        value = getattr(people, name)
    elif name in ("Member", "Request", "Standing"):
        from danlu.sdk import projects

        value = getattr(projects, name)
    elif name in _QUOTAS:
        from danlu.sdk import quotas

        value = getattr(quotas, name)
    elif name in ("Maintenance", "NodeMoved", "NodeOutcome", "NodesDrained"):
        from danlu.sdk import upkeep

        value = getattr(upkeep, name)
    elif name in _TRENDS:
        from danlu.sdk import trends

        value = getattr(trends, name)
    elif name == "TaskStacks":
        from danlu.sdk import stacks

        value = stacks.TaskStacks
    elif name in _USAGE:
        from danlu.sdk import usage

        value = getattr(usage, name)
    elif name.startswith("Framework") or name == "ProposedRole":
        from danlu.sdk import frameworks

        value = getattr(frameworks, name)
    elif name in ("Example", "ExampleDetail"):
        from danlu.sdk import examples

        value = getattr(examples, name)
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
