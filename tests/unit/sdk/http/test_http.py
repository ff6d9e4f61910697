"""Requests, retries and errors over a real socket."""

from __future__ import annotations

import socket

import pytest

from danlu.sdk import Client
from danlu.sdk.http import errors
from tests.fakes.http_server import FakeServer, Reply, problem

JOB = {"id": "j1", "name": "train", "state": "queued", "version": 1}


def test_requests_share_one_connection_and_carry_the_token(server: FakeServer, client: Client):
    server.on("GET", "jobs/train", JOB)
    client.get("train")
    client.get("train")
    assert {one.connection for one in server.requests} == {1}
    assert server.requests[0].headers["authorization"] == "Bearer danlu_secret"


def test_a_dropped_read_is_tried_once_more(server, client):
    server.on("GET", "jobs/train", Reply(silent=True), JOB)
    assert client.get("train").id == "j1"
    assert len(server.requests) == 2


def test_a_second_drop_is_told(server, client):
    server.on("GET", "jobs/train", Reply(silent=True))
    with pytest.raises(errors.Unreachable, match="the connection broke"):
        client.get("train")
    assert len(server.requests) == 2


def test_half_an_answer_is_asked_for_again(server, client):
    server.on("GET", "jobs/train", Reply(body=JOB, drop=True), JOB)
    assert client.get("train").name == "train"


def test_a_repeated_post_carries_the_same_key(server, client):
    server.on("POST", "jobs", Reply(silent=True), Reply(201, JOB))
    client.submit({"kind": "training", "name": "train", "command": "x"})
    first, second = server.asked("POST", "jobs")
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"] != ""
    assert first.json() == second.json()


@pytest.mark.parametrize(
    ("path", "ask"),
    [
        ("jobs/train/start", lambda client: client.start("train")),
        ("jobs/train/stop", lambda client: client.stop("train")),
        ("jobs/train/restart", lambda client: client.restart("train")),
        ("jobs/train/reset", lambda client: client.reset("train")),
        ("jobs/train/clone", lambda client: client.clone("train")),
        ("users", lambda client: client.people.create("ann")),
        ("tokens", lambda client: client.people.tokens.create("laptop")),
    ],
)
def test_a_post_the_server_would_do_twice_is_sent_once_and_doubt_is_told(server, client, path, ask):
    server.on("POST", path, Reply(silent=True))
    with pytest.raises(
        errors.Unreachable, match="broke; the request may or may not have been carried out"
    ) as caught:
        ask(client)
    (only,) = server.requests
    assert "idempotency-key" not in only.headers
    assert "before you try again" in caught.value.advice


def test_a_check_stores_nothing_and_is_repeated(server, client):
    server.on("POST", "jobs/check", Reply(silent=True), {"valid": True})
    assert client.check({"name": "train"}).valid


def test_a_creation_dropped_twice_is_in_doubt(server, client):
    server.on("POST", "jobs", Reply(silent=True))
    with pytest.raises(errors.Unreachable, match="may or may not have been carried out"):
        client.create({"name": "train"})


def test_a_write_that_never_left_is_not_in_doubt():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(errors.Unreachable, match=r"nothing is listening there$"):
            Client(url=f"http://127.0.0.1:{free.getsockname()[1]}").restart("train")


@pytest.mark.parametrize(("method", "doubt"), [("POST", True), ("GET", False)])
def test_a_proxy_that_lost_the_answer_leaves_a_write_in_doubt(server, client, method, doubt):
    server.on(method, "jobs/train", Reply(504, b"<html>gateway"))
    with pytest.raises(errors.Unreachable, match="status 504") as caught:
        client.http.json(method, "jobs/train")
    assert ("may or may not" in caught.value.detail) is doubt


def test_a_patch_is_not_repeated(server, client):
    server.on("PATCH", "users/ann", Reply(silent=True))
    with pytest.raises(errors.Unreachable):
        client.people.edit("ann", role="viewer")
    assert len(server.requests) == 1


def test_a_patch_gets_through_after_the_server_closed_an_idle_connection(server, client):
    server.on("GET", "jobs/train", JOB)
    server.on("PATCH", "users/ann", {"name": "ann"})
    client.get("train")
    server.hang_up()
    assert client.people.edit("ann", role="viewer").name == "ann"


def test_a_server_that_says_close_is_connected_to_again(server, client):
    server.on("GET", "jobs/train", Reply(body=JOB, headers={"Connection": "close"}))
    client.get("train")
    client.get("train")
    assert [one.connection for one in server.requests] == [1, 2]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "not_signed_in", errors.NotSignedIn),
        (401, "wrong_credentials", errors.WrongCredentials),
        (403, "not_allowed", errors.NotAllowed),
        (404, "not_found", errors.NotFound),
        (409, "name_taken", errors.NameTaken),
        (409, "wrong_state", errors.WrongState),
        (409, "something_new", errors.Conflict),
        (413, "too_large", errors.TooLarge),
        (418, "teapot", errors.DanluError),
        (429, "too_many", errors.TooMany),
        (500, "error", errors.DanluError),
        (503, "disk_full", errors.Unavailable),
    ],
)
def test_a_problem_becomes_the_error_its_code_names(server, client, status, code, kind):
    server.on("GET", "jobs/train", problem(status, code, "why it is so"))
    with pytest.raises(kind) as caught:
        client.get("train")
    assert caught.value.detail == "why it is so"


def test_an_invalid_job_brings_every_mistake_with_its_place(server, client):
    mistake = {
        "loc": ["resources", "gpus"],
        "code": "too_many",
        "message": "9 is too many",
        "hint": "at most 8",
    }
    server.on("POST", "jobs", problem(422, "invalid", "1 error", [mistake]))
    with pytest.raises(errors.Invalid) as caught:
        client.submit({})
    assert caught.value.errors[0].loc == ("resources", "gpus")
    assert "resources.gpus: 9 is too many (at most 8)" in str(caught.value)


def test_too_many_tells_when_to_come_back(server, client):
    server.on("GET", "jobs/x", Reply(429, {"type": "too_many", "detail": "slow"}, {"Retry-After": "7"}))
    with pytest.raises(errors.TooMany) as caught:
        client.get("x")
    assert caught.value.retry_after == 7


def test_nobody_there_is_said_with_the_way_out():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(errors.Unreachable, match="nothing is listening there") as caught:
            Client(url=url).version()
    assert url in caught.value.detail
    assert "danlu up" in caught.value.advice


@pytest.mark.parametrize("reply", [Reply(body=b"<html>hello"), Reply(404, b"<html>gone"), Reply(302, b"")])
def test_something_else_that_answers_is_not_taken_for_danlu(server, client, reply):
    server.on("GET", "version", reply)
    with pytest.raises(errors.Unreachable, match=r"is not Danlu|moved"):
        client.version()


def test_a_silent_server_times_out(server):
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(errors.Unreachable, match=r"no answer within 0\.05 s"):
            Client(url=url, timeout=0.05).version()


def test_a_prefix_and_odd_names_stay_in_the_path(server):
    server.on("GET", "/lab/api/v1/jobs/a b/ü", JOB)
    assert Client(url=server.url + "/lab").get("a b/ü").id == "j1"
