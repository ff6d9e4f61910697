"""Templates: one name of its own each, found by owner and project, and a note for every change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import NameTaken, NotFound
from danlu.domain.people import User, UserRole
from danlu.domain.rules import Project
from danlu.domain.templates import Template, TemplateRow
from danlu.ports.governance import AuditQuery
from tests.contracts.store.building import NOW, at_once

BY = Entry("lin", "created", "", address="10.0.0.7", means="session")
JOB = {"kind": "training", "command": "echo 训练", "env": {"LR": "0.1"}}
ONE = Template("t1", "lin", "bert", "pre-training", None, "training", NOW, NOW, JOB)


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def row(one: Template) -> TemplateRow:
    return TemplateRow(*(getattr(one, name) for name in TemplateRow.__dataclass_fields__))


def test_a_template_comes_back_as_it_was_kept(store):
    store.add_template(ONE, NOW, by=BY)
    assert store.template("t1") == ONE == store.find_template("lin", "bert")
    assert store.template("t2") is None
    assert store.find_template("wang", "bert") is None


def test_a_person_finds_their_own_and_what_is_shared_with_their_projects(store):
    shared = replace(ONE, id="t2", owner="wang", project="nlp")
    others = replace(ONE, id="t3", owner="wang", name="apart", project="speech")
    private = replace(ONE, id="t4", owner="wang", name="alone")
    for one in (ONE, shared, others, private):
        store.add_template(one, NOW, by=BY)
    assert store.templates("lin", ["nlp"]) == (row(ONE), row(shared))
    assert store.templates("lin", []) == (row(ONE),)
    assert store.templates("", ["nlp", "speech"]) == (row(others), row(shared))


def test_a_name_is_used_once_by_each_person(store):
    store.add_template(ONE, NOW, by=BY)
    with pytest.raises(NameTaken, match="lin has a template named bert"):
        store.add_template(replace(ONE, id="t2"), NOW, by=BY)
    store.add_template(replace(ONE, id="t2", owner="wang"), NOW, by=BY)
    store.add_template(replace(ONE, id="t3", name="gpt"), NOW, by=BY)
    with pytest.raises(NameTaken, match="lin has a template named gpt"):
        store.edit_template("t1", lambda one: replace(one, name="gpt"), NOW, by=BY)
    assert store.template("t1") == ONE


def test_edits_of_one_moment_all_take_effect(store):
    store.add_template(ONE, NOW, by=BY)

    def more(_: int) -> object:
        return store.edit_template(
            "t1", lambda one: replace(one, description=f"{one.description}+"), NOW, by=BY
        )

    assert all(isinstance(one, Template) for one in at_once(4, more))
    kept = store.template("t1")
    assert kept is not None
    assert kept.description == "pre-training++++"
    with pytest.raises(NotFound, match="no template 't9'"):
        store.edit_template("t9", lambda one: one, NOW, by=BY)


def test_every_change_is_noted_without_the_job_file(store):
    store.add_template(ONE, NOW, by=BY)
    store.edit_template("t1", lambda one: replace(one, project="nlp"), NOW, by=replace(BY, act="edited"))
    assert store.remove_template("t1", NOW, by=replace(BY, act="deleted"))
    assert not store.remove_template("t1", NOW, by=replace(BY, act="deleted"))
    deleted, edited, created = (one.entry for one in store.noted(AuditQuery(subject="template:")))
    assert {one.subject for one in (deleted, edited, created)} == {"template:lin:bert"}
    alone = {"name": "bert", "description": "pre-training", "project": None}
    assert (created.act, created.before, created.after) == ("created", None, alone)
    assert (edited.before, edited.after) == (alone, {**alone, "project": "nlp"})
    assert (deleted.act, deleted.after, deleted.address) == ("deleted", None, "10.0.0.7")


def test_with_an_account_goes_what_nobody_else_could_use(store):
    shared = replace(ONE, id="t2", name="shared", project="nlp")
    for one in (ONE, shared):
        store.add_template(one, NOW, by=BY)
    store.edit_user("lin", lambda one, _: replace(one, deleted=True), NOW, by=Entry("root", "deleted", ""))
    assert store.templates("lin", ["nlp"]) == (row(shared),)


def test_a_project_that_is_gone_shares_nothing_even_if_its_name_returns(store):
    store.edit_rules(lambda known: [*known, Project("nlp")], NOW, by=Entry("root", "added", ""))
    store.add_template(replace(ONE, project="nlp"), NOW, by=BY)
    store.edit_rules(lambda _: [], NOW, by=Entry("root", "removed", ""))
    assert store.templates("wang", ["nlp"]) == ()
    assert store.templates("lin", []) == (row(ONE),)
