"""Tasks of one attempt listen to each other and to nobody else."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from danlu.runtime.gang import agents

SECRET, OTHER = agents.secret_of({"DANLU_TASK_TOKEN": "a"}), agents.secret_of({"DANLU_TASK_TOKEN": "b"})


class Asked:
    """Answers one who connects, and keeps what came of it."""

    def __init__(self, secret: bytes) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.outcome: Any = None
        self._secret = secret
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()

    def _answer(self) -> None:
        connection, _ = self.socket.accept()
        with connection:
            try:
                line, self.outcome = agents.answer(connection, self._secret)
                line.tell(agents.READY, self.outcome)
            except (agents.Gone, agents.UntrustedPeer) as error:
                self.outcome = error

    def done(self) -> Any:
        self._thread.join(20)
        return self.outcome


@pytest.fixture
def asked() -> Iterator[Callable[[bytes], Asked]]:
    made: list[Asked] = []

    def make(secret: bytes) -> Asked:
        made.append(Asked(secret))
        return made[-1]

    yield make
    for one in made:
        one.done()
        one.socket.close()


def test_a_request_arrives_at_one_who_knows_the_same_secret(asked: Callable[[bytes], Asked]) -> None:
    there = asked(SECRET)
    line = agents.ask("127.0.0.1", there.port, SECRET, {"do": "run", "line": "true"})
    assert line.receive().json() == {"do": "run", "line": "true"}
    line.close()
    assert there.done() == {"do": "run", "line": "true"}


def test_one_who_does_not_know_the_secret_is_not_listened_to(asked: Callable[[bytes], Asked]) -> None:
    there = asked(SECRET)
    with pytest.raises(agents.Gone):
        agents.ask("127.0.0.1", there.port, OTHER, {"do": "run", "line": "true"})
    assert isinstance(there.done(), agents.UntrustedPeer)


def test_nothing_is_asked_of_one_who_cannot_prove_itself() -> None:
    taker = socket.create_server(("127.0.0.1", 0))
    heard: list[bytes] = []

    def pretend() -> None:
        connection, _ = taker.accept()
        with connection:
            connection.sendall(bytes(32))
            connection.recv(64, socket.MSG_WAITALL)
            connection.sendall(bytes(32))
            heard.append(connection.recv(1024))

    thread = threading.Thread(target=pretend)
    thread.start()
    with pytest.raises(agents.UntrustedPeer):
        agents.ask("127.0.0.1", taker.getsockname()[1], SECRET, {"do": "run", "line": "secret"})
    thread.join(20)
    taker.close()
    assert heard == [b""]


def test_a_frame_that_is_too_long_is_not_waited_for() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b"\1\xff\xff\xff\xff")
        with pytest.raises(agents.UntrustedPeer):
            agents.TrustedConnection(here).receive()


def test_a_task_without_a_token_has_no_secret() -> None:
    with pytest.raises(agents.UntrustedPeer):
        agents.secret_of({})
