"""Rules: kept whole, edited one after the other, every change recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from danlu.domain.audit import Entry
from danlu.domain.job import JobClass
from danlu.domain.people import User, UserRole
from danlu.domain.resources import Resources
from danlu.domain.rules import (
    BUILT_IN,
    Flavor,
    Group,
    KubernetesCluster,
    Limit,
    NodeRule,
    Pool,
    PriorityClass,
    Project,
)
from tests.contracts.store.building import NOW, at_once

NLP = Project("nlp", 2.5, {"A100": 8000}, {"gpus": 16000, "memory": 2**40}, node_selector={"org": "nlp"})
OTHERS = (
    Project("public", 1, priorities=("normal", "low"), creator="lin", closed=True, reclaimable=False),
    PriorityClass("urgent", 400, True, False, ("leads",), ("nlp",), "words 词"),
    Pool("big", (JobClass.DISTRIBUTED, JobClass.SERVICE)),
    Flavor("a100-8", Resources(8000, 2**36, 8000, "A100", 2**30, True), (JobClass.SINGLE,)),
    Limit("each", "*", None, JobClass.WORKSPACE, 1000, 3_600_000),
    Limit("all", None, "nlp", None, None, 1),
    NodeRule("a100-0", "big", True, {"rack": "r1"}),
    KubernetesCluster(
        "lab", "https://k8s:6443", dns=False, pull_secrets=("mine",), tolerations=(), lost_time=5_000
    ),
)


def put(store, *rules, now=NOW):
    return store.edit_rules(lambda known: (*known, *rules), now, by=Entry("admin", "", ""))


def told(store):
    return [(event.actor, event.text.en) for event in store.events_after(0, 100)]


def test_rules_of_every_kind_come_back_as_written(store, open_store):
    assert store.rules() == ()
    written = put(store, NLP, *OTHERS)

    assert len(written) == 9
    assert open_store().rules() == written
    for rule in (NLP, *OTHERS):
        assert next(one for one in written if (one.kind, one.name) == (rule.kind, rule.name)) == rule
    assert [(rule.kind, rule.name) for rule in written] == sorted((rule.kind, rule.name) for rule in written)


def test_what_is_there_from_the_first_start_can_be_kept(store):
    put(store, *BUILT_IN)

    assert {(rule.kind, rule.name) for rule in store.rules()} == {(rule.kind, rule.name) for rule in BUILT_IN}


def test_every_change_is_recorded_with_who_made_it_and_nothing_else_is(store):
    put(store, NLP, OTHERS[2])
    store.edit_rules(lambda known: known, NOW, by=Entry("lin", "", ""))
    store.edit_rules(lambda known: [replace(NLP, weight=3), OTHERS[2]], NOW, by=Entry("lin", "", ""))
    store.edit_rules(lambda known: known[:1], NOW, by=Entry("lin", "", ""))

    assert told(store) == [
        ("admin", "pool big added by admin"),
        ("admin", "project nlp added by admin"),
        ("lin", "project nlp edited by lin"),
        ("lin", "project nlp removed by lin"),
    ]
    assert store.events_after(0, 1)[0].text.zh == "admin 添加了资源池 big"
    assert store.rules() == (OTHERS[2],)


def test_an_edit_that_raises_changes_nothing(store):
    put(store, NLP)
    with pytest.raises(ZeroDivisionError):
        store.edit_rules(lambda known: 1 / 0, NOW, by=Entry("admin", "", ""))

    assert store.rules() == (NLP,)
    assert len(told(store)) == 1


def test_edits_at_once_lose_nothing_of_each_other(store, open_store):
    put(store, replace(NLP, description=""))
    stores = [store, open_store()]

    def longer(number):
        def change(rules):
            (rule,) = rules
            return [replace(rule, description=rule.description + str(number))]

        stores[number % 2].edit_rules(change, NOW, by=Entry("admin", "", ""))

    at_once(8, longer)

    assert sorted(store.rules()[0].description) == sorted("01234567")


def test_a_rule_of_a_newer_danlu_is_left_alone(store):
    put(store, NLP)
    with store._database.writing() as connection:
        connection.execute(text("INSERT INTO rules VALUES ('moon', 'full', '{}', 1, 1)"))
    store.edit_rules(lambda known: (), NOW, by=Entry("admin", "", ""))

    assert store.rules() == ()
    with store._database.reading() as connection:
        assert connection.execute(text("SELECT kind FROM rules")).all() == [("moon",)]


def test_a_rule_knows_how_often_and_when_it_was_written(store):
    put(store, NLP)
    store.edit_rules(lambda known: [replace(NLP, weight=3)], NOW + 5, by=Entry("lin", "", ""))

    with store._database.reading() as connection:
        assert connection.execute(text("SELECT version, changed_at FROM rules")).all() == [(2, NOW + 5)]


def test_a_group_that_goes_is_taken_from_its_people_at_once(store):
    put(store, Group("nlp"), Group("leads"))
    store.add_user(User("lin", UserRole.ENGINEER, NOW, groups=("nlp", "leads")))
    store.add_user(User("wang", UserRole.ENGINEER, NOW, groups=("leads",)))
    by = Entry("admin", "", "")
    store.edit_rules(lambda known: [rule for rule in known if rule.name != "nlp"], NOW + 1, by=by)
    assert [(user.name, user.groups) for user in store.users()] == [("lin", ("leads",)), ("wang", ("leads",))]
    removed, edited = (one.entry for one in store.chain(0, 100) if one.time == NOW + 1)
    assert (removed.act, removed.subject) == ("removed", "group:nlp")
    assert (edited.act, edited.subject, edited.reason) == ("edited", "user:lin", "group nlp was removed")
