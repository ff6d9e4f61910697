"""A running server examined: how its nodes keep tasks apart, and what is weak about it."""

from __future__ import annotations

import os

from danlu.domain.people import UserRole
from danlu.sdk.client import Client
from tests.fakes.server import ADMINISTRATOR, served, world


def test_nodes_say_how_their_tasks_are_kept_apart(ask):
    for node in ask("eve", "GET", "nodes").json()["items"]:
        assert node["isolation"]["form"] == "simulated"
        assert not node["isolation"]["one_user"]
        assert node["isolation"]["text"] == {"en": "only in simulation", "zh": "仅模拟运行"}


def test_only_administrators_have_it_examined(ask):
    for path in ("system/doctor", "system/health"):
        assert ask("eve", "GET", path).status_code == 403
        assert ask(ADMINISTRATOR, "GET", path).status_code == 200


def test_files_and_tokens_of_the_real_thing_are_seen(tmp_path):
    with world(tmp_path, host="0.0.0.0") as here, served(here.app) as url:
        key = tmp_path / "secrets" / "left-open"
        key.touch()
        os.chmod(tmp_path / "secrets", 0o700)
        os.chmod(key, 0o644)
        os.chmod(tmp_path, 0o700)
        here.people.make_token(here.caller("eve"), "for-ever")
        token = here.bearer(ADMINISTRATOR)["Authorization"].split()[1]
        with Client(url=url, token=token) as client:
            report = client.system.doctor()
            found = {one.code: one for one in report.weaknesses}
            assert not report.ok
            assert set(report.checked) >= {"tasks", "files", "accounts", "records"}
            assert found["secrets_readable"].subjects == (str(key),)
            assert found["no_tls"].severity == "high"
            assert "0.0.0.0" in str(found["no_tls"])
            assert "eve:for-ever" in found["tokens_without_expiry"].subjects
            assert "data_readable" not in found
            assert "audit_broken" not in found
            order = ["high", "medium", "low"]
            severities = [order.index(one.severity) for one in report.weaknesses]
            assert severities == sorted(severities)
            quick = {one.code for one in client.system.health().weaknesses}
            assert "no_tls" in quick
            assert "tokens_without_expiry" not in quick
            os.chmod(key, 0o600)
            os.chmod(tmp_path, 0o755)
            mended = {one.code for one in client.system.doctor().weaknesses}
            assert "secrets_readable" not in mended
            assert "data_readable" in mended


def test_whoever_may_not_read_the_audit_log_learns_nothing_of_it(fresh):
    fresh.people.make_user("ada", UserRole.ADMINISTRATOR, "Ada", "correct horse")
    secret, _ = fresh.people.make_token(fresh.caller("ada"), "narrow", ("system:read",))
    with served(fresh.app) as url, Client(url=url, token=secret) as client:
        assert "records" not in client.system.doctor().checked
