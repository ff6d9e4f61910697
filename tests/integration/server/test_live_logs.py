"""Logs over the console's one socket: several at once, each by a name of the client's."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from danlu.domain.people import UserRole
from danlu.ports.logs import LogKey
from danlu.server.events import live_logs
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, job_file, served, world
from tests.live import PATIENCE

LONG = {"SIMULATED_RUN_FOR": "1h"}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    with world(tmp_path) as made:
        yield made


@pytest.fixture
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


def started(here: World, name: str, **more: Any) -> str:
    job = here.jobs.create(here.caller(ENGINEER), job_file(name, env=LONG, **more), start=True)
    here.controller.step()
    here.controller.step()
    return job.id


def live(url: str, here: World, who: str = ENGINEER) -> ClientConnection:
    return connect(f"ws{url.removeprefix('http')}/api/v1/live", additional_headers=here.bearer(who))


def want(socket: ClientConnection, **logs: dict[str, Any]) -> None:
    socket.send(json.dumps({"subscribe": ["jobs"], "logs": logs}))


def heard(socket: ClientConnection, name: str) -> dict[str, Any]:
    """The next message about a log; topics are passed over."""
    for _ in range(100):
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if message.get("log") == name:
            return message
    raise AssertionError(f"nothing was said of {name}")


def line(text: str) -> bytes:
    return f"1700000000.000 o {text}\n".encode()


def test_several_tasks_are_followed_over_one_socket(url, here):
    job = started(here, "two-tasks", nodes=2)
    for task in ("worker-0", "worker-1"):
        here.write_log(job, line(f"hello from {task}"), task=task)
    with live(url, here) as socket:
        want(socket, a={"job": job, "task": "worker-0"}, b={"job": job, "task": "worker-1"})
        first = {name: heard_any(socket) for name in ("one", "two")}
        texts = {message["log"]: message["lines"][0][2] for message in first.values()}
        assert texts == {"a": "hello from worker-0", "b": "hello from worker-1"}

        here.write_log(job, line("again"), task="worker-1")
        more = heard(socket, "b")
        assert more["lines"] == [[1_700_000_000_000, "o", "again"]]
        assert more["next"] == here.logs.size(key(job, "worker-1"))


def test_following_goes_on_from_an_offset_to_the_end(url, here):
    job = started(here, "ended-log")
    here.write_log(job, line("one") + line("two"))
    with live(url, here) as socket:
        want(socket, log={"job": job, "offset": len(line("one"))})
        assert [text for _, _, text in heard(socket, "log")["lines"]] == ["two"]
        here.jobs.act(here.caller(ENGINEER), job, "stop")
        here.controller.step()
        here.controller.step()
        assert heard(socket, "log") == {"log": "log", "end": True}


def test_a_log_no_longer_wanted_is_silent_and_topics_go_on(url, here):
    job = started(here, "left-alone")
    with live(url, here) as socket:
        want(socket, log={"job": job})
        here.write_log(job, line("seen"))
        assert heard(socket, "log")["lines"][0][2] == "seen"
        socket.send(json.dumps({"subscribe": ["jobs"]}))
        # The server has taken the wish in when it tells what happened after it; what happens meanwhile it may not tell.
        made: set[str] = set()
        message = None
        while message is None:
            made.add(here.jobs.create(here.caller(ENGINEER), job_file(f"told-after-{len(made)}")).id)
            with contextlib.suppress(TimeoutError):
                message = json.loads(socket.recv(timeout=2))
        assert (message["topic"], message["event"]["job_id"] in made) == ("jobs", True)
        here.write_log(job, line("unseen"))
        with pytest.raises(TimeoutError):
            socket.recv(timeout=1.5)


def test_what_one_may_not_read_is_refused_by_name_and_the_socket_stays(url, here):
    job = started(here, "secret-log")
    with live(url, here, OTHER) as socket:
        want(socket, theirs={"job": job}, typo={"job": "no-such-job"})
        refused = {message["log"]: message["error"] for message in (heard_any(socket), heard_any(socket))}
        assert set(refused) == {"theirs", "typo"}
        assert "no job" in refused["theirs"]
        mine = here.jobs.create(here.caller(OTHER), job_file("still-open"))
        assert json.loads(socket.recv(timeout=PATIENCE))["event"]["job_id"] == mine.id


@pytest.mark.parametrize(
    "wish",
    [
        {"logs": {"a": {}}},
        {"logs": {"a": {"job": "x", "offset": -1}}},
        {"logs": {str(number): {"job": "x"} for number in range(17)}},
        {"logs": ["x"]},
        {"subscribe": "jobs"},
        {"other": 1},
    ],
)
def test_a_wish_that_makes_no_sense_ends_the_connection_with_a_word(url, here, wish):
    with live(url, here) as socket:
        socket.send(json.dumps(wish))
        assert "subscribe" in json.loads(socket.recv(timeout=PATIENCE))["error"]
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)


def test_rights_are_looked_up_for_every_log_and_not_once_for_the_socket(url, here):
    job = started(here, "told-to-admins")
    here.write_log(job, line("secret"))
    here.people.make_user("demoted", UserRole.ADMINISTRATOR, "", "a long enough password")
    with live(url, here, "demoted") as socket:
        want(socket, before={"job": job})
        assert heard(socket, "before")["lines"][0][2] == "secret"
        here.services.people.accounts.edit_user(here.caller(ADMINISTRATOR), "demoted", role=UserRole.ENGINEER)
        here.app.state.desk.identity.forget()
        want(socket, after={"job": job})
        assert "no job" in heard(socket, "after")["error"]


def test_what_goes_wrong_while_a_log_is_read_is_told(url, here, monkeypatch):
    job = started(here, "unreadable")
    monkeypatch.setattr(live_logs, "beginning", lambda *_: 1 / 0)
    with live(url, here) as socket:
        want(socket, log={"job": job})
        assert "cannot be read" in heard(socket, "log")["error"]
        made = here.jobs.create(here.caller(ENGINEER), job_file("goes-on"))
        assert json.loads(socket.recv(timeout=PATIENCE))["event"]["job_id"] == made.id


def test_nothing_is_left_behind_by_those_who_leave(url, here):
    job = started(here, "left-early")
    for _ in range(5):
        with live(url, here) as socket:
            want(socket, a={"job": job}, b={"job": job})
            here.write_log(job, line("more"))
            heard(socket, "a")
    desk = here.app.state.desk
    waiting = threading.Event()
    for _ in range(100):
        if not desk.hub.listeners and not desk.streams.open:
            break
        waiting.wait(0.05)
    assert (desk.hub.listeners, desk.streams.open) == (0, 0)


def heard_any(socket: ClientConnection) -> dict[str, Any]:
    for _ in range(100):
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if "log" in message:
            return message
    raise AssertionError("nothing was said of a log")


def key(job: str, task: str) -> Any:

    return LogKey(job, 1, task)
