"""One leader at a time, by the database's clock; what a former leader writes does not get through."""

from __future__ import annotations

from contextlib import closing

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.errors import NotLeader, StoreBusy
from danlu.domain.node import Node
from danlu.ports.store import Lease
from danlu.store.sql import SqlStore
from tests.contracts.store.building import NOW, added, at_once, queued, step

LIFE = 60_000
OVER = -1
NODE = Node("node-0", "10.0.0.1", 8_000, 2**34)


def test_a_store_that_nobody_led_has_no_lease(store):
    assert store.lease() is None


def test_the_first_to_ask_leads_and_others_wait(store, open_store):
    first = store.take_lease("a", LIFE)

    assert (first.holder, first.epoch) == ("a", 1)
    assert open_store().take_lease("b", LIFE) is None
    assert store.lease() == first


def test_a_lease_whose_time_is_up_passes_on_with_a_new_epoch(store):
    store.take_lease("a", OVER)
    second = store.take_lease("b", LIFE)

    assert (second.holder, second.epoch) == ("b", 2)


def test_the_same_holder_leads_again_at_once_with_a_new_epoch(store):
    """A process that died and was started again need not wait for its own lease."""
    first = store.take_lease("up:here", LIFE)
    again = store.take_lease("up:here", LIFE)

    assert again.epoch == first.epoch + 1
    assert store.renew_lease(first, LIFE) is None


def test_renewing_prolongs_the_lease_of_the_same_epoch(store):
    first = store.take_lease("a", 1_000)
    renewed = store.renew_lease(first, LIFE)

    assert (renewed.holder, renewed.epoch) == ("a", first.epoch)
    assert renewed.until > first.until
    assert store.lease() == renewed


def test_a_late_renewal_counts_as_long_as_nobody_took_over(store):
    first = store.take_lease("a", OVER)

    assert store.renew_lease(first, LIFE).epoch == first.epoch
    assert store.take_lease("b", LIFE) is None


def test_a_lease_that_passed_on_is_not_renewed_or_ended_by_its_former_holder(store):
    first = store.take_lease("a", OVER)
    second = store.take_lease("b", LIFE)

    assert store.renew_lease(first, LIFE) is None
    store.end_lease(first)
    assert store.lease() == second


def test_an_ended_lease_is_taken_at_once(store):
    store.end_lease(store.take_lease("a", LIFE))

    assert store.take_lease("b", LIFE).epoch == 2


def test_of_many_that_ask_at_once_one_leads(store, open_store):
    stores = [open_store() for _ in range(8)]
    for round_ in range(1, 6):
        found = at_once(8, lambda number: stores[number].take_lease(f"standby-{number}", LIFE))
        (leader,) = [lease for lease in found if lease is not None]
        assert leader.epoch == round_
        store.end_lease(leader)


# ── the fence ────────────────────────────────────────────────────────────────────────────────────────


def test_the_leader_writes_as_before(store):
    job, fenced = added(store), store.fenced(store.take_lease("a", LIFE).epoch)
    job = queued(fenced, job)
    fenced.set_waiting({job.id: why.ProjectClosed("vision")})
    fenced.keep_nodes([NODE])

    assert store.get(job.id) == job
    assert store.waiting(job.id) == why.ProjectClosed("vision")
    assert store.nodes() == (NODE,)


def test_a_former_leader_writes_nothing(store):
    job = queued(store, added(store))
    fenced = store.fenced(store.take_lease("a", OVER).epoch)
    store.take_lease("b", LIFE)
    before = store.latest_seq()

    with pytest.raises(NotLeader, match="epoch 2; this one led epoch 1"):
        fenced.save([step(job, ev.StopRequested("lin"))], NOW)
    with pytest.raises(NotLeader):
        fenced.set_waiting({job.id: why.ProjectClosed("vision")})
    with pytest.raises(NotLeader):
        fenced.keep_nodes([NODE])

    assert (store.get(job.id), store.waiting(job.id), store.nodes()) == (job, None, ())
    assert store.latest_seq() == before


def test_a_leader_whose_time_is_up_writes_until_somebody_takes_over(store):
    """The epoch decides, not the clock: between two leaders nothing that was asked is refused."""
    fenced = store.fenced(store.take_lease("a", OVER).epoch)

    assert queued(fenced, added(store)).state == "queued"


def test_what_people_ask_is_written_whoever_leads(store):
    store.take_lease("a", OVER)
    store.take_lease("b", LIFE)

    assert queued(store, added(store)).state == "queued"


def test_an_epoch_that_never_was_writes_nothing(store):
    with pytest.raises(NotLeader):
        store.fenced(1).keep_nodes([NODE])


def test_closing_the_leaders_way_in_closes_nothing(store):
    store.fenced(store.take_lease("a", LIFE).epoch).close()

    assert added(store).version == 1


def test_whoever_would_take_over_waits_for_a_write_under_way(store, open_store):
    """A write that passed the fence is committed before the next leader's first look."""
    fenced, other = store.fenced(store.take_lease("a", OVER).epoch), open_store(busy_timeout=0.2)
    with fenced._writing(), pytest.raises(StoreBusy):
        other.take_lease("b", LIFE)

    assert other.take_lease("b", LIFE).epoch == 2


def test_time_is_the_databases_own(tmp_path):
    """On SQLite that of the machine, given here by the test."""
    now = [1_000]
    with closing(SqlStore.open(f"sqlite:///{tmp_path / 'danlu.db'}", now=lambda: now[0])) as store:
        assert store.take_lease("a", 500) == Lease("a", 1, 1_500)
        now[0] = 1_499
        assert store.take_lease("b", 500) is None
        now[0] = 1_500
        assert store.take_lease("b", 500) == Lease("b", 2, 2_000)
