"""Logs over HTTP: pages, search, downloads, and following to the end."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from danlu.ports.logs import LogChunk
from danlu.server.jobs import logs
from danlu.server.live import follow
from danlu.server.live.log_lines import as_events
from danlu.server.live.models import LogPage
from tests.fakes.server import ENGINEER, World, job_file, world
from tests.fakes.server import served as serve_app
from tests.live import PATIENCE

LONG = {"SIMULATED_RUN_FOR": "1h"}
START = 1_700_000_000_000


def records(*texts: str, first: int = 0, stream: str = "o") -> bytes:
    lines = [f"{(START + first + at) / 1000:.3f} {stream} {text}\n" for at, text in enumerate(texts)]
    return "".join(lines).encode()


def started(here: World, name: str, **more: Any) -> str:
    job = here.jobs.create(here.caller(ENGINEER), job_file(name, env=LONG, **more), start=True)
    here.controller.step()
    here.controller.step()
    return job.id


def stopped(here: World, job_id: str) -> None:
    here.jobs.act(here.caller(ENGINEER), job_id, "stop")
    here.controller.step()
    here.controller.step()


def events(response: httpx.Response) -> Iterator[tuple[str, str, Any]]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if not line:
            if "data" in fields:
                yield fields.get("event", "message"), fields.get("id", ""), json.loads(fields["data"])
            fields = {}
            continue
        name, _, value = line.partition(":")
        fields[name] = value.removeprefix(" ")


def test_a_page_tells_lines_and_where_to_go_on(ask, here):
    job = started(here, "paged-log")
    here.write_log(job, records("one", "two", "three"))
    page = ask(ENGINEER, "GET", "jobs/paged-log/logs?limit_bytes=30").json()
    assert [(line["offset"], line["text"]) for line in page["lines"]] == [(0, "one")]
    assert page["lines"][0]["time"] == "2023-11-14T22:13:20.000Z"
    assert page["end"] is False
    rest = ask(ENGINEER, "GET", f"jobs/paged-log/logs?offset={page['next_offset']}").json()
    assert [line["text"] for line in rest["lines"]] == ["two", "three"]
    assert rest["end"] is False, "the task may still write"
    tail = ask(ENGINEER, "GET", "jobs/paged-log/logs?tail=1").json()
    assert [line["text"] for line in tail["lines"]] == ["three"]
    stopped(here, job)
    assert LogPage.model_validate(ask(ENGINEER, "GET", "jobs/paged-log/logs").json()).end is True


def test_a_search_answers_the_lines_that_contain_it(ask, here):
    job = started(here, "searched-log")
    here.write_log(job, records("loss 0.5", "something", "LOSS 0.4"))
    page = ask(ENGINEER, "GET", "jobs/searched-log/logs?search=loss").json()
    assert [line["text"] for line in page["lines"]] == ["loss 0.5", "LOSS 0.4"]
    again = ask(ENGINEER, "GET", f"jobs/searched-log/logs?offset={page['lines'][1]['offset']}").json()
    assert [line["text"] for line in again["lines"]] == ["LOSS 0.4"]


def test_a_download_is_the_text_itself(ask, here):
    job = started(here, "whole-log")
    here.write_log(job, records("one", "two"))
    here.write_log(job, records("pi", first=10).replace(b" o ", b" O ") + records("ece", first=11))
    plain = {"Accept": "text/plain"}
    answer = ask(ENGINEER, "GET", "jobs/whole-log/logs", headers=plain)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == "one\ntwo\npiece\n"
    timed = ask(ENGINEER, "GET", "jobs/whole-log/logs?timestamps=true&tail=2", headers=plain)
    assert timed.text.startswith("2023-11-14T22:13:20.010Z piece")


def test_a_large_download_is_complete(ask, here):
    job = started(here, "large-log")
    here.write_log(job, b"".join(records(f"line {number} " + "x" * 100) for number in range(20_000)))
    text = ask(ENGINEER, "GET", "jobs/large-log/logs", headers={"Accept": "text/plain"}).text
    assert text.count("\n") == 20_000
    assert text.endswith("line 19999 " + "x" * 100 + "\n")


@pytest.mark.parametrize(
    ("query", "status"), [("task=worker-7", 404), ("attempt=9", 404), ("attempt=0", 422), ("tail=-1", 422)]
)
def test_what_is_not_there_is_said(ask, here, query, status):
    if ask(ENGINEER, "GET", "jobs/asked-log").status_code == 404:
        started(here, "asked-log")
    for more in ("", "&follow=true"):
        assert ask(ENGINEER, "GET", f"jobs/asked-log/logs?{query}{more}").status_code == status


def test_a_follower_gets_every_line_and_the_end(client, here, monkeypatch):
    # Its end is heard of, not noticed at the next beat.
    monkeypatch.setattr("danlu.server.live.follow.HEARTBEAT_S", 600)
    job = started(here, "followed")
    here.write_log(job, records("one"))
    address = "/api/v1/jobs/followed/logs?follow=true"
    with client.stream("GET", address, headers=here.bearer(ENGINEER)) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        stream = events(response)
        kind, where, lines = next(stream)
        assert (kind, lines) == ("lines", [[START, "o", "one"]])
        here.write_log(job, records("two", first=1, stream="e"))
        assert next(stream)[2] == [[START + 1, "e", "two"]]
        here.write_log(job, records("last words", first=2))
        stopped(here, job)
        rest = list(stream)
    assert [line for kind, _, lines in rest if kind == "lines" for line in lines] == [
        [START + 2, "o", "last words"]
    ]
    assert rest[-1][0] == "end"
    resume = {**here.bearer(ENGINEER), "Last-Event-ID": where}
    with client.stream("GET", address, headers=resume) as response:
        again = [line for kind, _, lines in events(response) if kind == "lines" for line in lines]
    assert [line[2] for line in again] == ["two", "last words"]


def test_whoever_follows_a_waiting_job_is_there_when_it_starts(client, here):
    job = here.jobs.create(here.caller(ENGINEER), job_file("still-waiting", env=LONG), start=True)
    address = f"/api/v1/jobs/{job.id}/logs?follow=true"

    def later() -> None:
        time.sleep(0.2)
        here.controller.step()
        here.controller.step()
        here.write_log(job.id, records("at last"))

    thread = threading.Thread(target=later)
    thread.start()
    with client.stream("GET", address, headers=here.bearer(ENGINEER)) as response:
        assert next(events(response))[2] == [[START, "o", "at last"]]
    thread.join()


def test_a_place_that_cannot_be_is_no_place_to_go_on_from(client, here):
    job = started(here, "far-beyond")
    here.write_log(job, records("one"))
    headers = {**here.bearer(ENGINEER), "Last-Event-ID": "9" * 5_000}
    with client.stream("GET", "/api/v1/jobs/far-beyond/logs?follow=true", headers=headers) as response:
        assert next(events(response))[2] == [[START, "o", "one"]]


def test_a_log_that_never_rests_ends_for_whoever_may_no_longer_read(client, here, monkeypatch):
    monkeypatch.setattr(follow, "HEARTBEAT_S", 0.3)
    job = started(here, "restless")
    token, made = here.people.make_token(here.caller(ENGINEER), "narrow", ("job:read",))
    headers, deadline = {"Authorization": f"Bearer {token}"}, time.monotonic() + PATIENCE
    here.write_log(job, records("one"))
    with client.stream("GET", "/api/v1/jobs/restless/logs?follow=true", headers=headers) as response:
        for _ in events(response):
            here.people.revoke_token(here.caller(ENGINEER), made.id) if made else None
            made = None
            here.write_log(job, records("more"))
            assert time.monotonic() < deadline, "it goes on"


def test_following_a_job_that_never_ran_ends_at_once(client, here):
    here.jobs.create(here.caller(ENGINEER), job_file("never-ran"))
    with client.stream(
        "GET", "/api/v1/jobs/never-ran/logs?follow=true", headers=here.bearer(ENGINEER)
    ) as response:
        assert [kind for kind, _, _ in events(response)] == ["end"]


def test_followers_share_the_work_and_leave_no_trace(tmp_path, monkeypatch):
    converted: list[int] = []

    def counting(chunk: LogChunk) -> bytes:
        converted.append(chunk.start)
        return as_events(chunk)

    monkeypatch.setattr(logs, "SERVER_SENT", follow.SERVER_SENT._replace(lines=counting))
    with world(tmp_path) as here, serve_app(here.app) as url:
        job = started(here, "crowded")
        here.write_log(job, records(*[f"line {number}" for number in range(1_000)]))
        address = f"{url}/api/v1/jobs/crowded/logs?follow=true"
        clients = [httpx.Client(timeout=PATIENCE) for _ in range(20)]
        opened = [
            client.send(client.build_request("GET", address, headers=here.bearer(ENGINEER)), stream=True)
            for client in clients
        ]
        streams = [events(response) for response in opened]
        firsts = [next(stream) for stream in streams]
        assert all(lines == firsts[0][2] for _, _, lines in firsts)
        assert len(firsts[0][2]) == 1_000
        assert len(converted) == 1
        desk = here.app.state.desk
        assert desk.streams.open == desk.hub.listeners == 20
        for response, client in zip(opened, clients, strict=True):
            response.close()
            client.close()
        deadline = time.monotonic() + PATIENCE
        while (desk.streams.open or desk.hub.listeners) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert desk.streams.open == desk.hub.listeners == 0
        assert here.services.ports.follower._watched == {}  # type: ignore[attr-defined]
