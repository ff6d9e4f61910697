"""Which answers of the API are classes of the SDK, and where these say more than the document does."""

from __future__ import annotations

from collections.abc import Iterator

from danlu.server.http.models import Answer
from danlu.server.routes import ALL

assert ALL  # which has every answer declared

_CLASSES = {
    "problems": "Problem=FieldError Finding Shortfall",
    "jobs": "Reason Task Saved Attempt LatestReport JobRow InputStep Job=JobDetail Advice Would Check=CheckResult "
    "TaskStacks FileEntry Retention FileList",
    "metrics": "MetricPoint MetricName MetricSeries Throughput GpuBusy JobMetrics",
    "frameworks": (
        "FrameworkRole FrameworkStrategy Framework ProposedRole FrameworkProposal Example ExampleDetail"
    ),
    "events": "Event",
    "queue": "QueueItem AnybodysJob Lane ClassBacklog HeldModel Holder Help Why Score LedgerRow",
    "people": (
        "User UserDetail SignInAddress Invited BulkOutcome Group=GroupDetail MembersChanged SshKey "
        "Token=TokenCreated AnybodysToken Me"
    ),
    "projects": "Project UsableProject QuotaLeft UsableProjects Member Standing Request=PersonalRequest",
    "rules": "Priority Pool Limit",
    "quotas": "QuotaRaise Quota QuotaRow StorageRow Budget LimitUse CapUse QuotaStanding",
    "flavors": (
        "Flavor FlavorOffer FlavorProposal FlavorMeasured FlavorChoice FlavorRecommendation "
        "FlavorEdited FlavorDeleted"
    ),
    "machines": (
        "IsolationLack NodeIsolation NodeNetwork Node NodeMoved NodeOutcome NodesDrained Maintenance Cluster "
        "ClusterReport"
    ),
    "usage": (
        "Line GpuLines TaskUsage JobUsage NetworkLines NodeUsage Resources TrendPoint TrendLine "
        "CapacityPoint CapacityLine Trend"
    ),
    "audit": "AuditEntry AuditVerdict",
    "system": "Version Weakness SystemReport",
}
"""By module of `danlu.sdk.models`: a class, and its schema where that has another name. Whatever else an answer holds
stays a mapping."""

_CHOSEN = frozenset(_CLASSES) | {"http", "live", "figures", "files"}
"""Packages of the server whose classes were chosen by hand. Of every other all answers are classes but for lists."""


def _gathered() -> Iterator[tuple[str, str, str]]:
    """The module, the class, and the class that it adds to, of each answer of the other packages."""
    waiting = [Answer]
    while waiting:
        for one in waiting.pop().__subclasses__():
            waiting.append(one)
            package = one.__module__.split(".")[2]
            if package not in _CHOSEN and not one.__name__.endswith(("List", "Page")):
                base = one.__bases__[0].__name__
                yield package, one.__name__, "" if base == Answer.__name__ else base


CLASSES: dict[str, dict[str, str]] = {
    module: {name: schema for name, _, schema in (word.partition("=") for word in words.split())}
    for module, words in _CLASSES.items()
}
BASES = {"Job": "JobRow", "UserDetail": "User", "Invited": "SignInAddress", "ExampleDetail": "Example"}
"""Classes that are another one with more."""

for _module, _name, _base in _gathered():
    CLASSES.setdefault(_module, {})[_name] = ""
    if _base:
        BASES[_name] = _base

BEHAVIOUR = {
    "Event": "ByKind",
    "Finding": "ByCode",
    "Help": "Change",
    "IsolationLack": "ByCode",
    "Job": "Handle",
    "JobRow": "Living",
    "Line": "Drawn",
    "Problem": "Mistake",
    "Reason": "ByCode",
    "Shortfall": "Excess",
    "Weakness": "ByCode",
}
"""What a class does, in `danlu.sdk.models.behaviour`."""

PLAIN: set[str] = set()
"""Fields that stay mappings although there is a class: they are handed on as they came."""

NEVER_NONE = {
    "Check.advice",
    "Check.given",
    "Check.shortfalls",
    "Check.size",
    "Node.address",
    "Problem.hint_text",
    "Request.asked",
    "Task.isolation",
    "Task.step",
}
"""Fields whose null is the empty value here."""

MAY_LACK = {
    "AnybodysJob.created_at",
    "Invited.user",
    "Job.created_at",
    "JobRow.created_at",
    "LedgerRow.began",
    "Node.pool",
    "QueueItem.created_at",
    "Request.created_at",
    "SshKey.created_at",
    "Token.created_at",
    "Token.secret",
    "User.created_at",
    "UserDetail.created_at",
}
"""Fields that some answers or some servers do not have: None there."""

DEFAULTS = {
    "AnybodysJob.nodes": "1",
    "Cluster.dns": "True",
    "FrameworkRole.gpus": "True",
    "FrameworkRole.least": "1",
    "Job.nodes": "1",
    "Job.run": "1",
    "JobRow.nodes": "1",
    "JobRow.run": "1",
    "Priority.may_be_preempted": "True",
    "Project.reclaimable": "True",
    "ProposedRole.replicas": "1",
    "QueueItem.nodes": "1",
}
"""What a field is where a server does not say, other than nothing."""
