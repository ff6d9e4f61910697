"""What `danlu template` asks of the server, prints, keeps and runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

ROW: dict[str, Any] = {
    "id": "t1",
    "owner": "lin",
    "name": "bert",
    "description": "pre-training",
    "project": "nlp",
}
ROW.update(kind="training", created_at=None, changed_at="2026-01-31T12:00:00.000Z", can_edit=True)
SPEC = {"kind": "training", "name": "bert-1", "command": "python train.py", "env": {"LR": "0.1"}}
WHOLE: dict[str, Any] = {**ROW, "job": {key: SPEC[key] for key in SPEC if key != "name"}}
JOB = {"id": "j1", "name": "bert-1", "state": "queued", "version": 1, "attempt": 0, "tasks": [], "spec": SPEC}


def test_templates_are_a_table_and_none_says_what_to_do(danlu: Danlu, server: FakeServer):
    server.on("GET", "templates", {"items": [ROW], "next_cursor": None})
    head, row = danlu("template", "ls", "--owner", "me").out.splitlines()
    assert head.split()[:3] == ["NAME", "OWNER", "KIND"]
    assert row.split()[:4] == ["bert", "lin", "training", "nlp"]
    assert server.requests[-1].one("owner") == "me"
    assert json.loads(danlu("template", "ls", "--json").out)["items"] == [ROW]
    server.on("GET", "templates", {"items": [], "next_cursor": None})
    assert "danlu template create NAME job.yaml" in danlu("template", "ls").err


def test_a_template_prints_as_a_job_file(danlu: Danlu, server: FakeServer):
    server.on("GET", "templates/lin:bert", WHOLE)
    printed = danlu("template", "show", "lin:bert").out
    assert printed == "kind: training\ncommand: python train.py\nenv:\n  LR: '0.1'\n"
    assert json.loads(danlu("template", "show", "lin:bert", "--json").out) == WHOLE


def test_a_file_or_a_job_is_kept(danlu: Danlu, server: FakeServer):
    Path("job.yaml").write_text("kind: training\ncommand: python train.py\n")
    server.on("POST", "templates", Reply(201, WHOLE))
    told = danlu("template", "create", "bert", "job.yaml", "--project", "nlp")
    assert "danlu template run bert" in told.err
    kept = {"name": "bert", "description": "", "project": "nlp"}
    assert server.requests[-1].json() == {**kept, "job": {"kind": "training", "command": "python train.py"}}
    server.on("GET", "jobs/bert-1", JOB)
    danlu("template", "create", "bert", "--job", "bert-1")
    assert server.requests[-1].json()["job"] == SPEC
    for words in (["bert"], ["bert", "job.yaml", "--job", "bert-1"]):
        refused = danlu("template", "create", *words)
        assert refused.code == 2
        assert "give a job file, or a job with --job" in refused.err


def test_mistakes_are_told_at_their_lines(danlu: Danlu, server: FakeServer):
    Path("job.yaml").write_text("kind: training\nnodes: many\ncommand: x\n")
    wrong = {
        "loc": ["job", "nodes"],
        "code": "wrong_type",
        "message": "'many' is not a number",
        "value": "many",
    }
    server.on("POST", "templates", problem(422, "invalid", "no", [wrong]))
    refused = danlu("template", "create", "bert", "job.yaml")
    assert refused.code == 2
    assert "job.yaml:2:8: nodes: 'many' is not a number" in refused.err
    server.on("PATCH", "templates/bert", problem(422, "invalid", "no", [wrong]))
    assert "job.yaml:2:8" in danlu("template", "edit", "bert", "--file", "job.yaml").err
    named = {"loc": ["name"], "code": "bad_form", "message": "a name has no spaces", "value": "a b"}
    server.on("POST", "templates", problem(422, "invalid", "no", [named]))
    told = danlu("template", "create", "a b", "job.yaml").err
    assert "name: a name has no spaces" in told
    assert "job.yaml" not in told


def test_a_template_is_changed_shared_and_kept_to_oneself(danlu: Danlu, server: FakeServer):
    server.on("PATCH", "templates/bert", WHOLE)
    assert (
        danlu("template", "edit", "bert", "--name", "gpt", "--description", "").err
        == "Changed template bert.\n"
    )
    assert server.requests[-1].json() == {"name": "gpt", "description": ""}
    danlu("template", "edit", "bert", "--private")
    assert server.requests[-1].json() == {"project": None}
    nothing = danlu("template", "edit", "bert")
    assert (nothing.code, "nothing to change" in nothing.err) == (2, True)


def test_a_template_runs_under_a_new_name(danlu: Danlu, server: FakeServer):
    server.on("GET", "templates/bert", WHOLE)
    server.on("POST", "jobs", Reply(201, JOB))
    ran = danlu("template", "run", "bert", "-d", "--env", "LR=0.2", "--project", "nlp")
    assert ran.out == "j1\n"
    sent = server.requests[-1].json()
    assert sent["name"].startswith("bert-")
    assert (sent["env"], sent["project"]) == ({"LR": "0.2"}, "nlp")
    danlu("template", "run", "bert", "-d", "--name", "mine")
    assert server.requests[-1].json()["name"] == "mine"


def test_a_template_is_deleted(danlu: Danlu, server: FakeServer):
    server.on("DELETE", "templates/lin:bert", Reply(204))
    assert danlu("template", "rm", "lin:bert", "-y").err == "Removed template lin:bert.\n"
    server.on("DELETE", "templates/gone", problem(404, "not_found", "there is no template 'gone'"))
    assert danlu("template", "rm", "gone", "-y").code == 4
