"""What happened on a node: jobs come and go, rules change; of jobs, what the caller may read."""

from __future__ import annotations

import pytest

from danlu.server.live.models import EventPage
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file

CORDONED = ("rule_changed", None)


@pytest.fixture(scope="module")
def busy(here: World) -> World:
    """On the first node, one's job and another's ran and ended; then the node was cordoned and uncordoned."""
    elsewhere = here.registry.edit_node(here.caller(ADMINISTRATOR), "a100-1", cordoned=True)
    assert elsewhere.cordoned
    for owner in (ENGINEER, OTHER):
        here.jobs.create(here.caller(owner), job_file("came-and-went"), start=True)
        for _ in range(4):
            here.controller.step()
        assert here.store.find(owner, "came-and-went").state == "completed"  # type: ignore[union-attr]
    for cordoned in (True, False):
        here.registry.edit_node(here.caller(ADMINISTRATOR), "a100-0", cordoned=cordoned)
    return here


def seen(ask, who, name="a100-0", **query):
    answer = ask(who, "GET", f"nodes/{name}/events", params=query)
    assert answer.status_code == 200, answer.text
    return EventPage.model_validate(answer.json())


def owners(world, page):
    ids = {world.store.find(owner, "came-and-went").id: owner for owner in (ENGINEER, OTHER)}
    return [(event.kind, ids.get(event.job_id)) for event in page.items]


def test_the_latest_comes_first_and_others_jobs_are_told_to_those_who_may_read_them(ask, busy):
    def ran(owner):
        return [("task_ended", owner), ("task_running", owner), ("placed", owner)]

    changed = [CORDONED, CORDONED]
    assert owners(busy, seen(ask, ADMINISTRATOR)) == [*changed, *ran(OTHER), *ran(ENGINEER)]
    assert owners(busy, seen(ask, ENGINEER)) == [*changed, *ran(ENGINEER)]
    assert owners(busy, seen(ask, OTHER)) == [*changed, *ran(OTHER)]
    assert owners(busy, seen(ask, VIEWER)) == changed
    assert owners(busy, seen(ask, ADMINISTRATOR, "a100-1")) == [CORDONED]
    assert seen(ask, VIEWER).items[0].text.en == "node a100-0 uncordoned by admin"


def test_a_token_that_reads_nodes_alone_sees_no_jobs(ask, busy):
    secret, _ = busy.people.make_token(busy.caller(ADMINISTRATOR), "nodes", ("node:read",))
    bearer = {"Authorization": f"Bearer {secret}"}
    found = ask(None, "GET", "nodes/a100-0/events", headers=bearer).json()["items"]
    assert [event["job_id"] for event in found] == [None, None]


def test_pages_are_full_and_go_on_by_cursor(ask, busy):
    for who in (ADMINISTRATOR, ENGINEER):
        whole, page = seen(ask, who).items, seen(ask, who, limit=2)
        pages = [page.items]
        while page.next_cursor is not None:
            page = seen(ask, who, limit=2, cursor=page.next_cursor)
            pages.append(page.items)
        assert [event for page in pages for event in page] == whole
        assert {len(page) for page in pages[:-1]} == {2}


@pytest.mark.parametrize("cursor", ["soon", "-1", "9" * 400, ""])
def test_a_cursor_that_is_none_is_refused(ask, busy, cursor):
    answer = ask(ENGINEER, "GET", "nodes/a100-0/events", params={"cursor": cursor})
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["code"], error["loc"]) == (422, "bad_cursor", ["query", "cursor"])


def test_a_node_nobody_knows_is_not_found_but_one_that_is_gone_is_remembered(ask, busy, monkeypatch):
    assert ask(ENGINEER, "GET", "nodes/moon/events").status_code == 404
    monkeypatch.setattr(busy.services.machines.nodes, "_nodes", tuple)
    assert ask(ENGINEER, "GET", "nodes/a100-0").status_code == 404
    assert len(seen(ask, ENGINEER).items) == 5


def test_a_known_node_on_which_nothing_happened_has_an_empty_list(fresh):
    assert fresh.services.machines.nodes.events(fresh.caller(VIEWER), "a100-1", None, 10) == ()
