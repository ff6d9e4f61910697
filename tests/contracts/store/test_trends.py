"""What was used by the hour: added to what is there, summed when read, and never by a leader that leads no more."""

from __future__ import annotations

import pytest

from danlu.domain.errors import NotLeader
from danlu.ports.governance import CapacityRow, HourlyQuery, HourRow, TrendRow
from tests.contracts.store.building import at_once

HOUR = 3_600_000
DAY = 24 * HOUR
MONDAY = 1_799_625_600_000
"""2027-01-11."""


def row(hour=MONDAY, project="nlp", user="lin", job_class="single", model="A100", **sums):
    return HourRow(hour, project, user, job_class, model, **sums)


def query(since=MONDAY, until=MONDAY + 7 * DAY, step=HOUR, **more):
    return HourlyQuery(since, until, step, **more)


def held(rows):
    return [(found.at - MONDAY, found.key, found.held) for found in rows]


def test_what_is_added_to_the_same_hour_and_sort_is_summed(store):
    store.add_hours([row(held=5, queued=2, busy=1, measured=4, starts=1, waited=30)], ())
    store.add_hours([row(held=7, ended=1, failed=1), row(user="wang", held=1)], ())

    assert store.trend(query()) == (TrendRow(MONDAY, "", 13, 2, 1, 4, 1, 30, 1, 1),)
    assert held(store.trend(query(by="user"))) == [(0, "lin", 12), (0, "wang", 1)]


def test_what_was_counted_too_much_is_taken_back(store):
    store.add_hours([row(held=100)], ())
    store.add_hours([row(held=-40)], ())

    assert held(store.trend(query())) == [(0, "", 60)]


def test_hours_are_summed_into_days_and_into_weeks_that_begin_on_monday(store):
    store.add_hours([row(MONDAY + hour * HOUR, held=1) for hour in (-1, 0, 23, 24, 7 * 24 - 1, 7 * 24)], ())

    everything = {"since": MONDAY - DAY, "until": MONDAY + 8 * DAY}
    assert held(store.trend(query(step=DAY, **everything))) == [
        (-DAY, "", 1), (0, "", 2), (DAY, "", 1), (6 * DAY, "", 1), (7 * DAY, "", 1),
    ]  # fmt: skip
    assert held(store.trend(query(step=7 * DAY, **everything))) == [
        (-7 * DAY, "", 1), (0, "", 4), (7 * DAY, "", 1),
    ]  # fmt: skip
    assert held(store.trend(query(since=MONDAY, until=MONDAY + DAY, step=DAY))) == [(0, "", 2)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"projects": ("nlp",)}, 1 + 2),
        ({"projects": ()}, None),
        ({"users": ("wang", "nobody")}, 4),
        ({"model": "cpu"}, 2),
        ({"gpus": True}, 1 + 4),
        ({"job_class": "workspace"}, 4),
        ({"by": "user", "keys": ("wang",)}, 4),
    ],
)
def test_a_part_can_be_asked_for(store, wanted, found):
    store.add_hours(
        [
            row(held=1),
            row(model="cpu", held=2),
            row(project="cv", user="wang", job_class="workspace", model="H100", held=4),
        ],
        (),
    )
    assert [one.held for one in store.trend(query(**wanted))] == ([] if found is None else [found])


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("project", ["cv", "nlp"]),
        ("user", ["lin", "wang"]),
        ("job_class", ["single", "workspace"]),
        ("model", ["A100", "H100"]),
    ],
)
def test_lines_are_by_time_and_then_by_key(store, by, keys):
    other = row(MONDAY, "cv", "wang", "workspace", "H100", held=1)
    store.add_hours([row(MONDAY + HOUR, held=1), row(held=1), other], ())

    found = [(one.at - MONDAY, one.key) for one in store.trend(query(by=by))]
    last = keys[0] if by in ("user", "job_class", "model") else keys[1]
    assert found == [(0, keys[0]), (0, keys[1]), (HOUR, last)]


def test_capacity_is_summed_by_model_and_step(store):
    store.add_hours((), [CapacityRow(MONDAY, "A100", 5), CapacityRow(MONDAY + HOUR, "A100", 6)])
    store.add_hours((), [CapacityRow(MONDAY, "A100", 1), CapacityRow(MONDAY, "cpu", 3)])

    assert store.capacity(MONDAY, MONDAY + DAY, DAY) == (
        CapacityRow(MONDAY, "A100", 12),
        CapacityRow(MONDAY, "cpu", 3),
    )
    assert store.capacity(MONDAY, MONDAY + HOUR, HOUR, "A100") == (CapacityRow(MONDAY, "A100", 6),)


def test_weeks_of_the_largest_cluster_can_be_added_up(store):
    most = 2**62 // 8
    for day in range(7):
        hours = [MONDAY + day * DAY + hour * HOUR for hour in range(8)]
        store.add_hours(
            [row(hour, held=most) for hour in hours], [CapacityRow(hour, "A100", most) for hour in hours]
        )

    assert held(store.trend(query(step=7 * DAY))) == [(0, "", 56 * most)]
    assert held(store.trend(query(step=7 * DAY, until=MONDAY + 7 * DAY - HOUR))) == [(0, "", 56 * most)]
    assert store.capacity(MONDAY, MONDAY + 7 * DAY, 7 * DAY)[0].total == 56 * most


def test_when_recording_began_is_remembered_once(store, open_store):
    assert store.recorded_since() is None
    store.begin_recording(MONDAY)
    open_store().begin_recording(MONDAY + 5)
    store.add_hours((), (), MONDAY + 9)

    assert (store.recorded_since(), store.recorded_until()) == (MONDAY, MONDAY + 9)


def test_up_to_when_all_is_recorded_moves_on_with_what_is_recorded(store, open_store):
    assert store.recorded_until() is None
    store.add_hours([row(held=1)], ())
    assert store.recorded_until() is None
    store.add_hours([row(held=1)], (), MONDAY + 5)
    store.add_hours((), (), MONDAY + 9)

    assert open_store().recorded_until() == MONDAY + 9
    assert held(store.trend(query())) == [(0, "", 2)]


def test_a_leader_that_leads_no_more_records_nothing(store):
    first = store.take_lease("one", 10_000)
    store.fenced(first.epoch).add_hours([row(held=1)], (), MONDAY)
    store.end_lease(first)
    second = store.take_lease("two", 10_000)

    with pytest.raises(NotLeader):
        store.fenced(first.epoch).add_hours([row(held=1)], [CapacityRow(MONDAY, "A100", 1)], MONDAY + 1)
    assert (held(store.trend(query())), store.recorded_until()) == ([(0, "", 1)], MONDAY)
    assert store.capacity(MONDAY, MONDAY + DAY, DAY) == ()
    store.fenced(second.epoch).add_hours([row(held=1)], (), MONDAY + 1)
    assert store.recorded_until() == MONDAY + 1


def test_of_many_at_once_nothing_is_lost(store, open_store):
    stores = [store, open_store()]
    at_once(8, lambda n: stores[n % 2].add_hours([row(held=1), row(user=f"u{n}", held=1)], ()))

    assert store.trend(query())[0].held == 16
