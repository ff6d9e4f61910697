"""Live events: server-sent for scripts, one WebSocket for the console."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from danlu.domain.events import StateChanged
from danlu.domain.reasons import StartFailed
from danlu.ports.store import JobChange
from danlu.server.live.models import Event
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, PASSWORD, World, job_file
from tests.live import PATIENCE


def messages(response: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def opened(client: httpx.Client, here: World, who: str, **more: str) -> Any:
    return client.stream("GET", "/api/v1/events", headers={**here.bearer(who), **more})


def live(url: str, here: World, who: str) -> ClientConnection:
    return connect(f"ws{url.removeprefix('http')}/api/v1/live", additional_headers=here.bearer(who))


def drained(here: World) -> None:
    desk = here.app.state.desk
    deadline = time.monotonic() + PATIENCE
    while (desk.hub.listeners or desk.streams.open) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert desk.hub.listeners == desk.streams.open == 0


def test_a_script_hears_of_its_own_jobs_only(client, here, ask):
    with opened(client, here, ENGINEER) as response:
        stream = messages(response)
        ask(OTHER, "POST", "jobs", json=job_file("not-mine"))
        mine = ask(ENGINEER, "POST", "jobs", json=job_file("heard-of")).json()
        event = Event.model_validate(next(stream))
    assert (event.kind, event.job_id, event.actor) == ("job_created", mine["id"], ENGINEER)
    drained(here)


def test_whoever_looks_once_the_answer_began_misses_nothing_though_the_stream_is_slow(
    client, here, ask, monkeypatch
):
    """So `danlu run` is told of an end that comes between its look at the job and the first event."""
    listen = here.app.state.hub.listen

    @asynccontextmanager
    async def late(after=None):
        await asyncio.sleep(0.3)
        async with listen(after) as listener:
            yield listener

    monkeypatch.setattr(here.app.state.hub, "listen", late)
    with opened(client, here, ENGINEER) as response:
        made = ask(ENGINEER, "POST", "jobs", json=job_file("in-between")).json()
        assert next(messages(response))["job_id"] == made["id"]
    drained(here)


def test_a_stream_resumes_after_the_last_event_seen(client, here, ask):
    made = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("resumed")).json()
    first = ask(ENGINEER, "GET", "jobs/resumed/events").json()["items"][0]
    with opened(client, here, ENGINEER, **{"Last-Event-ID": str(first["seq"])}) as response:
        stream = messages(response)
        kinds = [event["kind"] for event in (next(stream), next(stream)) if event["job_id"] == made["id"]]
    assert kinds == ["start_requested", "state_changed"]


def test_an_id_that_cannot_be_begins_a_stream_now(client, here, ask):
    with opened(client, here, ENGINEER, **{"Last-Event-ID": "9" * 5_000}) as response:
        assert response.status_code == 200
        ask(ENGINEER, "POST", "jobs", json=job_file("heard-anyway"))
        assert next(messages(response))["kind"] == "job_created"
    drained(here)


@pytest.mark.parametrize("after", ["9" * 400, str(2**63), "-1", "1.5", "²"])
def test_a_cursor_of_events_that_is_none_is_refused(ask, after):
    ask(ENGINEER, "POST", "jobs", json=job_file("with-events"))
    answer = ask(ENGINEER, "GET", "jobs/with-events/events", params={"cursor": after})
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "bad_cursor")


@pytest.mark.parametrize("stream", ["events", "jobs/streamed/logs?follow=true"])
def test_a_stream_ends_for_whoever_may_no_longer_read(client, here, ask, monkeypatch, stream):
    for module in ("events.routes", "live.follow"):
        monkeypatch.setattr(f"danlu.server.{module}.HEARTBEAT_S", 0.05)
    ask(ENGINEER, "POST", "jobs?start=true", json=job_file("streamed"))
    token, made = here.people.make_token(here.caller(ENGINEER), stream[:6], ("event:read", "job:read"))
    with client.stream("GET", f"/api/v1/{stream}", headers={"Authorization": f"Bearer {token}"}) as response:
        pieces = response.iter_raw()
        next(pieces)
        narrowed = replace(made, scopes=("node:read",))
        here.people.revoke_token(here.caller(ENGINEER), made.id)
        here.store.add_token(narrowed)
        here.app.state.desk.identity.forget()
        deadline = time.monotonic() + PATIENCE
        for _ in pieces:
            assert time.monotonic() < deadline, "it goes on"
    assert client.get("/api/v1/session", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    drained(here)


def test_an_event_with_half_a_character_breaks_no_socket(client, url, here, ask):
    with live(url, here, ENGINEER) as socket, opened(client, here, ENGINEER) as response:
        socket.send(json.dumps({"subscribe": ["jobs"]}))
        while here.app.state.hub.listeners < 2:
            time.sleep(0.01)
        time.sleep(0.1)
        made = here.jobs.create(here.caller(ENGINEER), job_file("half"))
        odd = StateChanged("starting", "failed", StartFailed("worker-0", "no \ud800 such"))
        here.store.save([JobChange(made, (odd,), None)], 1)
        here.app.state.hub.wake()
        assert json.loads(socket.recv(timeout=PATIENCE))["event"]["kind"] == "job_created"
        assert "no ? such" in socket.recv(timeout=PATIENCE)
        stream = messages(response)
        assert [next(stream)["kind"], next(stream)["kind"]] == ["job_created", odd.kind]
    drained(here)


def test_events_about_people_are_for_administrators(client, here):
    with opened(client, here, ADMINISTRATOR) as response:
        stream = messages(response)
        client.post("/api/v1/session", json={"username": OTHER, "password": PASSWORD})
        assert next(stream)["kind"] == "signed_in"
    drained(here)


def test_the_console_subscribes_topics(url, here, ask):
    with live(url, here, ENGINEER) as socket:
        socket.send(json.dumps({"subscribe": ["jobs"]}))
        socket.send(json.dumps({"subscribe": ["jobs", "queue"]}))
        while not here.app.state.hub.listeners:
            time.sleep(0.01)
        time.sleep(0.1)
        ask(ENGINEER, "POST", "jobs?start=true", json=job_file("on-topic"))
        heard = [json.loads(socket.recv(timeout=PATIENCE)) for _ in range(4)]
    assert [(one["topic"], one["event"]["kind"]) for one in heard] == [
        ("jobs", "job_created"),
        ("jobs", "start_requested"),
        ("jobs", "state_changed"),
        ("queue", "state_changed"),
    ]
    drained(here)


def test_a_message_that_makes_no_sense_ends_the_connection_with_a_word(url, here):
    with live(url, here, ENGINEER) as socket:
        socket.send("subscribe me")
        assert "subscribe" in json.loads(socket.recv(timeout=PATIENCE))["error"]
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    drained(here)


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({"Authorization": "Bearer nonsense"}, 401)],
)
def test_a_stranger_is_refused_before_the_socket_opens(url, headers, status, caplog):
    caplog.set_level(logging.WARNING)
    with (
        pytest.raises(InvalidStatus) as caught,
        connect(f"ws{url[4:]}/api/v1/live", additional_headers=headers),
    ):
        pass
    assert caught.value.response.status_code == status
    assert json.loads(caught.value.response.body)["type"] == "not_signed_in"
    assert not caplog.records


def test_a_browser_on_another_site_cannot_open_a_socket(client, url):
    client.post("/api/v1/session", json={"username": ENGINEER, "password": PASSWORD})
    cookie = {"Cookie": f"danlu_session={client.cookies['danlu_session']}"}
    address = f"ws{url[4:]}/api/v1/live"
    for more in ({}, {"Origin": "https://evil.example"}):
        with pytest.raises(InvalidStatus) as caught, connect(address, additional_headers={**cookie, **more}):
            pass
        assert caught.value.response.status_code == 403
    with connect(address, additional_headers={**cookie, "Origin": url}) as socket:
        socket.send(json.dumps({"subscribe": []}))


def test_an_address_that_is_no_socket_is_refused(url):
    with pytest.raises(InvalidStatus) as caught, connect(f"ws{url[4:]}/api/v1/nothing"):
        pass
    assert caught.value.response.status_code in (403, 404)
