"""Which answers of the API are classes of the SDK, and where these say more than the document does."""

from __future__ import annotations

_CLASSES = {
    "problems": "Problem=FieldError Finding Shortfall",
    "jobs": "Reason Task Saved Attempt JobRow Job=JobDetail Check=CheckResult TaskStacks",
    "metrics": "MetricPoint MetricName MetricSeries Throughput GpuBusy JobMetrics",
    "frameworks": (
        "FrameworkRole FrameworkStrategy Framework ProposedRole FrameworkProposal Example ExampleDetail"
    ),
    "events": "Event",
    "queue": "QueueItem Lane Help Why Score LedgerRow",
    "people": (
        "User UserDetail SignInAddress Invited BulkOutcome Group=GroupDetail MembersChanged SshKey "
        "Token=TokenCreated Me"
    ),
    "projects": "Project Member Standing Request=PersonalRequest",
    "rules": "Priority Pool Limit",
    "quotas": "QuotaRaise Quota QuotaRow StorageRow Budget QuotaStanding",
    "flavors": (
        "Flavor FlavorOffer FlavorProposal FlavorMeasured FlavorChoice FlavorRecommendation "
        "FlavorEdited FlavorDeleted"
    ),
    "machines": "Node NodeMoved NodeOutcome NodesDrained Maintenance Cluster ClusterReport",
    "usage": (
        "Line GpuLines TaskUsage JobUsage NodeUsage Resources TrendPoint TrendLine CapacityPoint "
        "CapacityLine Trend"
    ),
    "audit": "AuditEntry AuditVerdict",
    "system": "Version",
}
"""By module of `danlu.sdk.models`: a class, and its schema where that has another name. Whatever else an answer holds
stays a mapping."""

CLASSES = {
    module: {name: schema for name, _, schema in (word.partition("=") for word in words.split())}
    for module, words in _CLASSES.items()
}

BASES = {"Job": "JobRow", "UserDetail": "User", "Invited": "SignInAddress", "ExampleDetail": "Example"}
"""Classes that are another one with more."""

BEHAVIOUR = {
    "Event": "ByKind",
    "Finding": "ByCode",
    "Help": "Change",
    "JobRow": "Living",
    "Line": "Drawn",
    "Problem": "Mistake",
    "Reason": "ByCode",
    "Shortfall": "Excess",
}
"""What a class does, in `danlu.sdk.models.behaviour`."""

PLAIN: set[str] = {"Check.errors", "Check.shortfalls"}
"""Fields that stay mappings although there is a class: they are handed on as they came."""

NEVER_NONE = {
    "Check.advice",
    "Check.shortfalls",
    "Check.size",
    "Check.would",
    "Node.address",
    "Problem.hint_text",
    "Request.asked",
    "Task.isolation",
    "Task.step",
}
"""Fields whose null is the empty value here."""

MAY_LACK = {
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
    "Cluster.dns": "True",
    "FrameworkRole.gpus": "True",
    "FrameworkRole.least": "1",
    "Job.nodes": "1",
    "JobRow.nodes": "1",
    "Priority.may_be_preempted": "True",
    "Project.reclaimable": "True",
    "ProposedRole.replicas": "1",
    "QueueItem.nodes": "1",
}
"""What a field is where a server does not say, other than nothing."""
