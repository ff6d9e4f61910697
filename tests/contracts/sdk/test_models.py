"""The SDK's dataclasses are what the API says: no field more, none fewer."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from typing import Any

import pytest

from danlu.sdk import (
    clusters,
    errors,
    examples,
    flavors,
    frameworks,
    metrics,
    models,
    people,
    projects,
    quotas,
    stacks,
    trends,
    upkeep,
    usage,
)

RENAMED = {"class": "job_class"}  # a word of the language in Python
PAIRS = {
    models.Reason: "Reason",
    models.Task: "Task",
    models.Attempt: "Attempt",
    models.Saved: "Saved",
    models.JobRow: "JobRow",
    models.Job: "JobDetail",
    models.Check: "CheckResult",
    models.Node: "Node",
    models.Event: "Event",
    models.LogLine: "LogLine",
    models.User: "User",
    models.Project: "Project",
    models.Priority: "Priority",
    models.Pool: "Pool",
    models.Flavor: "Flavor",
    models.Limit: "Limit",
    models.QueueItem: "QueueItem",
    models.Lane: "Lane",
    models.Help: "Help",
    models.Why: "Why",
    models.Score: "Score",
    models.LedgerRow: "LedgerRow",
    metrics.MetricPoint: "MetricPoint",
    metrics.MetricName: "MetricName",
    metrics.MetricSeries: "MetricSeries",
    metrics.Throughput: "Throughput",
    metrics.GpuBusy: "GpuBusy",
    metrics.JobMetrics: "JobMetrics",
    stacks.TaskStacks: "TaskStacks",
    usage.Line: "Line",
    usage.GpuLines: "GpuLines",
    usage.TaskUsage: "TaskUsage",
    usage.JobUsage: "JobUsage",
    usage.NodeUsage: "NodeUsage",
    clusters.Cluster: "Cluster",
    projects.Member: "Member",
    projects.Standing: "Standing",
    projects.Request: "PersonalRequest",
    people.UserDetail: "UserDetail",
    people.SignInAddress: "SignInAddress",
    people.Invited: "Invited",
    people.BulkOutcome: "BulkOutcome",
    people.Group: "GroupDetail",
    people.MembersChanged: "MembersChanged",
    people.SshKey: "SshKey",
    people.Me: "Me",
    clusters.ClusterReport: "ClusterReport",
    upkeep.NodeMoved: "NodeMoved",
    upkeep.NodeOutcome: "NodeOutcome",
    upkeep.NodesDrained: "NodesDrained",
    upkeep.Maintenance: "Maintenance",
    trends.TrendPoint: "TrendPoint",
    trends.TrendLine: "TrendLine",
    trends.CapacityPoint: "CapacityPoint",
    trends.CapacityLine: "CapacityLine",
    trends.Trend: "Trend",
    models.Resources: "Resources",
    flavors.FlavorOffer: "FlavorOffer",
    flavors.FlavorProposal: "FlavorProposal",
    flavors.FlavorMeasured: "FlavorMeasured",
    flavors.FlavorChoice: "FlavorChoice",
    flavors.FlavorRecommendation: "FlavorRecommendation",
    flavors.FlavorEdited: "FlavorEdited",
    flavors.FlavorDeleted: "FlavorDeleted",
    examples.Example: "Example",
    examples.ExampleDetail: "ExampleDetail",
    frameworks.Framework: "Framework",
    frameworks.FrameworkStrategy: "FrameworkStrategy",
    frameworks.FrameworkRole: "FrameworkRole",
    frameworks.FrameworkProposal: "FrameworkProposal",
    frameworks.ProposedRole: "ProposedRole",
    errors.Problem: "FieldError",
    errors.Finding: "Finding",
    errors.Shortfall: "Shortfall",
    quotas.Quota: "Quota",
    quotas.QuotaRaise: "QuotaRaise",
    quotas.QuotaRow: "QuotaRow",
    quotas.StorageRow: "StorageRow",
    quotas.Budget: "Budget",
    quotas.QuotaStanding: "QuotaStanding",
}


@pytest.fixture(scope="session")
def schemas() -> dict[str, Any]:
    said = subprocess.run([sys.executable, "-m", "danlu.server.openapi"], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(said.stdout)["components"]["schemas"]
    return found


@pytest.mark.parametrize(("model", "name"), PAIRS.items(), ids=PAIRS.values())
def test_a_model_has_the_fields_of_its_schema(model: Any, name: str, schemas: dict[str, Any]) -> None:
    ours = {field.name for field in dataclasses.fields(model)}
    theirs = {RENAMED.get(key, key) for key in schemas[name]["properties"]}
    assert ours == theirs


def test_a_token_has_the_fields_of_both_its_schemas(schemas: dict[str, Any]) -> None:
    ours = {field.name for field in dataclasses.fields(models.Token)}
    assert ours == set(schemas["Token"]["properties"]) | set(schemas["TokenCreated"]["properties"])
