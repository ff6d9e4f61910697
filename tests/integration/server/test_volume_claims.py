"""Volumes in Kubernetes clusters: claims that Danlu makes, and those that administrators attach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim
from tests.fakes.clusters import SERVER, VERSION
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER

KUBECONFIG = f"""


current-context: c
clusters: [{{name: c, cluster: {{server: "{SERVER}"}}}}]
contexts: [{{name: c, context: {{cluster: c, user: u}}}}]
users: [{{name: u, user: {{token: t}}}}]
"""
CLAIM = {"name": "features", "capacity": "10TiB", "cluster": "lab", "claim": "nfs-features"}


@pytest.fixture
def lab(ask, here):
    here.inspector.findings = (VERSION,)
    body = {"name": "lab", "kubeconfig": KUBECONFIG, "block_class": "ssd", "personal_claim": "home"}
    made = ask(ADMINISTRATOR, "POST", "clusters", json=body)
    assert made.status_code == 201, made.text
    yield
    for which in ask(ADMINISTRATOR, "GET", "volumes").json()["items"]:
        ask(ADMINISTRATOR, "DELETE", f"volumes/{which['id']}")
        ask(ADMINISTRATOR, "DELETE", f"volumes/{which['id']}?forever=true")
    ask(ADMINISTRATOR, "DELETE", "clusters/lab?force=true")
    here.store.claims_left([claim.volume for claim in here.store.kept_claims().leaving])


def test_an_administrator_attaches_a_claim_and_shares_it(ask, lab):
    made = ask(ADMINISTRATOR, "POST", "volumes", json=CLAIM)
    assert made.status_code == 201, made.text
    assert (made.json()["cluster"], made.json()["claim"], made.json()["used"]) == (
        "lab",
        "nfs-features",
        None,
    )
    address = f"volumes/{made.json()['id']}"
    share = {"shares": [{"to": "user", "name": ENGINEER, "mode": "ro"}]}
    assert ask(ADMINISTRATOR, "PUT", f"{address}/shares", json=share).status_code == 200
    assert ask(ENGINEER, "GET", address).json()["mode"] == "ro"
    away = ask(ENGINEER, "GET", f"{address}/files")
    assert away.status_code == 409
    assert "mount it in a job or workspace there" in away.json()["detail"]


def test_a_claim_is_one_volume(ask, lab):
    assert ask(ADMINISTRATOR, "POST", "volumes", json=CLAIM).status_code == 201
    again = ask(ADMINISTRATOR, "POST", "volumes", json={**CLAIM, "name": "twice"})
    assert again.status_code == 409
    assert f"{ADMINISTRATOR}:features" in again.json()["detail"]


def test_nobody_else_attaches_a_claim(ask, lab):
    refused = ask(ENGINEER, "POST", "volumes", json=CLAIM)
    assert refused.status_code == 403
    assert ask(ENGINEER, "GET", "volumes").json()["items"] == []


@pytest.mark.parametrize(
    ("change", "loc", "code"),
    [
        ({"claim": ""}, ["cluster"], "no_storage_class"),
        ({"claim": "danlu-volume-0v1"}, ["claim"], "reserved"),
        ({"claim": "danlu-personal-0"}, ["claim"], "reserved"),
        ({"claim": "home"}, ["claim"], "reserved"),
        ({"cluster": "local"}, ["claim"], "contradiction"),
        ({"cluster": "labb"}, ["cluster"], "not_one_of"),
        ({"claim": "../etc"}, ["claim"], "bad_form"),
    ],
)
def test_what_is_no_claim_is_refused_at_its_place(ask, lab, change, loc, code):
    answer = ask(ADMINISTRATOR, "POST", "volumes", json={**CLAIM, **change})
    assert answer.status_code == 422, answer.text
    assert [(one["loc"], one["code"]) for one in answer.json()["errors"]] == [(loc, code)]


NEW = {"name": "disk", "kind": "block", "capacity": "10GiB", "cluster": "lab"}


def test_anybody_creates_a_volume_where_there_is_a_class_for_its_kind(ask, lab):
    made = ask(ENGINEER, "POST", "volumes", json=NEW)
    assert made.status_code == 201, made.text
    one = made.json()
    assert (one["claim"], one["storage_class"]) == (f"danlu-volume-{one['id']}", "ssd")
    assert (one["made"]["state"], one["made"]["note"], one["made"]["expandable"]) == (
        "pending",
        "making",
        None,
    )
    assert one["made"]["text"]["zh"]
    [listed] = ask(ENGINEER, "GET", "volumes").json()["items"]
    assert listed["made"] == one["made"]
    assert ask(OTHER, "GET", f"volumes/{one['id']}").status_code == 404


def test_a_kind_without_a_class_is_refused_with_the_remedy(ask, lab):
    answer = ask(ENGINEER, "POST", "volumes", json={**NEW, "kind": "filesystem"})
    assert answer.status_code == 422
    [error] = answer.json()["errors"]
    assert (error["loc"], error["code"]) == (["cluster"], "no_storage_class")
    assert "danlu cluster edit lab --filesystem-class NAME" in error["hint"]


def test_what_is_at_an_address_outside_is_in_no_cluster(ask, lab):
    source = {"address": "s3://data", "endpoint": "https://s3.example.org"}
    wanted = {"name": "outside", "kind": "bucket", "cluster": "lab", "source": source}
    answer = ask(ADMINISTRATOR, "POST", "volumes", json=wanted)
    assert answer.status_code == 422, answer.text
    assert [(one["loc"], one["code"]) for one in answer.json()["errors"]] == [(["cluster"], "contradiction")]


def test_its_capacity_counts_and_an_attached_one_does_not(ask, lab):
    assert ask(ADMINISTRATOR, "POST", "volumes", json=CLAIM).status_code == 201
    assert ask(ADMINISTRATOR, "POST", "volumes", json={**NEW, "capacity": "1TiB"}).status_code == 201
    more = ask(ADMINISTRATOR, "POST", "volumes", json={**NEW, "name": "more"})
    assert more.status_code == 409, more.text
    assert "creating the volume failed" in more.json()["detail"]
    used = ask(ADMINISTRATOR, "GET", f"users/{ADMINISTRATOR}/quota").json()["storage"]
    assert {one["type"]: one["used"] for one in used}["block"] == 2**40
    assert {one["type"]: one["used"] for one in used}["filesystem"] == 0


def test_what_was_found_of_its_claim_is_told_and_says_whether_it_grows(ask, lab, here):
    made = ask(ENGINEER, "POST", "volumes", json=NEW).json()
    found = VolumeClaim(made["id"], "lab", made["claim"], ClaimState.BOUND, ClaimNote.NONE, uid="u")
    here.store.keep_claims([replace(found, expandable=False, reclaim="Retain", used=5, used_at=1000)])
    shown = ask(ENGINEER, "GET", f"volumes/{made['id']}").json()
    assert (shown["made"]["state"], shown["made"]["kept"], shown["made"]["text"]["en"]) == (
        "bound",
        True,
        "ready",
    )
    assert (shown["used"], shown["used_at"], shown["entries"]) == (5, "1970-01-01T00:00:01.000Z", None)
    refused = ask(ENGINEER, "PATCH", f"volumes/{made['id']}", json={"capacity": "20GiB"})
    assert refused.status_code == 422
    assert [one["code"] for one in refused.json()["errors"]] == ["not_expandable"]
    here.store.keep_claims([replace(found, expandable=True)])
    assert ask(ENGINEER, "PATCH", f"volumes/{made['id']}", json={"capacity": "20GiB"}).status_code == 200


def test_a_cluster_with_volumes_is_not_removed_by_the_way(ask, lab):
    assert ask(ENGINEER, "POST", "volumes", json=NEW).status_code == 201
    for refused in (
        ask(ADMINISTRATOR, "DELETE", "clusters/lab"),
        ask(ADMINISTRATOR, "PATCH", "clusters/lab", json={"namespace": "elsewhere"}),
    ):
        assert refused.status_code == 409, refused.text
        assert f"{ENGINEER}:disk" in refused.json()["detail"]


def test_its_claim_is_to_go_when_it_is_gone_for_good(ask, lab, here):
    made = ask(ENGINEER, "POST", "volumes", json=NEW).json()
    assert ask(ENGINEER, "DELETE", f"volumes/{made['id']}").status_code == 204
    assert here.store.kept_claims().leaving == ()
    assert ask(ENGINEER, "DELETE", f"volumes/{made['id']}?forever=true").status_code == 204
    [claim] = here.store.kept_claims().leaving
    assert (claim.volume, claim.name) == (made["id"], made["claim"])
    here.store.claims_left([made["id"]])


@pytest.mark.parametrize(
    ("change", "loc"),
    [
        ({"block_class": "a b"}, ["block_class"]),
        ({"filesystem_class": "-"}, ["filesystem_class"]),
        ({"personal_claim": "../etc"}, ["personal_claim"]),
        ({"personal_claim": "danlu-personal-0"}, ["personal_claim"]),
        ({"personal_size": "1KiB"}, ["personal_size"]),
    ],
)
def test_what_is_no_setting_of_storage_is_refused_at_its_place(ask, lab, change, loc):
    answer = ask(ADMINISTRATOR, "PATCH", "clusters/lab", json=change)
    assert answer.status_code == 422, answer.text
    assert [one["loc"] for one in answer.json()["errors"]] == [loc]
