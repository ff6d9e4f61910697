"""The copy stays true, and is known to be, whatever the server does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

import pytest

from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import ALL_PODS, NODES, Api, Json, pods
from danlu.engines.kubernetes.api.sign_in import Fixed
from danlu.engines.kubernetes.watch import informer as module
from danlu.engines.kubernetes.watch.informer import Informer
from tests.fakes.kubernetes import ApiServer, Fault
from tests.fakes.loop_time import LoopTime

pytestmark = pytest.mark.anyio


@pytest.fixture
def server(loop_time: LoopTime) -> Iterator[ApiServer]:
    server = ApiServer(time=loop_time)
    yield server
    server.close()


class Followed:
    """An informer at work and everything it told, as `key version` or `key gone`."""

    def __init__(self, server: ApiServer, path: str = ALL_PODS, **params: str) -> None:
        self.told: list[str] = []
        self.api = Api(Credentials(server.url, Fixed({})))
        self.informer = Informer(self.api, path, self._tell, **params)

    def _tell(self, key: str, one: Json | None) -> None:
        assert self.informer.objects.get(key) is one
        self.told.append(f"{key} {one['spec']['is'] if one else 'gone'}")

    async def until(self, *told: str) -> None:
        while self.told != list(told):
            assert len(self.told) <= len(told), self.told
            await asyncio.sleep(0.1)

    async def until_synced(self, synced: bool = True) -> None:
        while self.informer.synced is not synced:
            await asyncio.sleep(module._FIRST_WAIT_S / 3)


@asynccontextmanager
async def following(server: ApiServer, path: str = ALL_PODS, **params: str) -> AsyncIterator[Followed]:
    """Until it has read everything and watches."""
    followed = Followed(server, path, **params)
    running = asyncio.create_task(followed.informer.run())
    try:
        await followed.until_synced()
        while not any(what.startswith("watch") for what, _ in server.requests):
            await asyncio.sleep(0.1)
        yield followed
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        await followed.api.close()


def put(server: ApiServer, name: str, state: str, **more: Json) -> Json:
    return server.cluster.put(
        "pods", {"metadata": {"namespace": "jobs", "name": name}, "spec": {"is": state}, **more}
    )


async def test_what_is_there_and_what_changes_is_told(server: ApiServer) -> None:
    put(server, "a", "new")
    async with following(server) as followed:
        await followed.until("jobs/a new")
        put(server, "b", "new")
        put(server, "a", "old")
        server.cluster.remove("pods", "jobs/b")
        await followed.until("jobs/a new", "jobs/b new", "jobs/a old", "jobs/b new", "jobs/b gone")
        assert set(followed.informer.objects) == {"jobs/a"}
    assert not followed.informer.synced


async def test_what_has_no_namespace_is_known_by_its_name(server: ApiServer) -> None:
    server.cluster.put("nodes", {"metadata": {"name": "n1"}, "spec": {"is": "ready"}})
    async with following(server, NODES) as followed:
        await followed.until("n1 ready")


async def test_only_what_was_asked_for_is_followed(server: ApiServer) -> None:
    async with following(server, pods("jobs"), labelSelector="app=danlu") as followed:
        put(server, "a", "foreign")
        mine = {"namespace": "jobs", "name": "b", "labels": {"app": "danlu"}}
        server.cluster.put("pods", {"metadata": mine, "spec": {"is": "ours"}})
        await followed.until("jobs/b ours")


async def test_who_wrote_which_field_is_not_kept(server: ApiServer) -> None:
    metadata = {"namespace": "jobs", "name": "a", "managedFields": [{"manager": "kubelet"}]}
    server.cluster.put("pods", {"metadata": metadata, "spec": {"is": "new"}})
    async with following(server) as followed:
        assert "managedFields" not in followed.informer.objects["jobs/a"]["metadata"]


async def test_a_watch_that_ends_in_good_order_goes_on_where_it_was(server: ApiServer) -> None:
    put(server, "a", "new")
    server.bookmark_s = 1
    async with following(server) as followed:
        server.cluster.put("nodes", {"metadata": {"name": "n1"}})
        at = str(server.cluster.version)
        while followed.informer._version != at:  # a bookmark tells
            await asyncio.sleep(0.1)
        await asyncio.sleep(module._LASTING_S)
        server.end_watches()
        put(server, "b", "new")
        await followed.until("jobs/a new", "jobs/b new")
        assert followed.informer.synced
    assert len(server.asked("list pods")) == 1
    assert server.asked("watch pods")[1]["resourceVersion"] == at


async def test_watches_that_end_at_once_are_not_opened_in_a_frenzy(server: ApiServer) -> None:
    async with following(server):
        for _ in range(20):
            server.end_watches()
            await asyncio.sleep(0.1)
    assert len(server.asked("watch pods")) < 20


async def test_a_forgotten_version_is_read_anew_without_telling_twice(server: ApiServer) -> None:
    put(server, "a", "new")
    put(server, "b", "new")
    async with following(server) as followed:
        with server.silence():
            put(server, "a", "old")
            server.cluster.remove("pods", "jobs/b")
            put(server, "c", "new")
            server.cluster.forget()
            server.end_watches()
        await followed.until("jobs/a new", "jobs/b new", "jobs/b gone", "jobs/a old", "jobs/c new")
        assert set(followed.informer.objects) == {"jobs/a", "jobs/c"}
    assert len(server.asked("list pods")) == 2


@pytest.mark.parametrize("last", [b"", b'{"type": "MODIFIED", "object": {"metad'])
async def test_what_happens_while_the_server_is_away_is_told_after_it(server: ApiServer, last: bytes) -> None:
    put(server, "a", "new")
    put(server, "b", "new")
    async with following(server) as followed:
        server.cut(last)
        server.stop()
        await followed.until_synced(False)
        assert set(followed.informer.objects) == {"jobs/a", "jobs/b"}
        assert server.url in followed.informer.trouble
        server.cluster.remove("pods", "jobs/a")
        put(server, "c", "new")
        server.start()
        await followed.until_synced()
        assert followed.told == ["jobs/a new", "jobs/b new", "jobs/a gone", "jobs/c new"]
        assert followed.informer.trouble == ""


async def test_another_of_the_same_name_is_told_after_the_first_is_gone(server: ApiServer) -> None:
    put(server, "a", "first")
    async with following(server) as followed:
        server.stop()
        server.cluster.remove("pods", "jobs/a")
        put(server, "a", "second")
        server.start()
        await followed.until("jobs/a first", "jobs/a gone", "jobs/a second")


async def test_silence_is_noticed_and_its_end_too(server: ApiServer) -> None:
    put(server, "a", "new")
    async with following(server) as followed:
        began = asyncio.get_running_loop().time()
        with server.silence():
            await followed.until_synced(False)
            assert followed.informer.heard_at < began + module._QUIET_S
            put(server, "a", "old")
        await followed.until_synced()
        assert followed.told == ["jobs/a new", "jobs/a old"]


async def test_a_quiet_cluster_that_is_well_stays_known(
    server: ApiServer,
) -> None:
    async with following(server) as followed:
        first = followed.informer.heard_at
        while followed.informer.heard_at < first + 1.2 * module._SILENCE_S:
            assert followed.informer.synced
            await asyncio.sleep(0.2)
    assert len(server.asked("watch pods")) == 1


async def test_a_server_that_is_unwell_is_not_believed(server: ApiServer) -> None:
    async with following(server) as followed:
        server.faults["get readyz"] = [Fault(500, "InternalError")] * 1000
        await followed.until_synced(False)
        await followed.until_synced()


async def test_a_watch_without_even_bookmarks_is_not_believed(
    server: ApiServer,
) -> None:
    server.bookmark_s = 1e9
    async with following(server) as followed:
        await followed.until_synced(False)
        await followed.until_synced()
    assert len(server.asked("list pods")) == 2


async def test_refusals_and_throttling_are_waited_out(server: ApiServer) -> None:
    put(server, "a", "new")
    server.faults["list pods"] = [Fault(403, "Forbidden"), Fault(429, retry_after=0), Fault(403, "Forbidden")]
    server.faults["watch pods"] = [Fault(429), Fault(504, "Timeout"), Fault(cut=True)]
    async with following(server) as followed:
        put(server, "a", "old")
        await followed.until("jobs/a new", "jobs/a old")


async def test_a_refusal_is_told_in_the_servers_words(server: ApiServer) -> None:
    followed = Followed(server)
    server.faults["list pods"] = [Fault(403, "Forbidden")] * 1000
    running = asyncio.create_task(followed.informer.run())
    while followed.informer.trouble != "scripted 403":
        await asyncio.sleep(0.1)
    assert not followed.informer.synced
    assert followed.informer.heard_at == float("-inf")
    running.cancel()
    await asyncio.wait({running})
    await followed.api.close()
