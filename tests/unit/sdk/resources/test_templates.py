"""The verbs on templates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from danlu.sdk import Client, Template, TemplateRow
from tests.fakes.http_server import FakeServer, Reply

ROW: dict[str, Any] = {
    "id": "t1",
    "owner": "lin",
    "name": "bert",
    "description": "",
    "project": None,
    "kind": "training",
}
ROW.update(created_at="2026-01-31T12:00:00.000Z", changed_at="2026-01-31T12:00:00.000Z", can_edit=True)
JOB = {"kind": "training", "command": "python train.py", "env": {"LR": "0.1"}}
WHOLE: dict[str, Any] = {**ROW, "job": JOB}


def test_templates_are_listed_read_changed_and_deleted(server: FakeServer, client: Client) -> None:
    server.on("GET", "templates", {"items": [ROW], "next_cursor": None})
    server.on("GET", "templates/lin:bert", WHOLE)
    server.on("PATCH", "templates/bert", {**WHOLE, "project": "nlp"})
    server.on("DELETE", "templates/bert", Reply(204))
    assert client.templates.list(owner="me") == [TemplateRow(**ROW)]
    assert server.requests[-1].one("owner") == "me"
    assert client.templates.get("lin:bert") == Template(**WHOLE)
    assert client.templates.edit("bert", project="nlp").project == "nlp"
    assert server.requests[-1].json() == {"project": "nlp"}
    client.templates.delete("bert")


def test_a_job_file_is_kept_with_its_code_and_without_a_name_of_ours(
    server: FakeServer, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text("print(1)\n")
    (tmp_path / "job.yaml").write_text("kind: training\ncommand: python train.py\ncode: {path: .}\n")
    server.on("POST", "jobs/check", {"valid": True, "errors": []})
    server.on("POST", "templates", Reply(201, WHOLE))
    server.fallback = lambda request: Reply(200 if request.path.startswith("/api/v1/code/") else 404)
    client.templates.create("bert", str(tmp_path / "job.yaml"), project="nlp")
    sent = server.requests[-1].json()
    assert (sent["name"], sent["project"]) == ("bert", "nlp")
    assert set(sent["job"]) == {"kind", "command", "code"}
    assert len(sent["job"]["code"]["archive"]) == 64


def test_a_template_runs_under_a_new_name_with_changes_on_top(server: FakeServer, client: Client) -> None:
    server.on("GET", "templates/bert", WHOLE)
    server.on("POST", "jobs", Reply(201, {"id": "j1", "name": "x", "state": "queued"}))
    client.templates.run("bert", env={"LR": "0.2"})
    sent = server.requests[-1].json()
    assert sent["name"].startswith("bert-")
    assert (sent["command"], sent["env"]) == ("python train.py", {"LR": "0.2"})
    client.templates.run("bert", "mine")
    assert server.requests[-1].json()["name"] == "mine"
