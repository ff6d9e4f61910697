"""Lists: every filter, every sort, exact totals, and cursors that neither repeat nor leave out."""

from __future__ import annotations

import json
import random
from base64 import urlsafe_b64encode
from contextlib import closing
from dataclasses import replace
from itertools import product

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.errors import Invalid
from danlu.domain.job import ENDED, JobState, Kind
from danlu.ports.metrics import Latest
from danlu.ports.store import JobChange, JobQuery
from danlu.store.sql import SqlStore
from danlu.store.sql.jobs import listing, walks
from tests.contracts.store.building import NOW, added, completed, placed, queued, step, stopped
from tests.databases import sqlite_at

SORTS = ("created", "-created", "name", "-name", "state", "-ended")
STATES = list(JobState)


def ids(page):
    return [row.id for row in page.rows]


def all_pages(store, query):
    """Every row a reader gets who follows the cursors, and the totals told on the way."""
    rows, totals = [], set()
    while True:
        page = store.page(query)
        rows.extend(page.rows)
        totals.add(page.total)
        if page.next_cursor is None:
            return rows, totals
        assert len(page.rows) == query.limit
        query = replace(query, cursor=page.next_cursor)


def expected(jobs, query):
    """What a list should give, said the slow way."""
    found = [
        job
        for job in jobs
        if (query.owners is None or job.owner in query.owners)
        and (not query.states or job.state in query.states)
        and (not query.kinds or job.spec.kind in query.kinds)
        and (query.project is None or job.spec.project == query.project)
        and (not query.search or query.search.lower() in job.spec.name.lower() or query.search == job.id)
        and (query.sort != "-ended" or job.state in ENDED)
    ]
    keys = {
        "created": lambda job: (job.created_at, job.id),
        "name": lambda job: (job.spec.name.lower(), job.id),
        "ended": lambda job: (job.ended_at, job.id),
    }
    if query.sort == "state":
        newest = sorted(found, key=keys["created"], reverse=True)
        return [job.id for job in sorted(newest, key=lambda job: STATES.index(job.state))]
    back = query.sort.startswith("-")
    return [job.id for job in sorted(found, key=keys[query.sort.lstrip("-")], reverse=back)]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def crowded(request, tmp_path_factory):
    """A store that is only read, and the jobs in it."""
    if request.param == "sqlite":
        url = sqlite_at(tmp_path_factory.mktemp("crowded") / "danlu.db")
    else:
        server = request.getfixturevalue("postgres")
        url = server.url(server.create())
    with closing(SqlStore.open(url)) as store:
        yield store, crowd(store)


def crowd(store):
    """Jobs of all sorts in most states, some of one moment."""
    chance = random.Random(7)
    jobs = []
    for number in range(60):
        job = added(
            store,
            f"{chance.choice(['Bert', 'gpt', 'a_b', 'aXb'])}-{number}",
            owner=chance.choice(["lin", "wang", "zhao"]),
            at=NOW + chance.randrange(20),
            kind=chance.choice(list(Kind)),
            project=chance.choice(["public", "nlp"]),
        )
        match chance.randrange(5):
            case 0:
                job = queued(store, job)
            case 1:
                job = placed(store, job)
            case 2:
                job = completed(store, job)
            case 3:
                job = stopped(store, job, NOW + chance.randrange(-2, 3))
        jobs.append(job)
    return jobs


QUERIES = [
    JobQuery(owners=owners, states=states, kinds=kinds, project=project, search=search)
    for owners, states, kinds, project, search in product(
        (None, ("lin",), ("lin", "zhao", "nobody"), ()),
        ((), (JobState.COMPLETED,), (JobState.QUEUED, JobState.STARTING, JobState.FAILED)),
        ((), (Kind.SERVICE,), (Kind.TRAINING, Kind.WORKSPACE)),
        (None, "nlp"),
        (None, "bert"),
    )
]


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("few", [10_000, 3], ids=["few match", "many match"])
def test_every_filter_and_sort_gives_what_it_says(crowded, sort, few, monkeypatch):
    store, jobs = crowded
    monkeypatch.setattr(walks, "FEW", few)
    monkeypatch.setattr(listing, "FEW", few)
    for query in QUERIES:
        query = replace(query, sort=sort, limit=7)
        rows, totals = all_pages(store, query)
        wanted = expected(jobs, query)
        assert [row.id for row in rows] == wanted, query
        assert totals == {len(wanted)}, query


def test_a_list_over_more_owners_than_walks_gives_all(crowded):
    store, jobs = crowded
    owners = ("lin", "wang", "zhao", *(f"user{number}" for number in range(30)))
    for sort in SORTS:
        query = JobQuery(owners=owners, states=(JobState.QUEUED, JobState.COMPLETED), sort=sort, limit=7)
        assert [row.id for row in all_pages(store, query)[0]] == expected(jobs, query)


def test_a_search_means_its_characters_and_no_pattern(store):
    under, other = added(store, "a_b-1"), added(store, "aXb-2")

    assert ids(store.page(JobQuery(search="a_b"))) == [under.id]
    assert ids(store.page(JobQuery(search="A%B"))) == []
    assert ids(store.page(JobQuery(search="AXB"))) == [other.id]
    assert ids(store.page(JobQuery(search=under.id))) == [under.id]


def test_totals_follow_every_move_of_a_job(store):
    def total(**query):
        return store.page(JobQuery(**query)).total

    job = added(store, owner="lin", project="nlp")
    assert (total(), total(owners=("lin",)), total(project="nlp")) == (1, 1, 1)
    job = queued(store, job)
    assert (total(states=(JobState.CREATED,)), total(states=(JobState.QUEUED,), project="nlp")) == (0, 1)
    moved = replace(job, spec=replace(job.spec, project="cv"), spec_version=2)
    (job,) = store.save([JobChange(moved, (ev.JobEdited("lin", 2),))], NOW)
    assert (total(project="nlp"), total(project="cv", owners=("lin",)), total()) == (0, 1, 1)
    store.remove(JobChange(job, (ev.JobDeleted("lin"),)), NOW)
    assert (total(), total(project="cv"), total(owners=("lin",))) == (0, 0, 0)


def test_what_ended_is_paged_whole_though_many_ended_together_and_more_do_meanwhile(store):
    waiting = [queued(store, added(store, f"later-{number}")) for number in range(6)]
    there = [stopped(store, added(store), NOW + number // 5) for number in range(20)]
    query, seen = JobQuery(sort="-ended", limit=3), []
    while True:
        page = store.page(query)
        seen += page.rows
        if page.next_cursor is None:
            break
        query = replace(query, cursor=page.next_cursor)
        if waiting:
            store.save([step(waiting.pop(), ev.StopRequested("lin"), NOW + 9)], NOW)

    latest_first = sorted(there, key=lambda job: (job.ended_at, job.id), reverse=True)
    assert [row.id for row in seen] == [job.id for job in latest_first]
    assert [row.ended_at for row in seen] == [NOW + 3] * 5 + [NOW + 2] * 5 + [NOW + 1] * 5 + [NOW] * 5


def test_a_job_that_runs_again_is_no_longer_among_those_that_ended(store):
    job = stopped(store, added(store), NOW)
    assert ids(store.page(JobQuery(sort="-ended"))) == [job.id]
    queued(store, job)

    assert store.page(JobQuery(sort="-ended")).total == 0
    for states in ((JobState.QUEUED,), (JobState.QUEUED, JobState.RUNNING)):
        assert store.page(JobQuery(sort="-ended", states=states)).rows == ()


@pytest.mark.parametrize("sort", [sort for sort in SORTS if sort != "-ended"])
def test_paging_is_complete_without_repetition_while_jobs_are_added(store, sort):
    there = {added(store, f"old-{number}", at=NOW + number % 4).id for number in range(20)}
    query, seen, round_ = JobQuery(sort=sort, limit=3), [], 0
    while True:
        page = store.page(query)
        seen += ids(page)
        if page.next_cursor is None:
            break
        query = replace(query, cursor=page.next_cursor)
        if round_ < 10:
            for name in (f"aaa-{round_}", f"old-5-{round_}", f"zzz-{round_}"):
                added(store, name, at=NOW + (round_ % 7) - 1)
        round_ += 1

    assert len(seen) == len(set(seen))
    assert there <= set(seen)


def test_a_row_shows_the_job(store):
    job = placed(store, added(store, "name", owner="lin", tasks=3, image="env:torch", priority="high"))

    (row,) = store.page(JobQuery()).rows

    assert (row.id, row.name, row.owner, row.state) == (job.id, "name", "lin", "starting")
    assert (row.kind, row.job_class, row.project) == ("training", "distributed", "public")
    assert (row.gpu_milli, row.gpu_model, row.cpu_milli, row.memory) == (1500, "A100", 6000, 3 * 2**30)
    assert (row.tasks, row.image, row.priority) == (3, "env:torch", "high")
    assert (row.created_at, row.queued_at, row.started_at, row.ended_at) == (NOW, NOW, None, None)
    assert (row.version, row.attempts, row.reason, row.waiting) == (job.version, 1, None, None)


def test_a_row_shows_why_a_job_waits_and_why_it_ended(store):
    waits = queued(store, added(store, at=NOW))
    store.set_waiting({waits.id: why.BehindOthers(2)})
    store.save([step(queued(store, added(store, at=NOW + 1)), ev.StopRequested("wang"))], NOW)

    ended, waiting = store.page(JobQuery()).rows

    assert waiting.waiting == {"code": "behind_others", "ahead": 2}
    assert ended.reason == {"code": "stopped_by", "user": "wang", "replaced": False}


def test_a_row_shows_where_a_job_runs_how_long_it_may_and_what_it_reported_last(store):
    job = placed(store, added(store, "name", tasks=2, expected_time=60_000, max_time=120_000))
    told = Latest(40, NOW, 100, "loss", 0.231)
    seq = store.latest_seq()

    store.set_latest({job.id: told, "unknown": told})

    (row,) = store.page(JobQuery()).rows
    assert (row.placed, row.expected_time, row.max_time) == (["node-0", "node-1"], 60_000, 120_000)
    assert row.latest == told._asdict()
    assert store.latest(job.id) == told
    assert (store.get(job.id), store.latest_seq()) == (job, seq)


def test_a_row_of_a_job_that_waits_again_names_no_node_but_what_it_reported(store):
    job = completed(store, added(store))
    store.set_latest({job.id: Latest(40, NOW, None, "loss", None)})
    assert store.page(JobQuery()).rows[0].placed == ["node-0"]
    queued(store, job)

    (row,) = store.page(JobQuery()).rows
    assert (row.placed, row.latest["step"]) == (None, 40)


def test_an_unknown_sort_is_refused_with_the_known_ones(store):
    with pytest.raises(Invalid) as refusal:
        store.page(JobQuery(sort="size"))

    (error,) = refusal.value.errors
    assert error.loc == ("sort",)
    assert "'size' is not one of created, -created, name, -name, state, -ended" in error.message


@pytest.mark.parametrize("cursor", ["", "rubbish", "é", "bnVsbA", "WyJuYW1lIiwxLCJ4IiwicXVldWVkIl0"])
def test_a_cursor_nobody_gave_out_is_refused(store, cursor):
    with pytest.raises(Invalid) as refusal:
        store.page(JobQuery(cursor=cursor))

    assert refusal.value.errors[0].loc == ("cursor",)


@pytest.mark.parametrize(
    ("sort", "place"),
    [
        ("created", [2**63, "x", "queued"]),
        ("created", [-(2**63), "x", "queued"]),
        ("created", [True, "x", "queued"]),
        ("created", [1, "a\0b", "queued"]),
        ("created", [1, "\ud800", "queued"]),
        ("created", [1, "x", ["queued"]]),
        ("-ended", [None, "x", "stopped"]),
        ("name", ["a\0b", "x", "queued"]),
        ("name", ["\udfff", "x", "queued"]),
        ("name", [10**400, "x", "queued"]),
    ],
)
def test_a_cursor_that_no_database_could_compare_is_refused(store, sort, place):
    cursor = urlsafe_b64encode(json.dumps([sort, *place]).encode()).decode().rstrip("=")
    with pytest.raises(Invalid) as refusal:
        store.page(JobQuery(sort=sort, cursor=cursor))
    assert refusal.value.errors[0].code == "bad_cursor"


@pytest.mark.parametrize("text", ['["created",' + "9" * 5000 + ',"x","queued"]', "[" * 100_000])
def test_a_cursor_that_cannot_be_read_is_refused(store, text):
    with pytest.raises(Invalid) as refusal:
        store.page(JobQuery(sort="created", cursor=urlsafe_b64encode(text.encode()).decode()))
    assert refusal.value.errors[0].code == "bad_cursor"


def test_a_cursor_of_another_sort_is_refused(store):
    added(store), added(store)
    page = store.page(JobQuery(limit=1))

    with pytest.raises(Invalid):
        store.page(JobQuery(limit=1, sort="name", cursor=page.next_cursor))
