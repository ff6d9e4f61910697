"""`danlu sim decide` and `danlu schema state`: no server is asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Danlu

STATE = """\
nodes: [{name: "n{}", count: 2, gpus: 2, gpu: A100}]
running:
  - {id: tenant, priority: low, resources: {gpus: 2}, tasks: [n0]}
pending:
  - {id: small, resources: {gpus: 1}}
  - {id: large, resources: {gpus: 2}, nodes: 2}
"""


def test_the_plan_is_printed_as_json(danlu: Danlu):
    Path("state.yaml").write_text(STATE)
    result = danlu("sim", "decide", "state.yaml")
    plan = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    assert list(plan) == ["now", "starts", "growths", "evictions", "waiting", "queue", "scores"]


def test_json_and_yaml_mean_the_same_in_a_file_and_on_standard_input(danlu: Danlu):
    state = {
        "nodes": [{"name": "n1", "gpus": 2}, {"name": "n2"}],
        "pending": [{"id": "j", "resources": {"gpus": 1}}],
    }
    Path("state.json").write_text(json.dumps(state))
    plans = [
        json.loads(danlu("sim", "decide", "state.json").out),
        json.loads(danlu("sim", "decide", "-", stdin=json.dumps(state)).out),
        json.loads(
            danlu(
                "sim",
                "decide",
                "-",
                stdin="nodes: [{name: n1, gpus: 2}, {name: n2}]\npending: [{id: j, resources: {gpus: 1}}]",
            ).out
        ),
    ]
    assert plans[0] == plans[1] == plans[2]
    assert plans[0]["starts"][0]["tasks"][0]["node"] == "n1"


def test_rounds_say_whether_the_last_changes_anything(danlu: Danlu):
    result = json.loads(danlu("sim", "decide", "-", "--rounds", "3", stdin=STATE).out)
    assert (len(result["rounds"]), result["stable"]) == (3, True)


def test_tables_are_for_people(danlu: Danlu):
    lines = danlu("sim", "decide", "-", "--table", "--rounds", "2", stdin=STATE).out.splitlines()
    assert lines[0] == "Round 1"
    assert lines[1].split() == ["PLAN", "JOB", "TASK", "NODE:GPUS", "WHY"]
    assert any(line.split()[:1] == ["WAITING"] for line in lines)
    assert "Nothing changes." in lines


def test_nothing_to_do_is_said(danlu: Danlu):
    assert (
        danlu("sim", "decide", "-", "--table", stdin="nodes: []").out
        == "Nothing changes, and no jobs are waiting.\n"
    )


@pytest.mark.parametrize("name", ["state.yaml", "state.json"])
def test_mistakes_are_told_at_their_lines(danlu: Danlu, name: str):
    text = '{"nodes": [],\n "pending": [\n  {"id": "a", "projct": "x"}],\n "running": [{"id": "b", "tasks": ["n7"]}]}'
    Path(name).write_text(text)
    result = danlu("sim", "decide", name)
    assert (result.code, result.out) == (2, "")
    lines = result.err.splitlines()
    assert lines[0] == f"{name}:3:15: pending.0.projct: there is no key 'projct' here"
    assert lines[1] == "  hint: did you mean 'project'?"
    assert lines[2] == f"{name}:4:36: running.0.tasks.0.node: there is no node 'n7'"
    assert lines[-1] == "2 errors; no plan was made."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "<stdin>:1:1: it is empty"),
        ("- a", "<stdin>:1:1: a state file must be a mapping, but this is a list"),
        ("[]", "<stdin>:1:1: a state file must be a mapping, but this is a list"),
        ("nodes: 'x", "<stdin>:1:8: a quote is opened"),
        ('{"nodes": [], "nodes": []}', "<stdin>:1:15: the key 'nodes' appears here a second time"),
    ],
)
def test_what_is_no_state_file_is_refused(danlu: Danlu, text: str, said: str):
    result = danlu("sim", "decide", "-", stdin=text)
    assert result.code == 2
    assert result.err.startswith(said)
    assert "job" not in result.err


def test_a_large_file_that_is_no_json_is_told_so(danlu: Danlu):
    Path("large.json").write_text('{"nodes": []' + " " * (5 << 20))
    result = danlu("sim", "decide", "large.json")
    assert (result.code, result.err.splitlines()[0]) == (
        2,
        "large.json: it is not valid JSON, and too large for YAML: more than 4 MiB",
    )


def test_a_large_file_with_mistakes_is_refused_without_lines(danlu: Danlu):
    Path("large.json").write_text(
        json.dumps({"nodes": [], "pending": [{"id": "a", "project": "x"}]}) + " " * (5 << 20)
    )
    assert danlu("sim", "decide", "large.json").err.startswith(
        "large.json: pending.0.project: there is no project 'x'"
    )


def test_a_file_that_is_not_there_is_wrong_use(danlu: Danlu):
    Path("state.yaml").write_text(STATE)
    result = danlu("sim", "decide", "stat.yaml")
    assert result.code == 2
    assert "Did you mean state.yaml?" in result.err
    assert danlu("sim", "decide", ".").code == 2


def test_without_the_servers_parts_it_is_said_what_to_install(danlu: Danlu, monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in sys.modules if name.startswith("danlu.simulator")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "danlu.simulator", None)
    result = danlu("sim", "decide", "-", stdin=STATE)
    assert result.code == 1
    assert "pip install 'danlu[server]'" in result.err


def test_the_schema_of_the_state_file_needs_no_server(danlu: Danlu):
    result = danlu("schema", "state")
    assert json.loads(result.out)["$id"] == "danlu:state"
    assert danlu("schema", "stat").code == 2
