"""The client against a real server that lets it down in every way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from danlu.domain.errors import NotLeader
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import (
    ALL_PODS,
    NODES,
    Api,
    ApiError,
    ApiUnreachable,
    Json,
    pods,
    services,
)
from danlu.engines.kubernetes.api.sign_in import Fixed, SignInFailed
from tests.fakes.kubernetes import ApiServer, Fault
from tests.fakes.loop_time import LoopTime

pytestmark = pytest.mark.anyio


@pytest.fixture
def server(loop_time: LoopTime) -> Iterator[ApiServer]:
    server = ApiServer(time=loop_time)
    yield server
    server.close()


@pytest.fixture
async def api(server: ApiServer) -> AsyncIterator[Api]:
    api = Api(Credentials(server.url, Fixed({"Authorization": "Bearer one"})))
    yield api
    await api.close()


def pod(name: str, **spec: str) -> Json:
    return {"metadata": {"namespace": "jobs", "name": name}, "spec": spec}


async def test_objects_are_created_read_patched_and_deleted(api: Api) -> None:
    made = await api.create(pods("jobs"), {"metadata": {"name": "a"}, "spec": {"x": 1, "y": 2}})
    assert made["metadata"]["namespace"] == "jobs"
    await api.patch(pods("jobs", "a"), {"spec": {"x": None, "z": 3}})
    assert (await api.get(pods("jobs", "a")))["spec"] == {"y": 2, "z": 3}
    assert await api.delete(pods("jobs", "a"), grace_s=0, uid=made["metadata"]["uid"])
    with pytest.raises(ApiError) as caught:
        await api.get(pods("jobs", "a"))
    assert (caught.value.status, caught.value.reason) == (404, "NotFound")
    assert dict(api.requests) == {"create pods": 1, "patch pods": 1, "get pods": 2, "delete pods": 1}


async def test_deleting_what_is_gone_says_so(api: Api, server: ApiServer) -> None:
    assert not await api.delete(pods("jobs", "a"))
    server.cluster.put("pods", pod("a"))
    assert not await api.delete(pods("jobs", "a"), uid="of-another")
    assert server.cluster.get("pods", "jobs/a")


async def test_a_long_list_comes_in_pages_of_one_moment(api: Api, server: ApiServer) -> None:
    for number in range(1200):
        server.cluster.put("nodes", {"metadata": {"name": f"n{number:04d}"}})
    before = server.cluster.version
    server.cluster.put("pods", pod("other"))
    found, version = await api.list_(NODES)
    assert [one["metadata"]["name"] for one in found] == [f"n{number:04d}" for number in range(1200)]
    assert int(version) == before + 1
    assert len(server.asked("list nodes")) == 3


async def test_pages_that_expired_are_read_again_in_one_piece(api: Api, server: ApiServer) -> None:
    for number in range(700):
        server.cluster.put("nodes", {"metadata": {"name": f"n{number:04d}"}})
    page = server.cluster.page

    def forgetful(*args: object) -> object:
        answer = page(*args)  # type: ignore[arg-type]
        server.cluster.forget()
        return answer

    server.cluster.page = forgetful  # type: ignore[method-assign, assignment]
    found, _ = await api.list_(NODES)
    assert len(found) == 700
    assert [params.get("limit") for params in server.asked("list nodes")] == ["500", "500", None]


async def test_selectors_reach_the_server(api: Api, server: ApiServer) -> None:
    server.cluster.put("pods", pod("a", nodeName="n1"))
    server.cluster.put("pods", pod("b", nodeName="n2"))
    found, _ = await api.list_(ALL_PODS, fieldSelector="spec.nodeName=n2")
    assert [one["metadata"]["name"] for one in found] == ["b"]


@pytest.mark.parametrize("status", [500, 502, 503, 429])
async def test_a_busy_server_is_asked_again(api: Api, server: ApiServer, status: int) -> None:
    server.cluster.put("pods", pod("a"))
    server.faults["get pods"] = [Fault(status), Fault(status)]
    assert await api.get(pods("jobs", "a"))
    assert api.requests["get pods"] == 3


async def test_the_time_that_a_server_asks_for_is_given(
    api: Api, server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", counted)
    server.faults["create pods"] = [Fault(429, retry_after=7), Fault(429, retry_after=3600)]
    await api.create(pods("jobs"), pod("a"))
    assert waits == [7, 10]


async def test_a_server_that_stays_busy_is_given_up_in_the_end(api: Api, server: ApiServer) -> None:
    server.faults["get pods"] = [Fault(503, "ServiceUnavailable")] * 9
    with pytest.raises(ApiError) as caught:
        await api.get(pods("jobs", "a"))
    assert caught.value.status == 503
    assert api.requests["get pods"] == 5


async def test_a_creation_that_may_have_happened_is_not_repeated(api: Api, server: ApiServer) -> None:
    server.faults["create pods"] = [Fault(500), Fault(cut=True)]
    with pytest.raises(ApiError):
        await api.create(pods("jobs"), pod("a"))
    with pytest.raises(ApiUnreachable):
        await api.create(pods("jobs"), pod("a"))
    assert api.requests["create pods"] == 2


async def test_silence_ends_after_the_timeout(server: ApiServer) -> None:
    api = Api(Credentials(server.url, Fixed({})), timeout_s=0.3)
    with server.silence():
        with pytest.raises(ApiUnreachable, match="did not answer in time"):
            await api.get(pods("jobs", "a"))
        with pytest.raises(ApiUnreachable, match="did not answer in time"):
            await anext(api.watch(ALL_PODS, "1000"))
    await api.close()


async def test_nobody_there_is_unreachable(api: Api, server: ApiServer) -> None:
    server.stop()
    with pytest.raises(ApiUnreachable, match=server.url):
        await api.get(NODES)
    with pytest.raises(ApiUnreachable):
        await api.pulse()


async def test_an_answer_of_something_else_is_unreachable(api: Api, server: ApiServer) -> None:
    server.faults["get pods"] = [Fault(200, body=b"<html>Please log in"), Fault(200, body=b"[]")]
    for _ in range(2):
        with pytest.raises(ApiUnreachable, match="not an answer from an API server"):
            await api.get(pods("jobs", "a"))


async def test_a_refusal_without_words_is_still_one(api: Api, server: ApiServer) -> None:
    server.faults["get pods"] = [Fault(403, body=b"go away")]
    with pytest.raises(ApiError) as caught:
        await api.get(pods("jobs", "a"))
    assert (caught.value.status, caught.value.message) == (403, "go away")


async def test_nothing_is_changed_without_leave(server: ApiServer) -> None:
    server.cluster.put("pods", pod("a"))
    api = Api(Credentials(server.url, Fixed({})), guard=lambda: False)
    for change in (
        api.create(services("jobs"), {"metadata": {"name": "s"}}),
        api.patch(pods("jobs", "a"), {}),
        api.delete(pods("jobs", "a")),
    ):
        with pytest.raises(NotLeader):
            await change
    assert await api.get(pods("jobs", "a"))
    await api.close()
    assert [what for what, _ in server.requests] == ["get pods"]


async def test_leave_is_asked_for_before_each_try(server: ApiServer) -> None:
    leave = iter([True, False])
    api = Api(Credentials(server.url, Fixed({})), guard=lambda: next(leave))
    server.faults["create pods"] = [Fault(429)]
    with pytest.raises(NotLeader):
        await api.create(pods("jobs"), pod("a"))
    await api.close()
    assert server.cluster.get("pods", "jobs/a") is None


async def test_a_watch_tells_changes_and_ends_in_good_order(api: Api, server: ApiServer) -> None:
    server.cluster.put("pods", pod("before"))
    version = str(server.cluster.version)
    changes = api.watch(ALL_PODS, version)
    first = asyncio.ensure_future(anext(changes))
    await until(lambda: server.asked("watch pods"))
    server.cluster.put("pods", pod("a", note="x" * 300_000))
    server.cluster.change("pods", "jobs/before", {"spec": {"changed": "yes"}})
    server.cluster.remove("pods", "jobs/a")
    told = [await first, await anext(changes), await anext(changes)]
    assert [(one["type"], one["object"]["metadata"]["name"]) for one in told] == [
        ("ADDED", "a"),
        ("MODIFIED", "before"),
        ("DELETED", "a"),
    ]
    server.end_watches()
    assert [one async for one in changes] == []
    assert server.headers[-1]["Accept-Encoding"] == "identity"


async def test_a_forgotten_version_is_410(api: Api, server: ApiServer) -> None:
    server.cluster.put("pods", pod("a"))
    server.cluster.forget()
    with pytest.raises(ApiError) as caught:
        await anext(api.watch(ALL_PODS, "1000"))
    assert caught.value.status == 410


async def test_a_watch_that_is_cut_is_no_good_end(api: Api, server: ApiServer) -> None:
    changes = api.watch(ALL_PODS, "1000")
    first = asyncio.ensure_future(anext(changes))
    await until(lambda: server.asked("watch pods"))
    server.cut(b'{"type": "ADDED", "obj')
    with pytest.raises(ApiUnreachable):
        await first


async def test_many_streams_leave_room_for_calls(api: Api, server: ApiServer) -> None:
    watches = [api.watch(ALL_PODS, "1000") for _ in range(100)]
    reading = [asyncio.ensure_future(anext(one)) for one in watches]
    await until(lambda: len(server.asked("watch pods")) == 100)
    await api.create(pods("jobs"), pod("a"))
    assert {one["object"]["metadata"]["name"] for one in await asyncio.gather(*reading)} == {"a"}
    for one in watches:
        await one.aclose()


async def test_a_log_is_read_as_it_comes_and_its_end_told_from_a_cut(api: Api, server: ApiServer) -> None:
    server.logs["jobs/a"] = [b"one\ntw", b"o\r\n\nfo", b"ur"]
    async with api.stream(pods("jobs", "a", "log")) as read:
        assert b"".join([chunk async for chunk in all_of(read)]) == b"one\ntwo\r\n\nfour"
    server.logs["jobs/a"] = [b"one\ntw", b""]
    async with api.stream(pods("jobs", "a", "log")) as read:
        with pytest.raises(ApiUnreachable):
            [chunk async for chunk in all_of(read)]
    assert api.requests["get pods/log"] == 2


async def all_of(read: Callable[[], Awaitable[bytes]]) -> AsyncIterator[bytes]:
    while chunk := await read():
        yield chunk


async def test_those_who_feel_the_pulse_together_share_it(api: Api, server: ApiServer) -> None:
    await asyncio.gather(*(api.pulse() for _ in range(5)))
    assert len(server.asked("get readyz")) == 1


@pytest.mark.parametrize(("status", "well"), [(403, True), (404, True), (500, False), (429, False)])
async def test_a_server_that_says_it_is_unwell_has_no_pulse(
    api: Api, server: ApiServer, status: int, well: bool
) -> None:
    server.faults["get readyz"] = [Fault(status)]
    if well:
        await api.pulse()
    else:
        with pytest.raises(ApiError):
            await api.pulse()


class Renewed:
    """Headers that the server refuses until they are renewed."""

    def __init__(self) -> None:
        self.renewals = 0

    async def headers(self, *, renew: bool = False) -> dict[str, str]:
        self.renewals += renew
        return {"Authorization": f"Bearer {self.renewals}"}


async def test_refused_credentials_are_renewed_once(server: ApiServer) -> None:
    server.cluster.put("pods", pod("a"))
    sign_in = Renewed()
    api = Api(Credentials(server.url, sign_in))
    server.faults = {"get pods": [Fault(401)], "watch pods": [Fault(401)]}
    assert await api.get(pods("jobs", "a"))
    changes = api.watch(ALL_PODS, "1000")
    assert (await anext(changes))["type"] == "ADDED"
    assert sign_in.renewals == 2
    server.faults["get pods"] = [Fault(401, "Unauthorized")] * 2
    with pytest.raises(ApiError, match="Unauthorized"):
        await api.get(pods("jobs", "a"))
    await changes.aclose()
    await api.close()


async def test_credentials_that_cannot_be_had_are_told_in_their_words(server: ApiServer) -> None:
    class Broken:
        async def headers(self, *, renew: bool = False) -> dict[str, str]:
            raise SignInFailed("no ticket today")

    api = Api(Credentials(server.url, Broken()))
    with pytest.raises(ApiUnreachable, match="no ticket today"):
        await api.get(NODES)
    await api.close()


@pytest.mark.parametrize(
    ("token", "proxy"), [("fine", "socks5://127.0.0.1:1"), ("two\nlines", None)], ids=["proxy", "token"]
)
async def test_what_cannot_be_sent_at_all_is_as_unreachable_as_what_is_not_answered(
    server: ApiServer, token: str, proxy: str | None
) -> None:
    api = Api(Credentials(server.url, Fixed({"Authorization": token}), proxy=proxy))
    with pytest.raises(ApiUnreachable):
        await api.get(NODES)
    with pytest.raises(ApiUnreachable):
        await anext(api.watch(NODES, "1"))
    with pytest.raises(ApiUnreachable):
        async with api.socket(pods("jobs", "a", "exec"), [], "v4.channel.k8s.io"):
            pass
    await api.close()


async def until(true: Callable[[], object]) -> None:
    """Wait, for as long as the test may take, until something holds."""
    while not true():
        await asyncio.sleep(0.1)
