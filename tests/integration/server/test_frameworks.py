"""Frameworks over the API, the SDK and the command line, with the real application."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from danlu.cli.main import cli
from danlu.frameworks.catalog import frameworks
from danlu.sdk.client import Client
from danlu.sdk.http.errors import Invalid
from danlu.server.jobs import frameworks_models as wire
from tests.fakes.server import ENGINEER, VIEWER, World, job_file


@pytest.fixture
def sdk(url: str, here: World) -> Client:
    here.bearer(ENGINEER)
    return Client(url, here.tokens[ENGINEER])


@pytest.fixture
def danlu(url: str, here: World) -> Callable[..., Result]:
    here.bearer(ENGINEER)
    env = {"DANLU_URL": url, "DANLU_TOKEN": here.tokens[ENGINEER], "LANG": "C", "NO_COLOR": "1"}
    return lambda *words: CliRunner().invoke(cli, words, env=env)


def test_everybody_who_is_signed_in_may_know_the_frameworks(ask):
    answer = ask(VIEWER, "GET", "frameworks")
    found = wire.Frameworks.model_validate(answer.json())
    assert [one.name for one in found.items] == list(frameworks())
    assert ask(None, "GET", "frameworks").status_code == 401


def test_a_framework_tells_its_strategies_roles_and_policies(sdk):
    found = {one.name: one for one in sdk.frameworks()}["tensorflow"]
    ps = found.strategies[1]
    assert (ps.name, ps.on, ps.restarts, ps.hang_after) == (
        "ps", {"node_lost": "requeue", "hung": "restart_job"}, 3, "1h",
    )  # fmt: skip
    assert ps.variables == ("TF_CONFIG",)
    server = {role.name: role for role in ps.roles}["ps"]
    assert (server.least, server.most, server.one_for, server.gpus, server.serves) == (
        1,
        None,
        4,
        False,
        True,
    )
    assert server.usual == {"en": "one for every 4 workers is usual", "zh": "通常每 4 个 worker 配 1 个"}


def test_counts_are_proposed_from_what_is_free(sdk):
    found = sdk.propose("pytorch", resources={"gpus": 4, "gpu": "A100"})
    (worker,) = found.roles
    assert (found.strategy, worker.name, worker.replicas) == ("all-reduce", "worker", found.nodes)
    assert worker.why["en"] == f"{found.nodes} of this size could start now"
    assert sdk.check(job_file("as-proposed", framework="pytorch", nodes=found.nodes, resources={"gpus": 4, "gpu": "A100"})).would.starts_now  # fmt: skip


def test_proposed_servers_are_accepted_as_they_are(sdk):
    found = sdk.propose("tensorflow", "ps", resources={"gpus": 1})
    roles = [
        {"name": role.name, "replicas": role.replicas, "resources": role.resources or {"gpus": 1}}
        for role in found.roles
    ]
    assert sdk.check(job_file("as-proposed", framework="tensorflow", strategy="ps", roles=roles)).valid


def test_what_cannot_be_proposed_is_refused_at_its_place(sdk):
    with pytest.raises(Invalid) as wrong:
        sdk.propose("torch")
    assert [(one.loc, one.hint) for one in wrong.value.errors] == [
        (("framework",), "did you mean 'pytorch'?")
    ]
    with pytest.raises(Invalid) as wrong:
        sdk.propose("pytorch", flavor="four", resources={"gpus": 1})
    assert [one.loc for one in wrong.value.errors] == [("flavor",)]


def test_a_check_tells_mistakes_and_advice(sdk):
    roles = [{"name": "chief"}, {"name": "ps", "replicas": 0}, {"name": "worker", "replicas": 4}]
    wrong = sdk.check(job_file("servers", framework="tensorflow", strategy="ps", roles=roles))
    assert [one.message for one in wrong.errors] == [
        "ps: 1–4, one for every 4 workers is usual; you asked for 0"
    ]
    right = sdk.check(job_file("elastic-job", framework="pytorch", strategy="elastic", nodes=2))
    assert right.valid
    assert [(one.loc, set(one.text)) for one in right.advice] == [(("min",), {"en", "zh"})]


def test_a_job_keeps_what_its_framework_said(sdk):
    job = sdk.create(job_file("with-defaults", framework="jax"))
    assert (job.framework, job.strategy) == ("jax", "all-reduce")
    assert job.spec["on"] == {"node_lost": "requeue", "hung": "restart_job"}
    assert (job.spec["restarts"], job.spec["hang_after"]) == (3, "1h")


def test_the_command_line_lists_and_shows_frameworks(danlu):
    listed = danlu("framework", "ls")
    assert listed.exit_code == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["NAME", *frameworks()]
    shown = danlu("framework", "show", "tensorflow").stdout
    for words in ("one for every 4 workers is usual", "TF_CONFIG", "hung: restart_job", "with the others"):
        assert words in shown
    told = json.loads(danlu("framework", "show", "jax", "--json").stdout)
    assert told["name"] == "jax"
    names = json.loads(danlu("framework", "ls", "--json").stdout)["items"]
    assert [one["name"] for one in names] == list(frameworks())
    unknown = danlu("framework", "show", "torch")
    assert unknown.exit_code == 2
    assert "Did you mean 'pytorch'?" in unknown.stderr


def test_the_command_line_passes_advice_on(danlu, tmp_path):
    file = tmp_path / "job.yaml"
    file.write_text(json.dumps(job_file("advised", framework="pytorch", strategy="elastic", nodes=2)))
    for words in (("submit", "--check"), ("create",)):
        done = danlu(*words, str(file))
        assert done.exit_code == 0, done.stderr
        assert "Note: min: the job continues with fewer workers only down to min" in done.stderr
