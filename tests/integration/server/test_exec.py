"""A command inside a task: bytes both ways, an exit code, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from danlu.domain.errors import Unavailable
from danlu.domain.job import Task
from danlu.domain.people import UserRole
from danlu.domain.words import same
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file, served, world
from tests.live import PATIENCE

LONG = {"SIMULATED_RUN_FOR": "1h"}


class Echo:
    """A shell that answers its input in capitals and ends with 3 at the end of it."""

    def __init__(self, argv: Sequence[str], tty: tuple[int, int] | None) -> None:
        self.argv, self.size, self.closed = list(argv), tty, False
        self._output: asyncio.Queue[bytes] = asyncio.Queue()

    async def read(self) -> bytes:
        return await self._output.get()

    async def write(self, data: bytes) -> None:
        await self._output.put(data.upper())

    def resize(self, columns: int, rows: int) -> None:
        self.size = (columns, rows)

    async def wait(self) -> int:
        return 3

    async def close(self) -> None:
        self.closed = True


class Shells:
    def __init__(self) -> None:
        self.opened: list[Echo] = []
        self.slow = False

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Echo:
        if self.slow:
            await asyncio.sleep(0.5)
        if argv[0] == "fail":
            raise Unavailable(same(f"{task.name} of {attempt_id} cannot be entered"))
        self.opened.append(Echo(argv, tty))
        return self.opened[-1]


@pytest.fixture(scope="module")
def shells() -> Shells:
    return Shells()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, shells: Shells) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world"), shells=shells) as made:
        caller = made.caller(ENGINEER)
        made.jobs.create(caller, job_file("entered", env=LONG), start=True)
        made.controller.step()
        made.controller.step()
        made.jobs.create(caller, job_file("asleep"))
        yield made


@pytest.fixture(scope="module")
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


@pytest.fixture
def enter(url: str, here: World) -> Any:
    job = here.store.find(ENGINEER, "entered")
    assert job is not None

    def entered(query: str = "", job: str = job.id, who: str = ENGINEER) -> ClientConnection:
        address = f"ws{url[4:]}/api/v1/jobs/{job}/exec?{quote(query, safe='=&')}"
        return connect(address, additional_headers=here.bearer(who))

    return entered


def test_bytes_go_both_ways_and_the_exit_code_comes_last(enter, shells):
    with enter("tty=true&cols=100&rows=30&command=" + json.dumps(["cat", "-"])) as socket:
        socket.send(b"hello")
        assert socket.recv(timeout=PATIENCE) == b"HELLO"
        socket.send(json.dumps({"resize": [120, 40]}))
        socket.send(json.dumps({"eof": True}))
        assert json.loads(socket.recv(timeout=PATIENCE)) == {"exit": 3}
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    shell = shells.opened[-1]
    assert (shell.argv, shell.size) == (["cat", "-"], (120, 40))
    gone(shell)


def test_without_a_command_it_is_a_shell_and_without_a_terminal_there_is_no_size(enter, shells):
    with enter("tty=false") as socket:
        socket.send(json.dumps({"eof": True}))
        assert json.loads(socket.recv(timeout=PATIENCE)) == {"exit": 3}
    assert shells.opened[-1].argv[0] == "/bin/sh"
    assert shells.opened[-1].size is None


def test_a_client_that_leaves_takes_its_command_along(enter, shells):
    with enter() as socket:
        socket.send(b"x")
        assert socket.recv(timeout=PATIENCE) == b"X"
        assert not shells.opened[-1].closed
    deadline = time.monotonic() + PATIENCE
    while not shells.opened[-1].closed and time.monotonic() < deadline:
        time.sleep(0.02)
    gone(shells.opened[-1])


@pytest.mark.parametrize(
    "text", ["nonsense", "[]", '{"resize": [0, 0]}', '{"resize": ["a", 1]}', '{"eof": 1e3}']
)
def test_a_control_message_that_is_none_ends_it_with_a_word(enter, shells, text):
    with enter() as socket:
        socket.send(text)
        assert "control message" in json.loads(socket.recv(timeout=PATIENCE))["error"]


def test_what_the_engine_cannot_do_is_said(enter):
    with enter("command=" + json.dumps(["fail"])) as socket:
        assert "cannot be entered" in json.loads(socket.recv(timeout=PATIENCE))["error"]


@pytest.mark.parametrize(
    ("who", "job", "query", "status"),
    [
        (OTHER, None, "", 404),
        (VIEWER, None, "", 403),
        (ENGINEER, "nowhere", "", 404),
        (ENGINEER, "asleep", "", 409),
        (ENGINEER, None, "task=worker-9", 404),
        (ENGINEER, None, "command=ls", 422),
        (ENGINEER, None, "command=[]", 422),
        (ENGINEER, None, 'command=["ls", "a\\u0000b"]', 422),
        (ENGINEER, None, 'command=["ls", "\\ud800"]', 422),
        (ENGINEER, None, f"command=[{'9' * 5000}]", 422),
        (ENGINEER, None, "cols=0", 422),
        (ENGINEER, None, "colour=red", 422),
    ],
)
def test_it_is_refused_before_it_opens(enter, who, job, query, status):
    arguments = {"query": query, "who": who, **({"job": job} if job else {})}
    with pytest.raises(InvalidStatus) as caught, enter(**arguments):
        pass
    assert caught.value.response.status_code == status
    assert json.loads(caught.value.response.body)["status"] == status


def test_an_administrator_may_enter_others_tasks(enter):
    with enter(who=ADMINISTRATOR) as socket:
        socket.send(json.dumps({"eof": True}))
        assert json.loads(socket.recv(timeout=PATIENCE)) == {"exit": 3}


def test_whoever_may_no_longer_enter_is_put_out(enter, here, shells, ask, monkeypatch):
    monkeypatch.setattr("danlu.server.jobs.exec.HEARTBEAT_S", 0.05)
    with enter() as socket:
        ask(ADMINISTRATOR, "PATCH", f"users/{ENGINEER}", json={"role": "viewer"})
        try:
            assert "job:exec" in json.loads(socket.recv(timeout=PATIENCE))["error"]
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=PATIENCE)
        finally:
            ask(ADMINISTRATOR, "PATCH", f"users/{ENGINEER}", json={"role": "engineer"})
    gone(shells.opened[-1])


def test_an_administrator_no_more_is_put_out_of_others_tasks(enter, here, ask, monkeypatch):
    monkeypatch.setattr("danlu.server.jobs.exec.HEARTBEAT_S", 0.05)
    here.people.make_user("deputy", UserRole.ADMINISTRATOR)
    with enter(who="deputy") as socket:
        ask(ADMINISTRATOR, "PATCH", "users/deputy", json={"role": "engineer"})
        assert "on jobs of eve" in json.loads(socket.recv(timeout=PATIENCE))["error"]


def test_a_command_that_never_reads_is_not_waited_for_without_end(enter, shells, monkeypatch):
    async def never(_: Echo, __: bytes) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("danlu.server.jobs.exec._PATIENCE_S", 0.05)
    monkeypatch.setattr(Echo, "write", never)
    with enter() as socket:
        socket.send(b"hello")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    gone(shells.opened[-1])


# ── terminals that are kept ──────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def kept(
    url: str, here: World, who: str = ENGINEER, **query: Any
) -> Iterator[tuple[ClientConnection, dict[str, Any]]]:
    """A connection to a terminal that is kept, and the first thing it was told."""
    asked = "&".join(f"{name}={value}" for name, value in {"keep": "true", **query}.items())
    address = f"ws{url.removeprefix('http')}/api/v1/jobs/{ENGINEER}:entered/exec?{asked}"
    with connect(address, additional_headers=here.bearer(who)) as socket:
        yield socket, json.loads(socket.recv(timeout=PATIENCE))


def refusal(url: str, here: World, who: str = ENGINEER, **query: Any) -> str:
    with kept(url, here, who, **query) as (_, said):
        return str(said["error"])


def close(socket: ClientConnection) -> None:
    socket.send(json.dumps({"close": True}))


def test_a_kept_terminal_goes_on_without_a_connection_and_is_read_on_from_where_one_was(url, here, shells):
    with kept(url, here) as (socket, first):
        assert first["offset"] == 0
        socket.send(b"one")
        assert socket.recv(timeout=PATIENCE) == b"ONE"
    shell = shells.opened[-1]
    run(here, shell.write(b"two"))

    with kept(url, here, terminal=first["terminal"], offset=3) as (socket, again):
        assert again == {"terminal": first["terminal"], "offset": 3}
        assert socket.recv(timeout=PATIENCE) == b"TWO"
        socket.send(b"three")
        assert socket.recv(timeout=PATIENCE) == b"THREE"
        socket.send(json.dumps({"eof": True}))
        assert json.loads(socket.recv(timeout=PATIENCE)) == {"exit": 3}
    gone(shell)
    assert "no longer exists" in refusal(url, here, terminal=first["terminal"])


def test_a_kept_terminal_that_is_closed_on_purpose_is_over_at_once(url, here, shells):
    with kept(url, here) as (socket, first):
        close(socket)
        gone(shells.opened[-1])
    assert "no longer exists" in refusal(url, here, terminal=first["terminal"])


def test_nobody_else_finds_a_terminal(url, here, shells):
    with kept(url, here) as (socket, first):
        assert "no longer exists" in refusal(url, here, ADMINISTRATOR, terminal=first["terminal"])
        assert not shells.opened[-1].closed
        close(socket)
        gone(shells.opened[-1])


def test_of_two_connections_to_one_terminal_the_later_has_it(url, here, shells):
    with (
        kept(url, here) as (early, first),
        kept(url, here, terminal=first["terminal"]) as (late, _),
    ):
        assert "in another window" in json.loads(early.recv(timeout=PATIENCE))["error"]
        late.send(b"mine")
        assert late.recv(timeout=PATIENCE) == b"MINE"
        close(late)
        gone(shells.opened[-1])


def test_a_person_cannot_open_terminals_without_end(url, here, shells):
    with contextlib.ExitStack() as stack:
        open_ones = [stack.enter_context(kept(url, here))[0] for _ in range(20)]
        assert "20 open terminals" in refusal(url, here)
        for socket in open_ones:
            close(socket)
        for shell in shells.opened[-20:]:
            gone(shell)


def test_whoever_leaves_while_the_shell_is_being_started_leaves_nothing_behind(url, here, shells):
    opened = len(shells.opened)
    shells.slow = True
    try:
        address = f"ws{url.removeprefix('http')}/api/v1/jobs/{ENGINEER}:entered/exec?keep=true"
        with connect(address, additional_headers=here.bearer(ENGINEER), close_timeout=0.1):
            pass
    finally:
        shells.slow = False
    deadline = time.monotonic() + PATIENCE
    while len(shells.opened) == opened and time.monotonic() < deadline:
        time.sleep(0.02)
    terminals = here.app.state.desk.terminals
    deadline = time.monotonic() + PATIENCE
    while any(one.attached for one in terminals._all.values()) and time.monotonic() < deadline:
        time.sleep(0.02)
    # It waits for its person like any other, and is given up in time.
    assert all(name in terminals._leaving for name in terminals._all)


def run(here: World, work: Any) -> None:
    """On the server's own loop."""
    asyncio.run_coroutine_threadsafe(work, here.app.state.hub._loop).result(5)


def gone(shell: Echo) -> None:
    deadline = time.monotonic() + PATIENCE
    while not shell.closed and time.monotonic() < deadline:
        time.sleep(0.02)
    assert shell.closed
