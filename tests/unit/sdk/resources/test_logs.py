"""Log lines: nothing lost, nothing doubled, whatever the connection does."""

from __future__ import annotations

import io
import itertools
import json

import pytest

from danlu.sdk.http import errors, sse
from danlu.sdk.resources import logs
from tests.fakes.http_server import Reply, problem


def batch(offset: int, *texts: str) -> bytes:
    lines = json.dumps([[1000 + offset, "o", text] for text in texts])
    return f"id: {offset}\nevent: lines\ndata: {lines}\n\n".encode()


END = b"event: end\ndata: {}\n\n"


def test_events_have_kind_data_and_the_latest_id():
    text = b": hello\n\nid: 5\nevent: lines\ndata: a\ndata: b\n\ndata: c\r\n\r\nid: 6\ndata: cut"
    found = list(sse.events(io.BytesIO(text)))
    assert found == [sse.ServerEvent("lines", "a\nb", "5"), sse.ServerEvent("message", "c", "5")]


def test_pages_are_read_to_the_last(server, client):
    def page(request):
        at = int(request.one("offset") or 0)
        lines = [{"offset": at, "time": "1970-01-01T00:00:01Z", "stream": "e", "text": f"line {at}"}]
        return Reply(body={"lines": lines if at < 3 else [], "next_offset": at + 1, "end": False})

    server.on("GET", "jobs/train/logs", page)
    found = list(client.logs("train", task="worker-0"))
    assert [line.text for line in found] == ["line 0", "line 1", "line 2"]
    assert (found[0].time, found[0].stream) == (1000, "e")
    assert server.requests[0].one("task") == "worker-0"


def test_a_search_that_stopped_on_its_way_is_continued(server, client):
    def page(request):
        at = int(request.one("offset") or 0)
        lines = [{"offset": at, "time": 0, "stream": "o", "text": "hit"}] if at == 200 else []
        return Reply(body={"lines": lines, "next_offset": at + 100, "end": at == 300, "more": at < 300})

    server.on("GET", "jobs/train/logs", page)
    assert [line.offset for line in client.logs("train", search="hit")] == [200]


def test_following_ends_with_the_task(server, client):
    server.on("GET", "jobs/train/logs", Reply(pieces=[batch(10, "a", "b"), batch(20, "c"), END]))
    assert [line.text for line in client.logs("train", follow=True)] == ["a", "b", "c"]
    assert server.requests[0].one("follow") == "true"


def test_a_broken_stream_resumes_after_the_last_whole_batch(server, client):
    whole = batch(20, "c", "d")
    server.on(
        "GET",
        "jobs/train/logs",
        Reply(pieces=[batch(10, "a", "b"), whole[:-9]]),
        Reply(pieces=[whole, END]),
    )
    found = logs.follow(client.http, "jobs/train/logs", {"tail": 5}, sleep=lambda pause: None)
    assert [line.text for line in found] == ["a", "b", "c", "d"]
    again = server.requests[1]
    assert (again.one("offset"), again.headers["last-event-id"], again.one("tail")) == ("10", "10", None)


def test_breaking_anywhere_loses_and_doubles_nothing(server, client):
    batches = [batch(at * 10, f"line {at}", f"also {at}") for at in range(1, 5)]
    whole = b"".join(batches) + END

    def answer_cut_at(cut):
        def answer(request):
            start = int(request.one("offset") or 0) // 10
            rest = b"".join(batches[start:]) + END
            return Reply(pieces=[rest[: max(1, cut - len(whole) + len(rest))]] if next(first) else [rest])

        return answer

    expected = [text for at in range(1, 5) for text in (f"line {at}", f"also {at}")]
    for cut in range(1, len(whole), 3):
        first = itertools.chain([True], itertools.repeat(False))
        server.on("GET", "jobs/train/logs", answer_cut_at(cut))
        found = logs.follow(client.http, "jobs/train/logs", {}, sleep=lambda pause: None)
        assert [line.text for line in found] == expected, cut


def test_a_server_that_restarts_is_waited_for_and_one_that_stays_away_is_not(server, client):
    server.on("GET", "jobs/train/logs", Reply(silent=True), Reply(pieces=[batch(5, "a"), END]))
    slept: list[float] = []
    assert [one.text for one in logs.follow(client.http, "jobs/train/logs", {}, sleep=slept.append)] == ["a"]
    server.on("GET", "jobs/train/logs", Reply(silent=True))
    with pytest.raises(errors.Unreachable):
        list(logs.follow(client.http, "jobs/train/logs", {}, sleep=slept.append))
    assert sum(slept) >= logs.PATIENCE


def test_a_job_that_is_not_there_is_not_tried_again(server, client):
    server.on("GET", "jobs/train/logs", problem(404, "not_found", "no"))
    with pytest.raises(errors.NotFound):
        list(client.logs("train", follow=True))
    assert len(server.requests) == 1


def test_events_resume_after_a_given_one(server, client):
    server.on("GET", "events", Reply(pieces=[b'id: 8\ndata: {"seq": 8, "time": "t", "kind": "placed"}\n\n']))
    assert next(client.stream_events(after=7)).seq == 8
    assert server.requests[0].headers["last-event-id"] == "7"
