"""The verbs on quotas, and the error that says what is lacking."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.sdk import (
    Budget,
    BudgetSpent,
    Client,
    InsufficientQuota,
    Quota,
    QuotaRaise,
    QuotaRow,
    QuotaStanding,
    StorageRow,
)
from tests.fakes.http_server import FakeServer, Reply

RAISE = {"amounts": {"all": {"gpus": 4}}, "until": "2027-01-01T00:00:00.000Z", "by": "ann", "reason": "why"}
LIN: dict[str, Any] = {"name": "user:lin", "amounts": {"all": {"gpus": 2}}, "storage": {"block": None}, "raises": [RAISE], "description": ""}  # fmt: skip
KNOWN = Quota("user:lin", {"all": {"gpus": 2}}, {"block": None}, (QuotaRaise(**RAISE),))  # type: ignore[arg-type]
SHORT = {"quota": "user:lin", "class": "all", "resource": "gpus", "used": 2, "asked": 1, "limit": 2, "jobs": ["lin:notebook"], "text": {"en": "words"}}  # fmt: skip


def test_quotas_are_read_set_raised_and_removed(server: FakeServer, client: Client) -> None:
    server.on("GET", "quotas", {"items": [LIN], "next_cursor": None, "total": 1})
    server.on("GET", "quotas/user:lin", LIN)
    server.on("PUT", "quotas/user:lin", LIN)
    server.on("PATCH", "quotas/user:lin", LIN)
    server.on("DELETE", "quotas/user:lin", Reply(204))
    server.on("POST", "quotas/user:lin/raises", Reply(201, LIN))
    server.on("DELETE", "quotas/user:lin/raises", LIN)
    server.on("POST", "quotas/bulk", {"items": [LIN], "next_cursor": None, "total": 1})
    assert client.quotas.list("lin") == [client.quotas.get("user:lin")] == [KNOWN]
    assert client.quotas.set("user:lin", amounts={"all": {"gpus": 2}}) == KNOWN
    assert client.quotas.edit("user:lin", description="words") == KNOWN
    assert client.quotas.set_many(["user:lin"], amounts={}) == [KNOWN]
    assert client.quotas.add_raise("user:lin", {"all": {"gpus": 4}}, "7d", "why") == KNOWN
    assert client.quotas.end_raises("user:lin") == KNOWN
    client.quotas.delete("user:lin")
    sent = [one.json() for one in server.requests if one.method in ("PUT", "PATCH", "POST")]
    assert sent == [
        {"amounts": {"all": {"gpus": 2}}},
        {"description": "words"},
        {"names": ["user:lin"], "amounts": {}},
        {"amounts": {"all": {"gpus": 4}}, "life": "7d", "reason": "why"},
    ]


def test_what_holds_is_read_with_what_is_used(server: FakeServer, client: Client) -> None:
    row = {"quota": "user:lin", "class": "all", "resource": "gpus", "limit": 2, "used": 1, "source": "user", "until": None}  # fmt: skip
    budget = {"priority": "urgent", "budget": 40, "spent": 2.5, "since": "s", "renews": "r"}
    found = {"items": [row], "storage": [{"type": "block", "limit": 1, "used": 0}], "budgets": [budget]}
    server.on("GET", "users/lin/quota", found)
    server.on("GET", "groups/nlp/quota", found)
    known = QuotaStanding(
        (QuotaRow("user:lin", "all", "gpus", 2, 1, "user"),),
        (StorageRow("block", 1, 0),),
        (Budget("urgent", 40, 2.5, "s", "r"),),
    )
    assert client.quotas.of_user("lin") == client.quotas.of_group("nlp") == known


def test_a_start_beyond_a_quota_says_what_is_lacking(server: FakeServer, client: Client) -> None:
    problem = {
        "type": "insufficient_quota",
        "status": 409,
        "detail": "insufficient quota: words",
        "errors": [],
    }
    server.on("POST", "jobs/notebook/start", Reply(409, {**problem, "shortfalls": [SHORT]}))
    with pytest.raises(InsufficientQuota, match="insufficient quota: words") as refused:
        client.start("notebook")
    (short,) = refused.value.shortfalls
    assert (short.quota, short.job_class, short.used, short.asked, short.limit) == (
        "user:lin",
        "all",
        2,
        1,
        2,
    )
    assert (short.jobs, str(short)) == (("lin:notebook",), "words")


def test_a_spent_budget_is_an_error_of_its_own(server: FakeServer, client: Client) -> None:
    server.on(
        "POST", "jobs/notebook/start", Reply(409, {"type": "budget_spent", "detail": "spent", "errors": []})
    )
    with pytest.raises(BudgetSpent, match="spent"):
        client.start("notebook")


def test_where_one_may_queue_is_read_with_what_is_left(server: FakeServer, client: Client) -> None:
    row = {
        "class": "single",
        "resource": "gpus",
        "left": 3,
        "limit": 4,
        "used": 1,
        "quota": "default",
        "until": None,
    }
    server.on("GET", "me/projects", {"items": [{"name": "nlp", "my_role": "member"}], "left": [row]})
    usable = client.projects.usable()
    assert [(one.name, one.my_role) for one in usable.items] == [("nlp", "member")]
    assert [(one.job_class, one.resource, one.left) for one in usable.left] == [("single", "gpus", 3)]
