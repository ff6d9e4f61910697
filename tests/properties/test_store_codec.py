"""Whatever a job can hold, the store gives back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from danlu.domain import reasons
from danlu.domain.job import ClonedFrom, Ending, JobSpec, Task, Turn
from danlu.domain.mount import Mount
from danlu.domain.preferences import Preferences
from danlu.domain.reasons import Reason
from danlu.domain.rules import KINDS
from danlu.store.sql.codec import (
    dump,
    dump_or_none,
    load_ending,
    load_preferences,
    load_reason,
    load_rule,
    load_source,
    load_spec,
    load_tasks,
    load_turn,
)

any_text = st.text(st.characters())
st.register_type_strategy(Reason, st.sampled_from(list(reasons.ALL.values())).flatmap(st.builds))


any_mounts = st.lists(st.builds(Mount, any_text, any_text)).map(tuple)


@given(st.builds(JobSpec, description=any_text, env=st.dictionaries(any_text, any_text), mounts=any_mounts))
def test_any_specification_comes_back(spec):
    assert load_spec(dump(spec)) == spec


@given(st.lists(st.builds(Task)).map(tuple))
def test_any_tasks_come_back(tasks):
    assert load_tasks(dump(tasks)) == tasks


@given(st.none() | st.builds(Ending))
def test_any_ending_comes_back(ending):
    assert load_ending(dump_or_none(ending)) == ending


@given(st.none() | st.from_type(Reason))
def test_any_reason_comes_back_as_its_own_kind(reason):
    loaded = load_reason(dump_or_none(reason))

    assert loaded == reason
    assert type(loaded) is type(reason)


@given(
    st.builds(
        Turn,
        gave_way_to=st.lists(any_text).map(tuple),
        refusals=st.integers(0),
        held_until=st.none() | st.integers(0),
    )
)
def test_any_turn_comes_back(turn):
    assert load_turn(dump(turn)) == turn


def test_what_was_written_before_clusters_loads():
    assert load_turn('{"pinned_at":5,"gave_way_to":["a"]}') == Turn(pinned_at=5, gave_way_to=("a",))
    assert load_spec('{"kind":"training","name":"a","roles":[]}').mounts == ()


@given(st.none() | st.builds(ClonedFrom, any_text, any_text))
def test_any_source_comes_back(source):
    assert load_source(dump_or_none(source)) == source


@given(st.builds(Preferences, dismissed=st.lists(any_text).map(tuple)))
def test_any_preferences_come_back(preferences):
    assert load_preferences(dump(preferences)) == preferences


@given(st.sampled_from(sorted(KINDS)).flatmap(lambda kind: st.builds(KINDS[kind], name=any_text)))
def test_any_rule_comes_back_as_its_own_kind(rule):
    loaded = load_rule(rule.kind, dump(rule))

    assert loaded == rule
    assert type(loaded) is type(rule)
