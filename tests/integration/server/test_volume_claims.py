"""Claims of Kubernetes clusters that administrators attach as volumes."""

from __future__ import annotations

import pytest

from tests.fakes.clusters import SERVER, VERSION
from tests.fakes.server import ADMINISTRATOR, ENGINEER

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
    made = ask(ADMINISTRATOR, "POST", "clusters", json={"name": "lab", "kubeconfig": KUBECONFIG})
    assert made.status_code == 201, made.text
    yield
    for which in ask(ADMINISTRATOR, "GET", "volumes").json()["items"]:
        ask(ADMINISTRATOR, "DELETE", f"volumes/{which['id']}")
        ask(ADMINISTRATOR, "DELETE", f"volumes/{which['id']}?forever=true")
    ask(ADMINISTRATOR, "DELETE", "clusters/lab?force=true")


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
    assert "lab" in away.json()["detail"]


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
        ({"claim": ""}, ["claim"], "missing"),
        ({"cluster": "local"}, ["claim"], "contradiction"),
        ({"cluster": "labb"}, ["cluster"], "not_one_of"),
        ({"claim": "../etc"}, ["claim"], "bad_form"),
    ],
)
def test_what_is_no_claim_is_refused_at_its_place(ask, lab, change, loc, code):
    answer = ask(ADMINISTRATOR, "POST", "volumes", json={**CLAIM, **change})
    assert answer.status_code == 422, answer.text
    assert [(one["loc"], one["code"]) for one in answer.json()["errors"]] == [(loc, code)]
