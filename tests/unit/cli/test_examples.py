"""What `danlu example` asks of the server, prints, runs and writes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

FILE = "kind: training\nname: the-one\ncode: {archive: '" + "0" * 64 + "'}\ncommand: python train.py\n"
ONE = {
    "id": "one",
    "group": "frameworks",
    "label": {"en": "One", "zh": "一"},
    "about": {"en": "About one.", "zh": "关于一。"},
    "framework": "pytorch",
    "strategy": "elastic",
    "file": FILE,
}
FILES = {"job.yaml": "kind: training\n", "more/train.py": "print('训练')\n"}
JOB = {"id": "j1", "name": "the-one-1", "state": "queued", "version": 1, "attempt": 0, "tasks": []}


def test_examples_are_a_table(danlu: Danlu, server: FakeServer):
    server.on("GET", "examples", {"items": [ONE, {**ONE, "id": "two", "framework": None, "strategy": None}]})
    lines = danlu("example", "ls").out.splitlines()
    assert lines[0].split() == ["ID", "FRAMEWORK", "ABOUT"]
    assert lines[1].split() == ["one", "pytorch", "elastic", "About", "one."]
    assert lines[2].split() == ["two", "-", "About", "one."]
    assert json.loads(danlu("example", "ls", "--json").out)["items"][0] == ONE


def test_an_example_runs_under_its_name_or_another(danlu: Danlu, server: FakeServer):
    server.on("GET", "examples/one", {**ONE, "files": FILES})
    server.on("POST", "jobs", Reply(201, JOB))
    assert danlu("example", "run", "one", "-d", "--project", "nlp").out == "j1\n"
    sent = server.requests[-1].json()
    assert sent["name"] == "the-one"
    assert (sent["project"], sent["code"]) == ("nlp", {"archive": "0" * 64})
    danlu("example", "run", "one", "-d", "--name", "mine")
    assert server.requests[-1].json()["name"] == "mine"


def test_an_example_is_followed_to_its_end(danlu: Danlu, server: FakeServer):
    server.on("GET", "examples/one", {**ONE, "files": FILES})
    server.on("POST", "jobs", Reply(201, JOB))
    server.on("GET", "events", Reply(pieces=[b'data: {"seq": 1, "job_id": "j1"}\n\n']))
    server.on("GET", "jobs/j1/logs", Reply(pieces=[b"event: end\ndata: {}\n\n"]))
    server.on("GET", "jobs/j1", {**JOB, "state": "completed", "version": 3})
    result = danlu("example", "run", "one")
    assert result.code == 0
    assert "the-one-1 is completed" in result.err


def test_an_example_is_written_into_a_new_folder_and_over_nothing(danlu: Danlu, server: FakeServer):
    server.on("GET", "examples/one", {**ONE, "files": FILES})
    assert "danlu run one/job.yaml" in danlu("example", "get", "one").err
    assert Path("one/more/train.py").read_text("utf-8") == "print('训练')\n"
    refused = danlu("example", "get", "one")
    assert refused.code != 0
    assert "one already exists" in refused.err
    assert danlu("example", "get", "one", "elsewhere").code == 0
    assert Path("elsewhere/job.yaml").exists()


def test_a_file_outside_of_the_folder_is_not_written(danlu: Danlu, server: FakeServer):
    server.on("GET", "examples/one", {**ONE, "files": {"../outside": "x"}})
    assert danlu("example", "get", "one").code != 0
    assert not Path("outside").exists()


def test_what_there_is_not_is_said(danlu: Danlu, server: FakeServer):
    server.on("GET", "examples/two", problem(404, "not_found", "there is no example 'two'"))
    result = danlu("example", "run", "two")
    assert result.code != 0
    assert "there is no example 'two'" in result.err
