"""The server itself: files, headers, uploads, figures, its own mistakes, and an end within seconds."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from danlu.domain.errors import Unavailable
from danlu.domain.words import same
from danlu.server.http.serve import serve
from tests.fakes.server import ADMINISTRATOR, ENGINEER, PASSWORD, World, job_file, served, world
from tests.live import PATIENCE

INDEX = '<!doctype html><html><head><base href="/" /><title>Danlu</title></head></html>'
SCRIPT = b"console.log('danlu')" * 100


@pytest.fixture(scope="module")
def console(here: World) -> None:
    assets = here.root / "console" / "assets"
    assets.mkdir(parents=True)
    (assets.parent / "index.html").write_text(INDEX)
    (assets.parent / "mark.svg").write_text("<svg/>")
    (assets / "main-1.js").write_bytes(SCRIPT)
    (assets / "main-1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (assets / "main-1.js.br").write_bytes(b"as if brotli")


@pytest.mark.usefixtures("console")
@pytest.mark.parametrize("path", ["/", "/jobs", "/jobs/abc", "/sign-in?code=x", "/index.html"])
def test_every_page_of_the_console_is_its_first_page(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert '<base href="/">' in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'; style-src")
    assert "object-src 'none'" in answer.headers["content-security-policy"]
    assert "form-action 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.usefixtures("console")
@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", None)],
)
def test_files_come_in_the_best_form_the_browser_takes(url, accepted, encoding):
    with httpx.stream("GET", f"{url}/assets/main-1.js", headers={"Accept-Encoding": accepted}) as answer:
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "javascript" in answer.headers["content-type"]


@pytest.mark.usefixtures("console")
@pytest.mark.parametrize(
    "path",
    [
        "/assets/gone-2.js",
        "/assets/..%2f..%2fdanlu.db",
        "/..%2fdanlu.db",
        "/assets/main-1.js.br",
        "/favicon.ico",
        "/api",
        "/api/v2/jobs",
        "/api/v1/jobs/",
        "/a%00b",
    ],
)
def test_what_is_not_there_is_not_answered_with_a_page(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.json()["type"]) == (404, "not_found")


@pytest.mark.usefixtures("console")
def test_a_file_outside_assets_is_asked_for_again(client):
    assert client.get("/mark.svg").headers["cache-control"] == "no-cache"


def test_without_a_console_the_page_says_how_to_build_it(tmp_path):
    with world(tmp_path) as here, served(here.app) as url:
        assert "./dev up" in httpx.get(url).text


def test_the_base_follows_the_public_address(tmp_path):
    (tmp_path / "console").mkdir()
    (tmp_path / "console" / "index.html").write_text("<html><head></head></html>")
    with world(tmp_path, public_url="https://danlu.example/furnace/") as here, served(here.app) as url:
        assert '<head><base href="/furnace/">' in httpx.get(url).text


def test_a_method_that_is_none_is_refused_in_the_same_shape(client):
    answer = client.request("PATCH", "/api/v1/jobs")
    assert (answer.status_code, answer.json()["type"]) == (405, "method_not_allowed")
    assert answer.headers["content-type"] == "application/problem+json"
    assert client.get("/api/v1/session/link").status_code == 405


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[", ""])
def test_a_server_on_loopback_does_not_answer_to_other_names(url, host):
    answer = httpx.get(f"{url}/healthz", headers={"Host": host})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize(
    ("proxies", "scheme", "strict"),
    [(["127.0.0.1"], "https", True), (["127.0.0.1"], "http", False), ([], "https", False)],
)
def test_browsers_that_came_by_tls_are_told_to_keep_to_it(fresh, proxies, scheme, strict):
    with served(fresh.app, proxies=proxies) as url:
        answers = [
            httpx.get(f"{url}{path}", headers={"X-Forwarded-Proto": scheme})
            for path in ("/", "/api/v1/health", "/api/v1/jobs")
        ]
    told = {answer.headers.get("strict-transport-security") for answer in answers}
    assert told == ({"max-age=15552000"} if strict else {None})


def test_an_answer_of_the_api_is_no_page_and_posts_no_form(client):
    policy = client.get("/api/v1/jobs").headers["content-security-policy"]
    assert policy == "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def test_code_is_uploaded_once_by_its_digest(ask):
    archive = gzip.compress(b"as if a tar" * 100)
    digest = hashlib.sha256(archive).hexdigest()
    assert ask(ENGINEER, "HEAD", f"code/{digest}").status_code == 404
    first = ask(ENGINEER, "PUT", f"code/{digest}", content=archive)
    assert (first.status_code, first.json()) == (201, {"digest": digest, "size": len(archive)})
    assert ask(ENGINEER, "PUT", f"code/{digest}", content=archive).status_code == 200
    assert ask(ENGINEER, "HEAD", f"code/{digest}").status_code == 200


def test_code_that_is_wrong_or_too_large_is_refused(ask):
    wrong = ask(ENGINEER, "PUT", "code/" + "0" * 64, content=b"other bytes")
    assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (422, "bad_archive")
    assert ask(ENGINEER, "PUT", "code/nonsense", content=b"x").status_code == 422

    def endless():
        for _ in range(40):
            yield b"x" * 65_536

    assert ask(ENGINEER, "PUT", "code/" + "0" * 64, content=endless()).status_code == 413
    assert ask(ENGINEER, "PUT", "code/" + "0" * 64, content=b"x" * (2 << 20)).status_code == 413


def test_figures_are_served(ask):
    ask(ENGINEER, "POST", "jobs", json=job_file("counted"))
    ask(ENGINEER, "GET", "jobs/counted")
    text = ask(None, "GET", "/metrics").text
    assert 'danlu_jobs{state="created"} 1.0' in text
    assert 'danlu_http_requests_total{method="GET",route="/api/v1/jobs/{job}",status="200"}' in text
    assert "danlu_event_listeners 0.0" in text


def test_a_mistake_of_ours_shows_a_number_and_no_more(ask, here, monkeypatch, caplog):
    def broken(*_: object) -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(here.jobs, "page", broken)
    with caplog.at_level(logging.ERROR):
        answer = ask(ENGINEER, "GET", "jobs")
    assert (answer.status_code, answer.json()["type"]) == (500, "error")
    assert answer.json()["incident"] in answer.json()["detail"]
    assert "secret cause" not in answer.text
    assert answer.json()["incident"] in caplog.text
    assert "the secret cause" in caplog.text


def test_it_is_not_ready_without_its_database(ask, here, monkeypatch):
    def away() -> None:
        raise Unavailable(same("the database does not answer"))

    monkeypatch.setattr(here.store, "ready", away, raising=False)
    answer = ask(None, "GET", "/readyz")
    assert (answer.status_code, answer.json()["type"]) == (503, "unavailable")
    assert ask(None, "GET", "/healthz").status_code == 200


def test_secrets_and_queries_stay_out_of_the_log(ask, client, caplog):
    with caplog.at_level(logging.DEBUG):
        client.post("/api/v1/session", json={"username": ENGINEER, "password": PASSWORD})
        ask(ENGINEER, "GET", "jobs?search=very-private")
    assert "GET /api/v1/jobs 200" in caplog.text
    for secret in (PASSWORD, "very-private", "danlu_"):
        assert secret not in "".join(
            record.getMessage() for record in caplog.records if "danlu" in record.name
        )


def test_it_ends_within_three_seconds_whatever_is_open(tmp_path):
    """A machine may be busy once; what waits for those who are connected always takes longer."""
    assert any(seconds_to_end(tmp_path / str(number)) < 3 for number in range(4))


def seconds_to_end(root: Path) -> float:
    root.mkdir()
    with world(root) as here:
        stop = threading.Event()
        ports: list[int] = []
        thread = threading.Thread(
            target=serve, args=(here.app, "127.0.0.1", 0), kwargs={"on_ready": ports.append, "stop": stop}
        )
        thread.start()
        while not ports:
            time.sleep(0.01)
        base, bearer = f"127.0.0.1:{ports[0]}", here.bearer(ENGINEER)
        here.jobs.create(here.caller(ENGINEER), job_file("waiting"), start=True)
        with (
            httpx.stream("GET", f"http://{base}/api/v1/events", headers=bearer) as events,
            httpx.stream(
                "GET", f"http://{base}/api/v1/jobs/waiting/logs?follow=true", headers=bearer
            ) as logs,
            connect(f"ws://{base}/api/v1/live", additional_headers=bearer) as live,
        ):
            lines = [events.iter_lines(), logs.iter_lines()]
            assert [next(line) for line in lines] == ["retry: 1000", "retry: 1000"]
            live.send(json.dumps({"subscribe": ["jobs"]}))
            began = time.monotonic()
            stop.set()
            for line in lines:
                list(line)
            with pytest.raises(ConnectionClosed) as closed:
                live.recv(timeout=PATIENCE)
            thread.join(PATIENCE)
        took = time.monotonic() - began
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        return took


def test_a_taken_port_is_said_with_a_way_out(fresh):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=f"cannot listen on 127.0.0.1:{port}: .*--port"):
            serve(fresh.app, "127.0.0.1", port)


@pytest.mark.parametrize(
    ("proxies", "noted"), [((), "127.0.0.1"), (("127.0.0.1",), "203.0.113.7"), (("192.0.2.1",), "127.0.0.1")]
)
def test_only_a_proxy_that_is_named_is_believed_about_where_a_request_comes_from(fresh, proxies, noted):
    headers = {**fresh.bearer(ADMINISTRATOR), "X-Forwarded-For": "203.0.113.7"}
    with served(fresh.app, proxies=proxies) as url:
        made = httpx.post(f"{url}/api/v1/pools", json={"name": "spare"}, headers=headers)
    assert made.status_code == 201
    assert fresh.store.last_noted().entry.address == noted
