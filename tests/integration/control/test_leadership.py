"""Leading with real threads on a real store: begun, kept, lost and given back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from danlu.control.plane.leadership import Leadership
from danlu.domain.errors import NotLeader, Unavailable
from danlu.domain.words import same
from danlu.ports.store import Lease
from danlu.store.sql import SqlStore
from tests.live import PATIENCE, eventually


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with closing(SqlStore.open(f"sqlite:///{tmp_path / 'danlu.db'}")) as opened:
        yield opened


class Acts:
    """What a leader does: it waits to be told to stop, or does what the test says."""

    def __init__(self, epoch: int, does: Callable[[threading.Event], object] = threading.Event.wait) -> None:
        self.epoch, self.does = epoch, does
        self.runs, self.woken, self.closed = 0, threading.Event(), threading.Event()

    def run(self, stop: threading.Event) -> None:
        self.runs += 1
        self.does(stop)

    def wake(self) -> None:
        self.woken.set()

    def close(self) -> None:
        self.closed.set()


class Candidate:
    """A leadership that runs in a thread, with all that it began."""

    def __init__(self, store: SqlStore, name: str, begin: Callable[[int], Acts] = Acts) -> None:
        self.leadership, self.begun, self._stop = Leadership(store, name), [], threading.Event()  # type: ignore[var-annotated]
        self._begin = begin
        self._thread = threading.Thread(target=self.leadership.run, args=(self.begin, self._stop))
        self._thread.start()

    def begin(self, epoch: int) -> Acts:
        acts = self._begin(epoch)
        self.begun.append(acts)
        return acts

    def leads(self) -> Acts:
        return eventually(lambda: self.leadership.valid() and self.begun and self.begun[-1])  # type: ignore[no-any-return]

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_a_leader_that_stops_in_good_order_is_followed_at_once(store: SqlStore) -> None:
    first = Candidate(store, "a")
    acts = first.leads()
    second = Candidate(store, "b")
    first.stop()
    assert acts.closed.is_set()
    assert acts.woken.is_set()
    assert second.leads().epoch == 2
    second.stop()


def test_what_acts_is_closed_when_somebody_else_has_taken_over(store: SqlStore) -> None:
    first = Candidate(store, "a")
    acts = first.leads()
    lease = store.lease()
    assert lease is not None
    store.end_lease(lease)
    taken = store.take_lease("b", 60_000)
    assert taken is not None
    assert acts.closed.wait(PATIENCE)
    assert not first.leadership.valid()
    store.end_lease(taken)
    eventually(lambda: len(first.begun) == 2)
    assert first.leads().epoch == 3
    first.stop()


def test_a_refusal_ends_the_reign_only_if_the_database_says_so(store: SqlStore) -> None:
    """A lease that was renewed late is still one's own."""

    refusals = iter([NotLeader(same("not sure"))])

    def refused_once(stop: threading.Event) -> None:
        for refusal in refusals:
            raise refusal
        stop.wait()

    first = Candidate(store, "a", lambda epoch: Acts(epoch, refused_once))
    eventually(lambda: first.begun and first.begun[0].runs == 2)
    assert len(first.begun) == 1
    first.stop()


def test_what_was_refused_is_told_to_stop_before_it_is_closed(store: SqlStore) -> None:
    """Whatever works beside it must not find out only when it is closed under its hands."""

    class Strict(Acts):
        orderly = False

        def close(self) -> None:
            self.orderly = told[-1].is_set() and self.woken.is_set()
            super().close()

    def refused(stop: threading.Event) -> None:
        told.append(stop)
        lease = store.lease()
        assert lease is not None
        store.end_lease(lease)
        store.take_lease("b", 60_000)
        raise NotLeader(same("not sure"))

    told: list[threading.Event] = []
    first = Candidate(store, "a", lambda epoch: Strict(epoch, refused))
    acts = eventually(lambda: first.begun and first.begun[0])
    assert acts.closed.wait(PATIENCE)
    assert acts.orderly
    first.stop()


def test_what_is_left_of_a_reign_may_not_act_in_the_next(store: SqlStore) -> None:
    first = Leadership(store, "a")
    epoch = first.take()
    assert first.valid(epoch)
    first.end()
    again = first.take()
    assert (first.valid(), first.valid(again), first.valid(epoch)) == (True, True, False)


def test_one_that_cannot_begin_leaves_the_lead_to_others(store: SqlStore) -> None:
    def cannot(_: int) -> Acts:
        raise Unavailable(same("no launcher here"))

    first = Candidate(store, "a", cannot)
    eventually(store.lease)
    second = Candidate(store, "b")
    assert second.leads().epoch > 1
    first.stop()
    second.stop()


def test_a_database_that_does_not_answer_ends_no_reign(store: SqlStore) -> None:
    class Away:
        """A store that is away for a while."""

        renewals = 0

        def take_lease(self, holder: str, life_ms: int) -> Lease | None:
            return store.take_lease(holder, life_ms)

        def renew_lease(self, lease: Lease, life_ms: int) -> Lease | None:
            self.renewals += 1
            if self.renewals == 1:
                raise Unavailable(same("the database does not answer"))
            return store.renew_lease(lease, life_ms)

        def end_lease(self, lease: Lease) -> None:
            raise Unavailable(same("the database does not answer"))

        def lease(self) -> Lease | None:
            return store.lease()

    away = Away()
    first = Candidate(away, "a")  # type: ignore[arg-type]
    eventually(lambda: away.renewals >= 2)
    assert len(first.begun) == 1
    first.stop()
    assert first.begun[0].closed.is_set()
