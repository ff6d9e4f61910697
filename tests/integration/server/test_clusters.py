"""Clusters with the real application: checked, added, listed, changed and removed, their secrets shown to nobody."""

from __future__ import annotations

import logging

import pytest

from danlu.server.http.models import Problem
from danlu.server.machines.clusters_models import Cluster, ClusterReport
from tests.fakes.clusters import NO_NAMESPACE, NO_PLUGIN, SERVER, VERSION
from tests.fakes.server import ADMINISTRATOR, ENGINEER, VIEWER

SECRET = "token-nobody-may-see"
CONFIG = f"""
current-context: lab
contexts: [{{name: lab, context: {{cluster: c, user: u}}}}]
clusters: [{{name: c, cluster: {{server: "{SERVER}"}}}}]
users: [{{name: u, user: {{token: {SECRET}}}}}]
"""
BODY = {"name": "lab", "kubeconfig": CONFIG, "context": "lab", "image": "pytorch:2", "admission_time": "90s"}


@pytest.fixture
def lab(ask, here):
    """A cluster that is there for one test; everything is in order with it."""
    here.inspector.findings = (VERSION,)
    made = ask(ADMINISTRATOR, "POST", "clusters", json=BODY)
    assert made.status_code == 201, made.text
    yield made
    here.inspector.findings = (VERSION,)
    ask(ADMINISTRATOR, "DELETE", "clusters/lab?force=true")


def test_a_cluster_is_added_shown_changed_and_removed(ask, lab):
    assert lab.headers["location"] == "/api/v1/clusters/lab"
    shown = Cluster.model_validate(lab.json())
    assert (shown.server, shown.image, shown.admission_time, shown.state) == (
        SERVER,
        "pytorch:2",
        "1m30s",
        "empty",
    )
    assert [finding.code for finding in shown.findings] == ["loopback_url", "reachable"]
    later = {**lab.json(), "findings": []}
    assert ask(ADMINISTRATOR, "GET", "clusters/lab").json() == later
    assert ask(ADMINISTRATOR, "GET", "clusters").json() == {"items": [later], "next_cursor": None}
    assert ask(ADMINISTRATOR, "POST", "clusters", json=BODY).json()["type"] == "name_taken"

    change = {"tolerations": [], "dns": False, "helper": "danlu/danlu:1", "lost_time": "2m"}
    edited = ask(ADMINISTRATOR, "PATCH", "clusters/lab", json=change).json()
    assert {key: edited[key] for key in change} == change
    assert edited["credentials_at"] == lab.json()["credentials_at"]

    assert ask(ADMINISTRATOR, "DELETE", "clusters/lab").status_code == 204
    assert ask(ADMINISTRATOR, "GET", "clusters/lab").status_code == 404


def test_nothing_that_is_answered_told_or_logged_has_the_secret_in_it(ask, here, lab, caplog):
    with caplog.at_level(logging.DEBUG):
        said = [
            lab,
            ask(ADMINISTRATOR, "GET", "clusters"),
            ask(ADMINISTRATOR, "PATCH", "clusters/lab", json={"kubeconfig": CONFIG}),
            ask(ADMINISTRATOR, "POST", "clusters/check", json={"kubeconfig": CONFIG, "image": 5}),
            ask(ADMINISTRATOR, "POST", "clusters/check", json={"kubeconfig": {"token": SECRET}}),
        ]
    assert [answer.status_code for answer in said] == [201, 200, 200, 422, 422]
    assert not any(SECRET in answer.text for answer in said)
    assert SECRET not in caplog.text
    events = here.store.events_after(0, 1000)
    assert any(
        (event.data["rule"], event.data["name"]) == ("cluster", "lab")
        for event in events
        if event.kind == "rule_changed"
    )
    assert SECRET not in str([event.data for event in events])


def test_where_a_cluster_is_is_told_to_administrators_only(ask, lab):
    for who in (ENGINEER, VIEWER):
        shown = ask(who, "GET", "clusters/lab").json()
        assert shown == {**lab.json(), "server": None, "findings": []}
        assert ask(who, "GET", "clusters").json()["items"] == [shown]


def test_one_that_lacks_something_is_refused_with_the_findings_and_added_by_force(ask, here):
    here.inspector.findings = (VERSION, NO_NAMESPACE, NO_PLUGIN)
    refused = ask(ADMINISTRATOR, "POST", "clusters", json={**BODY, "name": "poor"})
    problem = Problem.model_validate(refused.json())
    assert (refused.status_code, problem.type) == (409, "cluster_not_ready")
    assert problem.findings is not None
    assert [(one.code, one.level) for one in problem.findings] == [
        ("no_namespace", "missing"),
        ("no_device_plugin", "warning"),
        ("loopback_url", "warning"),
        ("reachable", "ok"),
    ]
    assert ask(ADMINISTRATOR, "GET", "clusters/poor").status_code == 404

    assert (
        ask(ADMINISTRATOR, "POST", "clusters", json={**BODY, "name": "poor", "force": True}).status_code
        == 201
    )
    assert ask(ADMINISTRATOR, "DELETE", "clusters/poor").status_code == 204
    here.inspector.findings = (VERSION,)


def test_a_cluster_is_checked_before_it_is_added_and_while_it_is_used(ask, here, lab):
    here.inspector.findings = (NO_NAMESPACE,)
    for path, body in (
        ("clusters/check", {"kubeconfig": CONFIG}),
        ("clusters/check", {"in_cluster": True}),
        ("clusters/lab/check", None),
    ):
        answer = ask(ADMINISTRATOR, "POST", path, **({"json": body} if body else {}))
        report = ClusterReport.model_validate(answer.json())
        assert (report.ready, report.server, report.findings[0].text.zh) == (
            False,
            SERVER,
            "没有命名空间 danlu-jobs",
        )
        assert report.findings[0].fix is not None


@pytest.mark.parametrize(
    ("body", "place", "code"),
    [
        ({"name": "x"}, "kubeconfig", "missing"),
        ({"name": "x", "kubeconfig": "broken"}, "kubeconfig", "bad_kubeconfig"),
        ({"name": "x", "kubeconfig": CONFIG, "in_cluster": True}, "in_cluster", "contradiction"),
        ({"name": "x", "context": "lab"}, "context", "contradiction"),
        ({"name": "local", "kubeconfig": CONFIG}, "name", "reserved"),
        ({"name": "a.b", "kubeconfig": CONFIG}, "name", "bad_form"),
        ({"name": "x", "kubeconfig": CONFIG, "lost_time": "1s"}, "lost_time", "out_of_range"),
        ({"name": "x", "kubeconfig": CONFIG, "pull_policy": "Sometimes"}, "pull_policy", "not_one_of"),
    ],
)
def test_every_mistake_is_told_at_its_field(ask, body, place, code):
    answer = ask(ADMINISTRATOR, "POST", "clusters", json=body)
    assert answer.status_code == 422
    assert [(".".join(map(str, error["loc"])), error["code"]) for error in answer.json()["errors"]] == [
        (place, code)
    ]


WAYS = [
    ("GET", "clusters", (200, 200, 200, 401)),
    ("GET", "clusters/lab", (200, 200, 200, 401)),
    ("POST", "clusters", (422, 403, 403, 401)),
    ("POST", "clusters/check", (422, 403, 403, 401)),
    ("POST", "clusters/lab/check", (200, 403, 403, 401)),
    ("PATCH", "clusters/lab", (200, 403, 403, 401)),
    ("DELETE", "clusters/none", (404, 403, 403, 401)),
]


@pytest.mark.parametrize(("method", "path", "expected"), WAYS)
def test_who_may_do_what_with_clusters(ask, lab, method, path, expected):
    body: dict[str, dict[str, str]] = {"json": {}} if method in ("POST", "PATCH") else {}
    people = (ADMINISTRATOR, ENGINEER, VIEWER, None)
    assert tuple(ask(who, method, path, **body).status_code for who in people) == expected


def test_a_project_tied_to_it_keeps_it_unless_by_force(ask, lab):
    ask(ADMINISTRATOR, "POST", "projects", json={"name": "tied", "node_selector": {"cluster": "lab"}})
    kept = ask(ADMINISTRATOR, "DELETE", "clusters/lab")
    assert (kept.status_code, "used by project tied" in kept.json()["detail"]) == (409, True)
    assert ask(ADMINISTRATOR, "DELETE", "clusters/lab?force=true").status_code == 204
    assert ask(ADMINISTRATOR, "DELETE", "projects/tied").status_code == 204
