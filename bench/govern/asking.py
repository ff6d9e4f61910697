"""What is asked of the API: how long it takes, and how much work it is for the server."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import psutil

from bench.govern.ground import ENGINEER, Ground
from bench.govern.size import DAY, group, project, user
from bench.table import percentile
from danlu.sdk import Client
from tests.live import LiveServer

_CALLS, _SECONDS = 40, 6.0
"""So many calls of each, or for so long."""
_IDLE_S = 15.0
_BUSY = 0.002
"""What a thread spends of a core that has work of its own."""
_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Question:
    """A path below the API and who asks it; `body` makes it a POST. `expects` is the status that is right."""

    words: str
    path: str
    name: str = "admin"
    body: dict[str, Any] | None = None
    expects: int = 200


@dataclass(frozen=True)
class Answered:
    """Milliseconds, of the wall and of the server's CPU, and bytes."""

    question: Question
    first: float
    walls: list[float]
    cpu: float
    size: int

    @property
    def median(self) -> float:
        return percentile(self.walls, 0.5)

    @property
    def least(self) -> float:
        """On a shared machine the nearest to what it takes by itself."""
        return min(self.walls)

    @property
    def p95(self) -> float:
        return percentile(self.walls, 0.95)


class Asker:
    """One kept connection. `idle` is the CPU the server spends per second when nobody asks: the threads that decide and
    record go on meanwhile, and are left out of what the questions cost."""

    def __init__(self, ground: Ground, live: LiveServer) -> None:
        self._ground = ground
        self._process = psutil.Process(live.pid)
        self._connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=120)
        self._numbers = count(int(time.time()))
        self._busy_anyway: frozenset[int] = frozenset()
        self.idle = self._look_on()

    def ask(self, question: Question) -> Answered:
        first, size = self._once(question)
        walls: list[float] = []
        began, cpu = time.perf_counter(), self._cpu()
        while len(walls) < _CALLS and time.perf_counter() - began < _SECONDS:
            walls.append(self._once(question)[0])
        return Answered(question, first, walls, (self._cpu() - cpu) / len(walls) * 1000, size)

    def memory(self) -> float:
        return float(self._process.memory_info().rss / 2**20)

    def _once(self, question: Question) -> tuple[float, int]:
        headers = {"Authorization": f"Bearer {self._ground.token(question.name)}"}
        body = None
        if question.body is not None:
            body = json.dumps({**question.body, "name": f"bench-{next(self._numbers)}"})
            headers |= _JSON
        began = time.perf_counter()
        self._connection.request("GET" if body is None else "POST", question.path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        took = (time.perf_counter() - began) * 1000
        assert answer.status == question.expects, (question, answer.status, text[:1000])
        return took, len(text)

    def _look_on(self) -> float:
        before = self._threads()
        time.sleep(_IDLE_S)
        spent = {thread: cpu - before.get(thread, 0.0) for thread, cpu in self._threads().items()}
        self._busy_anyway = frozenset(
            thread for thread, cpu in spent.items() if cpu > _BUSY * _IDLE_S and thread != self._process.pid
        )
        return sum(spent.values()) / _IDLE_S

    def _cpu(self) -> float:
        return sum(cpu for thread, cpu in self._threads().items() if thread not in self._busy_anyway)

    def _threads(self) -> dict[int, float]:
        return {one.id: float(one.user_time + one.system_time) for one in self._process.threads()}


def questions(now: int) -> Iterator[Question]:
    """Those of an administrator, then those of an engineer."""
    api, mine = "/api/v1", f"user={ENGINEER}"
    month, week = f"since={now - 30 * DAY}&step=day", f"since={now - 7 * DAY}&step=hour"
    home, team = project(1), group(1)
    paths = {
        "resource panel": f"{api}/resources",
        "trends, 30 days, all together": f"{api}/trends?{month}",
        "… by project": f"{api}/trends?{month}&by=project",
        "… by user": f"{api}/trends?{month}&by=user",
        "trends, 7 days by the hour, by model (what the panel shows first)": f"{api}/trends?{week}&by=model",
        "trends, 7 days by the hour, all together": f"{api}/trends?{week}",
        "… by project ": f"{api}/trends?{week}&by=project",
        "… by user ": f"{api}/trends?{week}&by=user",
        "people, first page": f"{api}/users?limit=100",
        "… search": f"{api}/users?limit=100&search=son%2019",
        "a person": f"{api}/users/{user(7)}",
        "… quota": f"{api}/users/{user(7)}/quota",
        "groups": f"{api}/groups?limit=500",
        "a group": f"{api}/groups/{team}",
        "… quota ": f"{api}/groups/{team}/quota",
        "projects": f"{api}/projects?limit=500",
        "a project's standing": f"{api}/projects/{home}/standing",
        "… members": f"{api}/projects/{home}/members",
        "quotas, first page": f"{api}/quotas?limit=100",
        "requests, first page": f"{api}/requests?limit=100",
        "nodes": f"{api}/nodes",
        "a node": f"{api}/nodes/a100-17",
        "flavors on offer": f"{api}/flavors/offers?project={home}",
        "audit, first page": f"{api}/audit?limit=100",
        "… by person": f"{api}/audit?limit=100&by={user(7)}",
        "… by subject": f"{api}/audit?limit=100&subject=quota:user:{user(3)}",
        "… by kind of subject": f"{api}/audit?limit=100&subject=project:",
        "… search, many found": f"{api}/audit?limit=100&search=nothing",
        "… search, none found": f"{api}/audit?limit=100&search=no%20such%20word",
        "jobs, first page": f"{api}/jobs?limit=50",
        "… of a person": f"{api}/jobs?limit=50&owner={user(7)}",
        "queue, first page": f"{api}/queue?limit=100",
        "metrics": "/metrics",
    }
    for words, path in paths.items():
        yield Question(words, path)
    own = {
        "resource panel": f"{api}/resources",
        "own trends, 30 days": f"{api}/trends?{month}&{mine}",
        "trends of their project, 30 days by user": f"{api}/trends?{month}&project={home}&by=user",
        "trends of their project, 7 days by the hour": f"{api}/trends?{week}&project={home}",
        "themselves": f"{api}/users/{ENGINEER}",
        "own quota": f"{api}/users/{ENGINEER}/quota",
        "projects": f"{api}/projects?limit=500",
        "requests": f"{api}/requests?limit=100",
        "nodes": f"{api}/nodes",
        "flavors on offer": f"{api}/flavors/offers?project={home}",
        "jobs, own, first page": f"{api}/jobs?limit=50&owner=me",
    }
    for words, path in own.items():
        yield Question(words, path, ENGINEER)
    wish = {"kind": "training", "command": "true", "project": home, "resources": {"gpus": 1, "gpu": "H100"}}
    yield Question("submit and start, past the gate", f"{api}/jobs?start=true", ENGINEER, wish, 201)
    large = {**wish, "nodes": 300, "resources": {"gpus": 8, "gpu": "H100"}}
    yield Question("… refused at the gate", f"{api}/jobs?start=true", ENGINEER, large, 409)


def follow_chain(client: Client, entries: int) -> float:
    """Entries of the audit log verified per second."""
    began = time.perf_counter()
    verdict = client.http.json("GET", "/api/v1/audit/verify")
    assert verdict["ok"], verdict
    assert verdict["count"] >= entries
    return float(verdict["count"] / (time.perf_counter() - began))
