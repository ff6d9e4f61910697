"""What the server answers, as plain dataclasses; a module for each capability."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from danlu.sdk.models.audit import *
    from danlu.sdk.models.datasets import *
    from danlu.sdk.models.environments import *
    from danlu.sdk.models.events import *
    from danlu.sdk.models.flavors import *
    from danlu.sdk.models.frameworks import *
    from danlu.sdk.models.jobs import *
    from danlu.sdk.models.machines import *
    from danlu.sdk.models.metrics import *
    from danlu.sdk.models.outputs import *
    from danlu.sdk.models.people import *
    from danlu.sdk.models.problems import *
    from danlu.sdk.models.projects import *
    from danlu.sdk.models.queue import *
    from danlu.sdk.models.quotas import *
    from danlu.sdk.models.rules import *
    from danlu.sdk.models.system import *
    from danlu.sdk.models.templates import *
    from danlu.sdk.models.transfers import *
    from danlu.sdk.models.usage import *
    from danlu.sdk.models.volumes import *

_NAMES = {
    "audit": ("AuditEntry AuditVerdict"),
    "datasets": (
        "DatasetCount DatasetColumn DatasetTable DatasetSummary DatasetVersion DatasetRow "
        "DatasetAct DatasetChange LineageNode LineageEdge DatasetLineage DatasetStoreFigure "
        "DatasetCollected RecipeArchive RecipePath StandInSize DatasetRecipe DatasetImport Dataset"
    ),
    "environments": ("EnvironmentRow PackageVersion Environment"),
    "events": ("Event"),
    "flavors": (
        "Flavor FlavorOffer FlavorProposal FlavorMeasured FlavorChoice FlavorRecommendation "
        "FlavorEdited FlavorDeleted"
    ),
    "frameworks": (
        "FrameworkRole FrameworkStrategy Framework ProposedRole FrameworkProposal Example ExampleDetail"
    ),
    "jobs": (
        "Reason Task Saved Attempt LatestReport JobRow InputStep Job Advice Would Check TaskStacks "
        "FileEntry Retention FileList"
    ),
    "machines": (
        "IsolationLack NodeIsolation NodeNetwork Node NodeMoved NodeOutcome NodesDrained "
        "Maintenance Cluster ClusterReport"
    ),
    "metrics": ("MetricPoint MetricName MetricSeries Throughput GpuBusy JobMetrics"),
    "outputs": ("OutputProblem JobOutput"),
    "people": (
        "User UserDetail SignInAddress Invited BulkOutcome Group MembersChanged SshKey Token AnybodysToken Me"
    ),
    "problems": ("Problem Finding Shortfall"),
    "projects": ("Project UsableProject QuotaLeft UsableProjects Member Standing Request"),
    "queue": ("QueueItem AnybodysJob Lane ClassBacklog HeldModel Holder Help Why Score LedgerRow"),
    "quotas": ("QuotaRaise Quota QuotaRow StorageRow Budget LimitUse CapUse QuotaStanding"),
    "rules": ("Priority Pool Limit"),
    "system": ("Version Weakness SystemReport"),
    "templates": ("TemplateRow Template"),
    "transfers": ("TransferProgress TransferProblem ForJob Transfer TransferSchedule"),
    "usage": (
        "Line GpuLines TaskUsage JobUsage NetworkLines NodeUsage Resources TrendPoint TrendLine "
        "CapacityPoint CapacityLine Trend"
    ),
    "volumes": (
        "VolumeFindings VolumeOutside VolumeShare VolumeMount VolumeClaim VolumeRow FileFailure "
        "ChangedPath ChangedPaths TrashEntry TrashUse Trashed Restored Upload FileLink "
        "PreviewColumn FilePreview Volume"
    ),
}
HOMES = {name: f"danlu.sdk.models.{module}" for module, names in _NAMES.items() for name in names.split()}
"""By class, the module that it is loaded from when it is first used."""


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'danlu.sdk.models' has no attribute '{name}'")
    value = globals()[name] = getattr(__import__(HOMES[name], fromlist=[name]), name)
    return value
