"""Events about one node: found by it, the latest first, of those whose jobs one may read."""

from __future__ import annotations

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.audit import Entry
from danlu.domain.rules import NodeRule
from tests.contracts.store.building import NOW, added, completed, placed, step


def told(events):
    return [(event.kind, event.owner) for event in events]


def cordon(store, node, cordoned):
    store.edit_rules(lambda known: [NodeRule(node, cordoned=cordoned)], NOW, by=Entry("admin", "", ""))


def test_what_happens_on_one_node_is_found_by_it_the_latest_first(store):
    cordon(store, "node-0", True)
    job = completed(store, added(store, owner="lin"))
    cordon(store, "node-0", False)

    events = store.events_about("node:node-0", None, 10)

    assert told(events) == [
        ("rule_changed", None),
        ("task_ended", "lin"),
        ("placed", "lin"),
        ("rule_changed", None),
    ]
    assert [event.job_id for event in events] == [None, job.id, job.id, None]
    assert [event.seq for event in events] == sorted((event.seq for event in events), reverse=True)
    assert events[0] in store.events_after(0, 100)
    assert store.events_about("node:node-1", None, 10) == ()


def test_what_concerns_several_nodes_is_told_of_none_but_each_task_of_its_own(store):
    job = placed(store, added(store, tasks=2))
    ended = ev.TaskEnded(job.attempt_id, "worker-1", NOW, why.ExitCode("worker-1", 1), 1)
    store.save([step(job, ended)], NOW)

    assert store.events_about("node:node-0", None, 10) == ()
    assert told(store.events_about("node:node-1", None, 10)) == [("task_ended", "lin")]


def test_events_of_other_owners_are_passed_over_and_pages_stay_full(store):
    for number in range(6):
        completed(store, added(store, owner=("lin", "wang")[number % 2]))
        cordon(store, "node-0", bool(number % 2))

    def page(before, owners):
        return store.events_about("node:node-0", before, 4, owners)

    everything = store.events_about("node:node-0", None, 100)
    assert len(everything) == 18
    for owners in (None, ("lin",), ("lin", "wang"), ("nobody",), ()):
        wanted = [one for one in everything if owners is None or one.owner in (None, *owners)]
        seen, before = [], None
        while found := page(before, owners):
            seen += found
            before = found[-1].seq
            assert len(found) == 4 or not page(before, owners)
        assert seen == wanted
    assert page(everything[-1].seq, None) == ()
