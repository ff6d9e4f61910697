"""The verbs."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

import danlu
from danlu.sdk import Client, models
from danlu.sdk.http import errors
from tests.fakes.http_server import FakeServer, Reply, problem

JOB = {
    "id": "j1",
    "name": "train",
    "class": "single",
    "state": "running",
    "version": 1,
    "reason": None,
    "waiting": {"code": "not_enough_gpus", "params": {"wanted": 4}, "text": {"en": "4 GPUs wanted"}},
    "tasks": [{"name": "worker-0", "role": "worker", "state": "running", "gpus": [0, 1], "new_field": 1}],
    "attempts": [{"number": 1, "state": "running"}],
    "brand_new": {"x": 1},
}


def test_an_answer_becomes_plain_objects_and_unknown_fields_are_ignored(server: FakeServer, client: Client):
    server.on("GET", "jobs/train", JOB)
    job = client.get("train")
    assert (job.job_class, job.active, job.ended) == ("single", True, False)
    assert str(job.waiting) == "4 GPUs wanted"
    assert job.tasks[0].gpus == (0, 1)
    assert job.attempts[0].number == 1


def test_jobs_come_page_after_page(server, client):
    pages = {None: (["a", "b"], "c1"), "c1": (["c"], None)}

    def answer(request):
        names, cursor = pages[request.one("cursor")]
        return Reply(body={"items": [{"id": name, "name": name} for name in names], "next_cursor": cursor})

    server.on("GET", "jobs", answer)
    assert [one.name for one in client.jobs(state=["running", "queued"], owner="me")] == ["a", "b", "c"]
    assert server.requests[0].query["state"] == ["running", "queued"]
    assert [one.name for one in client.jobs(limit=2)] == ["a", "b"]


def test_verbs_go_where_they_should(server, client):
    for verb in ("start", "stop", "restart", "reset", "clone"):
        server.on("POST", f"jobs/train/{verb}", Reply(200, JOB))
        getattr(client, verb)("train")
        assert server.requests[-1].path == f"/api/v1/jobs/train/{verb}"
    server.on("DELETE", "jobs/train", Reply(204))
    client.delete("train")
    server.on("PUT", "jobs/train/spec", JOB)
    client.edit("train", {"name": "train"})
    assert server.requests[-1].json() == {"name": "train"}


def test_code_is_checked_then_uploaded_once_and_named_by_its_digest(server, client, tmp_path):
    (tmp_path / "train.py").write_text("print(1)")
    server.on(
        "POST", "jobs/check", {"valid": False, "errors": [{"loc": ["code", "path"], "code": "not_uploaded"}]}
    )
    server.on("POST", "jobs", Reply(201, JOB))
    kept: dict[str, bytes] = {}

    def code(request):
        digest = request.path.rpartition("/")[2]
        if request.method == "HEAD":
            return Reply(200 if digest in kept else 404)
        kept[digest] = request.body
        return Reply(201, {"digest": digest, "size": len(request.body)})

    server.fallback = code
    for _ in range(2):
        client.submit({"kind": "training", "name": "train", "code": {"path": "."}}, folder=str(tmp_path))
    digest = server.asked("POST", "jobs")[-1].json()["code"]["archive"]
    assert hashlib.sha256(kept[digest]).hexdigest() == digest
    assert [one.method for one in server.requests] == ["POST", "HEAD", "PUT", "POST", "POST", "HEAD", "POST"]


def test_a_wrong_file_uploads_nothing(server, client, tmp_path):
    mistake = {"loc": ["kind"], "code": "not_one_of", "message": "no"}
    server.on("POST", "jobs/check", {"valid": False, "errors": [mistake]})
    with pytest.raises(errors.Invalid) as caught:
        client.submit({"kind": "x", "code": {"path": "."}}, folder=str(tmp_path))
    assert caught.value.errors[0].loc == ("kind",)
    assert [one.path for one in server.requests] == ["/api/v1/jobs/check"]


def test_a_job_file_is_read_with_its_folder(server, client, tmp_path):
    (tmp_path / "job.yaml").write_text("kind: training\nname: train\non: {task_failed: restart_job}\n")
    server.on("POST", "jobs", Reply(201, JOB))
    client.submit(str(tmp_path / "job.yaml"))
    assert server.requests[-1].json()["on"] == {"task_failed": "restart_job"}
    assert server.requests[-1].one("start") == "true"


def test_waiting_ends_with_the_job(server, client, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server.on("GET", "jobs/train", JOB, JOB, {**JOB, "state": "completed"})
    assert client.wait("train").state == "completed"


def test_waiting_ends_in_time(server, client, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server.on("GET", "jobs/train", JOB)
    now = iter([0.0, 0.5, 1.5])
    with pytest.raises(errors.TimedOut, match="train has not ended within 1 s"):
        client.wait("train", timeout=1, clock=lambda: next(now))


def test_watching_yields_each_version_once(server, client):
    told = b'data: {"seq": 1, "job_id": "j1"}\n\ndata: {"seq": 2, "job_id": "other"}\n\ndata: {"job_id": "j1"}\n\n'
    server.on("GET", "events", Reply(pieces=[told]))
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1", JOB, JOB, {**JOB, "version": 2, "state": "completed"})
    seen = []
    for job in client.watch("train"):
        seen.append(job.state)
        if job.ended:
            break
    assert seen == ["running", "completed"]


def test_what_happened_on_a_node_comes_page_after_page(server, client):
    def page(*numbers, more=None):
        items = [{"seq": seq, "time": "t", "kind": "placed", "text": {"en": f"e{seq}"}} for seq in numbers]
        return {"items": items, "next_cursor": more}

    server.on("GET", "nodes/n/1/events", page(9, 7, more="7"), page(4))
    assert [str(event) for event in client.machines.nodes.events("n/1")] == ["e9", "e7", "e4"]
    assert server.requests[-1].one("cursor") == "7"


def test_a_clone_tells_its_source(server, client):
    server.on("GET", "jobs/train", {**JOB, "cloned_from": {"id": "j0", "name": "first"}}, JOB)
    assert client.get("train").cloned_from == {"id": "j0", "name": "first"}
    assert client.get("train").cloned_from is None


def test_people_and_tokens(server, client):
    server.on("GET", "users", {"items": [{"name": "ann", "role": "viewer"}]})
    server.on("POST", "users", Reply(201, {"name": "bob", "role": "engineer"}))
    server.on("GET", "tokens", {"items": []})
    server.on("POST", "tokens", Reply(201, {"id": "t1", "name": "ci", "secret": "danlu_s"}))
    assert client.people.list() == [models.User("ann", role="viewer")]
    assert client.people.create("bob").role == "engineer"
    assert client.people.tokens.list() == []
    assert client.people.tokens.create("ci", ["job:read"], "30d").secret == "danlu_s"
    assert server.requests[-1].json() == {"name": "ci", "scopes": ["job:read"], "expires_in": "30d"}


def test_nodes_keep_whose_tasks_they_run(server, client):
    task = {"job_id": "j1", "job_name": "train", "task": "worker-0", "gpus": [0]}
    server.on("GET", "nodes", {"items": [{"name": "n1", "gpus": [{"index": 0}], "tasks": [task]}]})
    node = client.machines.nodes.list()[0]
    assert node.tasks == (task,)
    assert node.gpus == ({"index": 0},)


def test_signing_in_trades_a_password_for_a_token(server):
    from danlu.sdk.http.login import sign_in

    session = {"user": {"name": "ann", "role": "engineer"}, "csrf": "c", "must_set_password": True}
    server.on("POST", "session", Reply(200, session, {"Set-Cookie": "danlu_session=s1; HttpOnly"}))
    server.on("PUT", "me/password", Reply(204))
    server.on("POST", "tokens", Reply(201, {"id": "t1", "secret": "danlu_new"}))
    server.on("DELETE", "session", Reply(204))
    user, token = sign_in(server.url, "ann", "old", "laptop", lambda: "new-password")
    assert (user.name, token.secret) == ("ann", "danlu_new")
    assert server.asked("PUT", "me/password")[0].json() == {"current": "old", "new": "new-password"}
    made = server.asked("POST", "tokens")[0]
    assert (made.headers["cookie"], made.headers["x-csrf-token"]) == ("danlu_session=s1", "c")


def test_who_signs_in_again_gets_a_token_under_the_next_name_and_for_as_long_as_asked(server):
    from danlu.sdk.http.login import sign_in

    session = {"user": {"name": "ann", "role": "engineer"}, "csrf": "c", "must_set_password": False}
    cookie = {"Set-Cookie": "__Host-danlu_session=s1; HttpOnly"}
    server.on("POST", "session", Reply(200, session, cookie))
    taken = problem(409, "name_taken", "ann already has a token named laptop")
    server.on("POST", "tokens", taken, taken, Reply(201, {"id": "t3", "secret": "danlu_third"}))
    server.on("DELETE", "session", Reply(204))
    _, token = sign_in(server.url, "ann", "old", "laptop", expires_in="90d")
    assert token.secret == "danlu_third"
    asked = server.asked("POST", "tokens")
    assert [one.json()["name"] for one in asked] == ["laptop", "laptop (2)", "laptop (3)"]
    assert {one.json()["expires_in"] for one in asked} == {"90d"}
    assert asked[0].headers["cookie"] == "__Host-danlu_session=s1"


def test_a_wrong_password_is_told(server):
    from danlu.sdk.http.login import sign_in

    server.on("POST", "session", problem(401, "wrong_credentials", "they do not match"))
    with pytest.raises(errors.WrongCredentials):
        sign_in(server.url, "ann", "x", "laptop")


def test_importing_danlu_loads_nothing_else():
    script = "import sys; before = set(sys.modules); import danlu; print(*sorted(set(sys.modules) - before))"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["danlu"]
    assert danlu.Client is Client


def test_every_public_name_is_there():
    from danlu import sdk

    assert all(getattr(sdk, name) is not None for name in sdk.__all__)
    with pytest.raises(AttributeError):
        _ = sdk.Nonsense


def test_help_on_the_package_names_what_it_offers_where_torch_is_missing(monkeypatch: pytest.MonkeyPatch):
    import importlib.util
    import pydoc

    import danlu

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "torch" not in dir(danlu)
    assert "class Client" in pydoc.plain(pydoc.render_doc(danlu))
    assert set(danlu.__all__) <= set(dir(danlu))
