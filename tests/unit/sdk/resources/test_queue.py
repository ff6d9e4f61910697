"""The verbs on the queue."""

from __future__ import annotations

from danlu.sdk import Client, models
from tests.fakes.http_server import FakeServer

LANE = {"gpu_model": "A100", "class": "single"}
ITEM = {"lane": LANE, "position": 1, "owner": "eve", "class": "single", "gpus": 8, "reason": {"code": "x"}}
REASON = models.Reason("x")


def test_the_queue_comes_page_after_page(server: FakeServer, client: Client):
    pages = (
        {"items": [ITEM], "next_cursor": "c", "lanes": []},
        {"items": [ITEM], "next_cursor": None, "lanes": []},
    )
    server.on("GET", "queue", *pages)
    found = list(client.queue(lane="A100", job_class="single", owner="me"))
    assert found == [models.QueueItem(LANE, 1, "eve", job_class="single", gpus=8, reason=REASON)] * 2
    assert (server.requests[0].one("class"), server.requests[1].one("cursor")) == ("single", "c")


def test_lanes_say_how_many_wait(server: FakeServer, client: Client):
    lane = {**LANE, "waiting": 3, "work_seconds": 90.5, "gpu_hours": 0.2, "without_estimate": 1}
    server.on("GET", "queue", {"items": [], "next_cursor": None, "lanes": [lane]})
    assert client.lanes() == [models.Lane("A100", "single", 3, 90.5, 0.2, 1)]


def test_why_is_read_whole(server: FakeServer, client: Client):
    helps = [{"change": "gpus", "value": "4", "text": {"en": "with 4", "zh": "四"}}]
    body = {
        "reason": {"code": "x"},
        "places": [{"lane": LANE, "position": 2}],
        "ahead": [ITEM],
        "ahead_total": 1,
    }
    server.on("GET", "jobs/a/b/why", {**body, "helps": helps})
    why = client.why("a/b")
    assert (why.reason, why.ahead_total, why.places[0]["position"], why.ahead[0].position) == (
        REASON,
        1,
        2,
        1,
    )
    assert [str(one) for one in why.helps] == ["with 4"]


def test_jobs_are_pinned_unpinned_and_moved(server: FakeServer, client: Client):
    job = {"id": "1", "name": "train", "pinned_at": "2020-01-01T00:00:00.000Z", "nominated": ["a100-0"]}
    server.on("PUT", "jobs/train/pin", job)
    server.on("DELETE", "jobs/train/pin", {**job, "pinned_at": None, "nominated": []})
    server.on("POST", "jobs/train/order", {"items": [{"id": "1", "name": "train"}]})
    pinned = client.pin("train")
    assert (pinned.pinned_at, pinned.nominated) == (job["pinned_at"], ("a100-0",))
    assert (client.unpin("train").pinned_at, client.unpin("train").nominated) == (None, ())
    assert client.order("train", before="other") == [models.JobRow("1", "train")]
    assert server.requests[-1].json() == {"before": "other"}
    client.order("train", after="other")
    assert server.requests[-1].json() == {"after": "other"}


def test_scores_and_their_ledger(server: FakeServer, client: Client):
    score = {"user": "eve", "score_time": "6h", "scores": [{"model": "A100", "score": 5.0, "held": 8}]}
    expected = models.Score("eve", "6h", ({"model": "A100", "score": 5.0, "held": 8},))
    server.on("GET", "scores", {"items": [score], "next_cursor": None})
    server.on("GET", "scores/eve", score)
    assert client.scores() == client.scores("eve") == [expected]
    row = {
        "job_id": "1",
        "job_name": "train",
        "attempt": 1,
        "model": "A100",
        "amount": 8,
        "adds": 5.0,
        "ended": None,
    }
    server.on("GET", "scores/eve/ledger", {"items": [row], "next_cursor": None})
    (found,) = client.ledger("eve", model="A100")
    assert (found.job_name, found.amount, found.ended, found.adds) == ("train", 8, None, 5.0)
    assert server.requests[-1].one("model") == "A100"
