"""The follower against a server that cuts its streams, restarts, and tells what kubelets tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest
from aiohttp import web

from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import Api
from danlu.engines.kubernetes.api.sign_in import Fixed
from danlu.engines.kubernetes.logs import logs as logs_module
from danlu.engines.kubernetes.logs.logs import PodLogFollower
from danlu.engines.kubernetes.logs.printed import Printed
from danlu.ports.logs import LogKey
from tests.effort import chance_of, rounds
from tests.unit.engines.kubernetes.kubelet import PIECE, Kubelet, chatter
from tests.unit.engines.kubernetes.logs.test_printed import records, text_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("loop_time")]

KEY = LogKey("job-1", 1, "worker-0")


class LogServer:
    """Serves the logs of pods. `cut` says after how many bytes an answer is cut short, None that it is not; `good`
    that cuts look like an end in good order."""

    def __init__(self) -> None:
        self.kubelets: dict[str, Kubelet] = {}
        self.refusals: dict[str, tuple[int, str]] = {}
        self.cut: Callable[[], int | None] = lambda: None
        self.good = False
        self.asked: list[dict[str, str]] = []
        self.answering = 0
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        name, query = request.match_info["name"], dict(request.query)
        self.asked.append(query)
        if name in self.refusals:
            status, message = self.refusals[name]
            return web.json_response({"message": message}, status=status)
        response = web.StreamResponse()
        self.answering += 1
        try:
            await self._answer(request, response, self.kubelets[name], query)
        except ConnectionError:
            pass
        finally:
            self.answering -= 1
        return response

    async def _answer(
        self, request: web.Request, response: web.StreamResponse, kubelet: Kubelet, query: dict[str, str]
    ) -> None:
        since = int(datetime.fromisoformat(query["sinceTime"]).timestamp()) if "sinceTime" in query else 0
        left, sent = self.cut(), 0
        await response.prepare(request)
        while True:
            news = kubelet.answer(since)[sent:][:left]
            sent += len(news)
            left = None if left is None else left - len(news)
            await response.write(news)
            if left == 0:
                if not self.good:
                    assert request.transport is not None
                    request.transport.abort()
                return
            if "follow" not in query:
                return
            await asyncio.sleep(0.1)


@pytest.fixture
async def server() -> AsyncIterator[LogServer]:
    server = LogServer()
    application = web.Application()
    application.router.add_get("/api/v1/namespaces/jobs/pods/{name}/log", server.serve)
    runner = web.AppRunner(application, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


@pytest.fixture
async def api(server: LogServer) -> AsyncIterator[Api]:
    api = Api(Credentials(server.url, Fixed({})))
    yield api
    await api.close()


@pytest.fixture
async def follower(api: Api, tmp_path: Path) -> AsyncIterator[PodLogFollower]:
    follower = PodLogFollower(api, "jobs", lambda key: path_of(tmp_path, key))
    yield follower
    await follower.close()


def path_of(root: Path, key: LogKey) -> Path:
    return root / key.job_id / str(key.attempt) / f"{key.task}.log"


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.1)


def text(root: Path, key: LogKey = KEY) -> bytes:
    path = path_of(root, key)
    return text_of(path.read_bytes()) if path.exists() else b""


@pytest.mark.parametrize("number", range(rounds(3, 6)))
async def test_all_lines_arrive_once_over_cut_streams_and_restarts(
    server: LogServer, api: Api, tmp_path: Path, number: int
) -> None:
    chance = chance_of(number)
    kubelet = server.kubelets["pod"] = Kubelet(old=bool(number % 2))
    server.cut, server.good = lambda: chance.randrange(1, 60_000), number % 3 == 0
    printed: list[bytes] = []
    for _ in range(5):
        follower = PodLogFollower(api, "jobs", lambda key: path_of(tmp_path, key))
        follower.follow("pod", KEY)
        printed += [line + b"\n" for line in chatter(chance, kubelet, 40)]
        await asyncio.sleep(chance.random() * 2)
        await follower.close()
    server.cut = lambda: None
    follower = PodLogFollower(api, "jobs", lambda key: path_of(tmp_path, key))
    follower.follow("pod", KEY)
    await follower.finished("pod", 20)
    assert text(tmp_path) == b"".join(printed)
    await follower.close()


async def test_a_line_is_there_soon_and_the_stream_stays_open(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    kubelet = server.kubelets["pod"] = Kubelet()
    follower.follow("pod", KEY)
    for number in range(5):
        kubelet.print(b"%d" % number)
        await until(lambda: text(tmp_path).count(b"\n") == len(kubelet.noted))
    assert [query.get("follow") for query in server.asked] == ["true"]


async def test_the_beginning_of_a_line_is_shown_after_a_pause(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    kubelet = server.kubelets["pod"] = Kubelet()
    kubelet.print(b"%" * PIECE, ends=False)
    follower.follow("pod", KEY)
    await until(lambda: text(tmp_path) == b"%" * PIECE)
    kubelet.print(b"done")
    await until(lambda: text(tmp_path) == b"%" * PIECE + b"done\n")


async def test_a_pod_that_ended_is_read_to_its_end_though_its_stream_stays_open(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    kubelet = server.kubelets["pod"] = Kubelet()
    kubelet.print(b"one")
    follower.follow("pod", KEY)
    await until(lambda: text(tmp_path) == b"one\n")
    kubelet.print(b"two")
    kubelet.print(b"no end", ends=False)
    await follower.finished("pod", 20)
    assert text(tmp_path) == b"one\ntwo\nno end"
    await until(lambda: server.answering == 0)


async def test_an_end_that_was_followed_costs_one_request_more(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    kubelet = server.kubelets["pod"] = Kubelet()
    kubelet.print(b"one")
    follower.follow("pod", KEY)
    await until(lambda: text(tmp_path) == b"one\n")
    await asyncio.gather(follower.finished("pod", 20), follower.finished("pod", 20))
    follower.follow("pod", KEY)
    await follower.finished("pod", 20)
    assert len(server.asked) == 2


async def test_a_container_that_has_not_started_is_waited_for(
    server: LogServer, follower: PodLogFollower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs_module, "_FIRST_WAIT_S", 60)
    server.refusals["pod"] = (400, 'container "task" in pod "pod" is waiting to start: PodInitializing')
    follower.follow("pod", KEY)
    await until(lambda: len(server.asked) == 1)
    server.kubelets["pod"] = Kubelet()
    server.kubelets["pod"].print(b"hello")
    server.refusals.clear()
    follower.follow("pod", KEY)
    await until(lambda: text(tmp_path) == b"hello\n")


@pytest.mark.parametrize("status", [400, 404])
async def test_what_ended_without_having_printed_is_not_waited_for(
    server: LogServer, follower: PodLogFollower, status: int
) -> None:
    server.refusals["pod"] = (status, "no log")
    follower.follow("pod", KEY)
    async with asyncio.timeout(10):
        await follower.finished("pod", 60)
        await follower.finished("nobody followed this one", 60)


async def test_the_wait_for_an_end_is_bounded_and_the_rest_comes_when_it_can(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    server.refusals["pod"] = (500, "dial tcp: i/o timeout")
    follower.follow("pod", KEY)
    await follower.finished("pod", 0.05)
    server.kubelets["pod"] = Kubelet()
    server.kubelets["pod"].print(b"late")
    server.refusals.clear()
    await until(lambda: text(tmp_path) == b"late\n")


async def test_what_an_ended_pod_printed_comes_even_after_it_is_dropped(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    server.refusals["pod"] = (500, "dial tcp: i/o timeout")
    follower.follow("pod", KEY)
    await follower.finished("pod", 0.05)
    follower.drop("pod")
    server.kubelets["pod"] = Kubelet()
    server.kubelets["pod"].print(b"late")
    server.refusals.clear()
    await until(lambda: text(tmp_path) == b"late\n")


async def test_a_dropped_pod_is_asked_for_no_more(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    server.kubelets["pod"] = Kubelet()
    server.kubelets["pod"].print(b"one")
    follower.follow("pod", KEY)
    await until(lambda: text(tmp_path) == b"one\n")
    follower.drop("pod")
    follower.drop("pod")
    await until(lambda: server.answering == 0)
    assert len(server.asked) == 1
    assert text(tmp_path) == b"one\n"


async def test_a_full_disk_loses_nothing(
    server: LogServer, follower: PodLogFollower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """/dev/full takes the place of the log for a while."""
    kubelet = server.kubelets["pod"] = Kubelet()
    kubelet.print(b"one")
    path = path_of(tmp_path, KEY)
    path.parent.mkdir(parents=True)
    path.symlink_to("/dev/full")
    follower.follow("pod", KEY)
    await until(lambda: len(server.asked) > 2)
    path.unlink()
    kubelet.print(b"two")
    await until(lambda: text(tmp_path) == b"one\ntwo\n")


async def test_a_fault_of_our_own_ends_no_following(
    server: LogServer, follower: PodLogFollower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kubelet = server.kubelets["pod"] = Kubelet()
    kubelet.print(b"one")
    faults, real = iter([ValueError("unheard of")]), Printed.feed

    def feed(printed: Printed, data: bytes) -> bytes:
        for fault in faults:
            raise fault
        return real(printed, data)

    monkeypatch.setattr(Printed, "feed", feed)
    follower.follow("pod", KEY)
    await until(lambda: text(tmp_path) == b"one\n")


async def test_two_who_follow_one_pod_write_each_line_once(
    server: LogServer, api: Api, follower: PodLogFollower, tmp_path: Path
) -> None:
    """A control plane that was paused and does not know yet that another leads."""
    kubelet = server.kubelets["pod"] = Kubelet()
    former = PodLogFollower(api, "jobs", lambda key: path_of(tmp_path, key))
    former.follow("pod", KEY)
    follower.follow("pod", KEY)
    expected = b""
    for number in range(100):
        kubelet.print(b"%d" % number, after_ns=10**7)
        expected += b"%d\n" % number
        if number % 10 == 0:
            await asyncio.sleep(0.2)
    await until(lambda: text(tmp_path) == expected)
    await former.close()


async def test_two_hundred_pods_are_followed_side_by_side(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    keys = {f"pod-{number}": LogKey("job-1", 1, f"worker-{number}") for number in range(200)}
    for name, key in keys.items():
        server.kubelets[name] = Kubelet()
        for number in range(20):
            server.kubelets[name].print(b"%s %d" % (name.encode(), number), after_ns=10**8)
        follower.follow(name, key)
    await asyncio.gather(*(follower.finished(name, 60) for name in keys))
    for name, key in keys.items():
        assert text(tmp_path, key) == b"".join(b"%s %d\n" % (name.encode(), number) for number in range(20))
    assert all(record.stream == "o" for record in records(path_of(tmp_path, KEY).read_bytes()))


async def test_an_end_is_not_taken_for_complete_by_an_answer_that_broke_off(
    server: LogServer, follower: PodLogFollower, tmp_path: Path
) -> None:
    kubelet = server.kubelets["pod"] = Kubelet()
    for number in range(100):
        kubelet.print(b"%d" % number)
    # The first gets far, the next ones not even as far.
    cuts = iter([2000, 1500, 0, 10])
    server.cut, server.good = lambda: next(cuts, None), True
    follower.follow("pod", KEY)
    await follower.finished("pod", 20)
    assert text(tmp_path) == b"".join(b"%d\n" % number for number in range(100))
