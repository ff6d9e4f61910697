"""Rows of an older or newer Danlu still load."""

from __future__ import annotations

import json

import pytest

from danlu.domain import reasons as why
from danlu.domain.job import JobSpec, Kind, Role, Task
from danlu.domain.resources import GpuGrant, Resources
from danlu.store.sql.codec import dump, load_ending, load_reason, load_spec, load_tasks

SPEC = JobSpec(Kind.TRAINING, "name", (Role("worker", 2, Resources(), ("python", "train.py"), 2),))


def test_a_missing_key_takes_its_default():
    kept = json.loads(dump(SPEC))
    del kept["project"], kept["checkpoint"], kept["roles"][0]["resources"]["shm"]

    assert load_spec(json.dumps(kept)) == SPEC


def test_a_key_nobody_knows_is_dropped():
    kept = json.loads(dump(SPEC))
    kept["colour"] = kept["roles"][0]["colour"] = "red"

    assert load_spec(json.dumps(kept)) == SPEC


def test_a_reason_nobody_knows_is_none_and_its_unknown_parameters_are_dropped():
    assert load_reason('{"code": "struck_by_lightning", "bolts": 2}') is None
    assert load_reason('{"code": "stopped_by", "user": "lin", "mood": "bad"}') == why.StoppedBy("lin")


def test_nothing_is_nothing():
    assert load_reason(None) is None
    assert load_ending(None) is None
    assert load_tasks("[]") == ()


def test_a_card_is_kept_as_two_numbers():
    task = Task("worker", 0, "node", "10.0.0.1", (GpuGrant(3, 500), GpuGrant(4)))

    assert json.loads(dump((task,)))[0]["gpus"] == [[3, 500], [4, 1000]]
    assert load_tasks(dump((task,))) == (task,)


def test_what_cannot_be_kept_is_refused():
    with pytest.raises(TypeError, match="object cannot be stored"):
        dump({"x": object()})
