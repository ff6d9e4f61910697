"""What `danlu doctor` prints, and how it ends."""

from __future__ import annotations

import json

import pytest

from tests.fakes.http_server import FakeServer, problem
from tests.unit.cli.conftest import Danlu

WEAK = {
    "code": "no_tls",
    "area": "network",
    "severity": "high",
    "text": {"en": "people reach Danlu without TLS", "zh": "访问丹炉未使用 TLS"},
    "fix": {"en": "put a proxy in front", "zh": "在前面放置代理"},
    "subjects": [],
}
REPORT = {
    "ok": False,
    "at": "2026-01-31T12:00:00.000Z",
    "checked": ["tasks", "network"],
    "weaknesses": [WEAK],
}


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["high: no_tls", "people reach Danlu without TLS", "to mend it: put a proxy in front"]),
        ("zh", ["高: no_tls", "访问丹炉未使用 TLS", "解决办法：在前面放置代理"]),
    ],
)
def test_what_is_weak_is_told_with_its_remedy(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch, language: str, told: list[str]
):
    monkeypatch.setenv("DANLU_LANG", language)
    server.on("GET", "system/doctor", REPORT)
    result = danlu("doctor")
    assert [line.strip() for line in result.out.splitlines()] == told
    assert result.code == 1


def test_a_sound_installation_is_success(danlu: Danlu, server: FakeServer):
    server.on("GET", "system/doctor", {**REPORT, "ok": True, "weaknesses": []})
    result = danlu("doctor")
    assert (result.code, result.out) == (0, "")
    assert "tasks, network" in result.err


def test_json_is_the_answer_itself_and_ends_the_same_way(danlu: Danlu, server: FakeServer):
    server.on("GET", "system/doctor", REPORT)
    result = danlu("doctor", "--json")
    assert json.loads(result.out) == REPORT
    assert result.code == 1


def test_whoever_may_not_is_told_so(danlu: Danlu, server: FakeServer):
    server.on("GET", "system/doctor", problem(403, "not_allowed", "no"))
    assert danlu("doctor").code == 3
