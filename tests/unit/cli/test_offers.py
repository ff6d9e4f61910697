"""What `danlu flavor offers`, `generate`, `recommend`, `edit` and `rm` ask of the server and what they print."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu


def flavor(name: str, gpus: float = 1) -> dict[str, Any]:
    size = {"cpus": 8, "memory": "64GiB", "gpus": gpus, "gpu": "A100", "shm": "0B", "rdma": False}
    return {"name": name, "resources": size, "classes": [], "description": ""}


BEHIND = {"en": "behind 3 jobs waiting for the same nodes", "zh": "前面有 3 个任务在等待同样的节点"}
OFFERS = {
    "at": "2026-01-01T00:00:00.000Z",
    "items": [
        {"flavor": flavor("a100-1"), "state": "available", "behind": None, "text": None, "recommended": True},
        {"flavor": flavor("a100-8", 8), "state": "waits", "behind": 3, "text": BEHIND, "recommended": False},
    ],
}
MADE: dict[str, Any] = {
    "items": [{"flavor": flavor("a100-1"), "exists": True}, {"flavor": flavor("a100-8", 8), "exists": False}],
    "text": {"en": "6 CPUs of N1 are kept for the system", "zh": "N1 为系统保留 6 核 CPU"},
}
RECOMMENDED = {
    "job": "01abc",
    "measured": {"runs": 3, "cpus": 3.1, "memory": 2**33, "gpu_use": None, "gpu_memory": None},
    "items": [{"flavor": flavor("a100-1"), "text": {"en": "available now", "zh": "可立即使用"}}],
    "text": {"en": "its last 3 runs used at most 3.1 of 8 CPUs and 8 of 64 GiB", "zh": "…"},
}


def test_offers_are_a_table_with_the_best_marked(danlu: Danlu, server: FakeServer):
    server.on("GET", "flavors/offers", OFFERS)
    lines = danlu(
        "flavor", "offers", "--class", "single", "--project", "nlp", "--count", "2"
    ).out.splitlines()
    assert lines[0].split() == ["NAME", "GPUS", "CPUS", "MEMORY", "NOW", "WHY"]
    assert lines[1].split() == ["a100-1", "1", "A100", "8", "64GiB", "available", "(best)"]
    assert (
        " ".join(lines[2].split())
        == "a100-8 8 A100 8 64GiB behind 3 behind 3 jobs waiting for the same nodes"
    )
    assert server.requests[-1].query == {"class": ["single"], "project": ["nlp"], "count": ["2"]}
    assert json.loads(danlu("flavor", "offers", "--all", "--json").out) == OFFERS
    assert server.requests[-1].query == {"all": ["true"]}


def test_where_nothing_is_on_offer_it_says_how_to_learn_why(danlu: Danlu, server: FakeServer):
    server.on("GET", "flavors/offers", {**OFFERS, "items": []})
    result = danlu("flavor", "offers")
    assert (result.code, result.out) == (0, "")
    assert "flavor offers --all" in result.err


def test_without_yes_nothing_is_added(danlu: Danlu, server: FakeServer):
    server.on("POST", "flavors/generate", MADE)
    result = danlu(
        "flavor", "generate", "n1", "--counts", "1,8", "--system-cpus", "4", "--system-memory", "16GiB"
    )
    assert server.requests[-1].json() == {
        "node": "n1", "counts": [1, 8], "system": {"cpus": 4.0, "memory": "16GiB"}, "preview": True,
    }  # fmt: skip
    assert [line.split()[-1] for line in result.out.splitlines()] == ["STATE", "exists", "new"]
    assert "6 CPUs of N1 are kept for the system." in result.err
    assert "Use --yes to create them" in result.err


def test_with_yes_they_are_added(danlu: Danlu, server: FakeServer):
    server.on("POST", "flavors/generate", MADE)
    result = danlu("flavor", "generate", "n1", "--yes")
    assert server.requests[-1].json() == {"node": "n1", "preview": False}
    assert "Created a100-8." in result.err
    server.on("POST", "flavors/generate", {**MADE, "items": MADE["items"][:1]})
    assert "nothing to create" in danlu("flavor", "generate", "n1", "--yes").err


def test_a_count_is_a_number(danlu: Danlu, server: FakeServer):
    result = danlu("flavor", "generate", "n1", "--counts", "1,many")
    assert (result.code, server.requests) == (2, [])
    assert "'many' is not a number" in result.err


def test_a_recommendation_tells_its_grounds(danlu: Danlu, server: FakeServer):
    server.on("GET", "flavors/recommend", RECOMMENDED)
    result = danlu("flavor", "recommend", "greedy")
    assert server.requests[-1].query == {"job": ["greedy"]}
    assert "available now" in result.out
    assert "Its last 3 runs used at most 3.1 of 8 CPUs and 8 of 64 GiB." in result.err
    assert json.loads(danlu("flavor", "recommend", "greedy", "--json").out) == RECOMMENDED


@pytest.mark.parametrize("option", ["--class", "--classes"])
def test_many_are_changed_and_what_failed_is_told(danlu: Danlu, server: FakeServer, option):
    items = [
        {"name": "a", "ok": True, "error": None},
        {"name": "b", "ok": False, "error": "there is no flavor 'b'"},
    ]
    server.on("PATCH", "flavors", {"items": items})
    result = danlu("flavor", "edit", "a", "b", option, "single,workspace")
    assert server.requests[-1].json() == {"names": ["a", "b"], "classes": ["single", "workspace"]}
    assert result.code == 1
    assert "danlu: b: there is no flavor 'b'" in result.err
    assert "Changed flavor a." in result.err
    assert danlu("flavor", "edit", "a").code == 2


def test_several_are_removed_at_once_and_one_alone_as_ever(danlu: Danlu, server: FakeServer):
    items = [{"name": name, "used_by": 0, "ok": True, "error": None} for name in "ab"]
    server.on("POST", "flavors/delete", {"items": items})
    result = danlu("flavor", "rm", "a", "b", "--yes")
    assert (result.code, server.requests[-1].json()) == (0, {"names": ["a", "b"]})
    assert "Removed flavors a, b." in result.err
    server.on("DELETE", "flavors/a", Reply(204))
    assert "Removed flavor a." in danlu("flavor", "rm", "a", "-y").err
    server.on("DELETE", "flavors/a", problem(404, "not_found", "there is no flavor 'a'"))
    assert danlu("flavor", "rm", "a", "-y").code == 4


def test_removal_asks_first_and_says_how_many_jobs_name_them(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setattr("danlu.cli.shared.asking.can_ask", lambda: True)
    items = [{"name": "a", "used_by": 2, "ok": True, "error": None}, {"name": "b", "used_by": 0, "ok": True, "error": None}]  # fmt: skip
    server.on("POST", "flavors/delete", {"items": items})
    result = danlu("flavor", "rm", "a", "b", stdin="n\n")
    assert "a is used by 2 active jobs, which keep their size." in result.err
    assert [one.json() for one in server.requests] == [{"names": ["a", "b"], "preview": True}]
    assert result.code != 0


def test_after_the_preview_one_may_agree(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setattr("danlu.cli.flavors.offers.can_ask", lambda: True)
    server.on("POST", "flavors/generate", MADE)
    result = danlu("flavor", "generate", "n1", stdin="y\n")
    assert [one.json() for one in server.requests] == [{"node": "n1", "preview": True}, {"node": "n1"}]
    assert "Created a100-8." in result.err
