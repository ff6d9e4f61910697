"""What people used: written with the ends it follows from, read newest first, exact to the last bit."""

from __future__ import annotations

import math

import pytest

from danlu.domain import events as ev
from danlu.domain.errors import Invalid, Stale
from danlu.domain.score import Charge, Settled
from tests.contracts.store.building import NOW, added, at_once, placed, step


def charge(ended, *, user="lin", model="A100", task="worker-0"):
    return Charge(user, model, 500, NOW - 1000, ended, "job", "name", 1, task)


def pages(store, limit, user="lin", model=None, since=0):
    cursor, found = None, []
    while True:
        page = store.charges(user, model, since, limit, cursor)
        found.append([(row.ended - NOW, row.task) for row in page.rows])
        cursor = page.next_cursor
        if cursor is None:
            return found


def test_charges_are_read_newest_first_page_by_page(store):
    rows = [charge(NOW + 1), charge(NOW + 3), charge(NOW + 2, task="a"), charge(NOW + 2, task="b")]
    assert store.save([], NOW, rows) == ()

    assert pages(store, 9) == [[(3, "worker-0"), (2, "b"), (2, "a"), (1, "worker-0")]]
    assert pages(store, 2) == [[(3, "worker-0"), (2, "b")], [(2, "a"), (1, "worker-0")]]
    assert pages(store, 3) == [[(3, "worker-0"), (2, "b"), (2, "a")], [(1, "worker-0")]]
    assert store.charges("lin", None, 0, 9).rows[-1] == rows[0]


def test_charges_are_of_one_person_and_may_be_of_one_model_and_from_a_time_on(store):
    store.save([], NOW, [charge(NOW), charge(NOW + 1, model="cpu"), charge(NOW + 2, user="wang")])

    assert pages(store, 9) == [[(1, "worker-0"), (0, "worker-0")]]
    assert pages(store, 9, model="cpu") == [[(1, "worker-0")]]
    assert pages(store, 9, since=NOW + 1) == [[(1, "worker-0")]]
    assert pages(store, 9, user="nobody") == [[]]


def test_a_strange_cursor_is_refused(store):
    for cursor in ("", "x", "1", "1-", "-1-1", "1-2-3", "9" * 40):
        with pytest.raises(Invalid, match="1 error"):
            store.charges("lin", None, 0, 9, cursor)


@pytest.mark.parametrize("value", [0.0, 0.1, math.pi, 1e-300, 123456.789012345678, 5e-324])
def test_a_settled_score_comes_back_to_the_last_bit(store, open_store, value):
    kept = Settled("lin", "A100", value, NOW)
    store.save([], NOW, (), [kept])

    (found,) = open_store().settled()
    assert found == kept
    assert found.value.hex() == value.hex()


def test_a_later_score_replaces_the_one_of_the_same_person_and_model(store):
    store.save(
        [], NOW, (), [Settled("lin", "A100", 1, 1), Settled("lin", "cpu", 2, 1), Settled("wang", "cpu", 3, 1)]
    )
    store.save([], NOW, (), [Settled("lin", "A100", 4, 2)])

    assert store.settled() == (
        Settled("lin", "A100", 4, 2),
        Settled("lin", "cpu", 2, 1),
        Settled("wang", "cpu", 3, 1),
    )


def test_charges_are_written_with_the_change_they_follow_from_or_not_at_all(store):
    job = placed(store, added(store))
    ended = step(job, ev.TaskEnded(job.attempt_id, "worker-0", NOW, None, 0))
    store.save([ended], NOW, [charge(NOW)], [Settled("lin", "A100", 1, NOW)])
    with pytest.raises(Stale):
        store.save([ended], NOW, [charge(NOW + 1)], [Settled("lin", "A100", 2, NOW)])

    assert pages(store, 9) == [[(0, "worker-0")]]
    assert store.settled() == (Settled("lin", "A100", 1, NOW),)


def test_what_is_still_held_is_no_row_of_the_ledger(store):
    with pytest.raises(ValueError, match="charge of worker-0 of job has no end yet"):
        store.save([], NOW, [charge(None)])

    assert pages(store, 9) == [[]]


def test_of_many_at_once_every_charge_is_kept(store, open_store):
    stores = [store, open_store()]
    at_once(8, lambda n: stores[n % 2].save([], NOW, [charge(NOW + n)]))

    assert [row for row, _ in pages(store, 99)[0]] == [7, 6, 5, 4, 3, 2, 1, 0]
