"""The state file's form: what may be written, and how it is documented."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from danlu.files.mistakes import field_errors, model_in
from danlu.files.state_file import NEW_YEAR, StateFile, schema


def errors(data: Any) -> dict[str, str]:
    """place → code of every mistake in the form."""
    with pytest.raises(ValidationError) as caught:
        StateFile.model_validate(data)
    return {".".join(map(str, one.loc)): one.code for one in field_errors(caught.value, StateFile, data)}


def models(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    if model not in seen:
        seen.add(model)
        yield model
        for field in model.model_fields.values():
            inner = model_in(field.annotation)
            if inner is not None:
                yield from models(inner, seen)


def test_nodes_are_all_that_is_required():
    state = StateFile.model_validate({"nodes": []})
    assert (state.now.millis, state.running, state.pending) == (NEW_YEAR, [], [])


def test_a_task_may_be_the_name_of_its_node_and_a_card_its_index():
    tasks = [{"node": "n1", "gpus": [3, {"index": 4, "share": 0.5}]}, "n2"]
    state = StateFile.model_validate({"nodes": [], "running": [{"id": "a", "tasks": tasks}]})
    first, second = state.running[0].tasks
    assert [(card.index, card.share) for card in first.gpus or ()] == [(3, None), (4, 500)]
    assert (second.node, second.gpus) == ("n2", None)


@pytest.mark.parametrize(("written", "indices"), [(3, [0, 1, 2]), ([4, 6], [4, 6]), (0, [])])
def test_a_nodes_cards_are_a_number_or_indices(written: object, indices: list[int]):
    assert StateFile.model_validate({"nodes": [{"name": "n", "gpus": written}]}).nodes[0].gpus == indices


def test_every_mistake_is_told_at_its_place():
    data = {
        "nodes": [{"name": "n", "gpus": "8", "stat": "ready"}],
        "running": [{"id": "r", "tasks": [{"nod": "n"}]}, {"id": "s", "tasks": []}],
        "pending": [{"id": "p", "resources": {"gpus": 1.5}, "created": "soon", "max_time": 5}],
        "scores": {"ann": {"A100": "much"}},
    }
    assert errors(data) == {
        "nodes.0.gpus": "bad_value",
        "nodes.0.stat": "unknown_key",
        "scores.ann.A100": "wrong_type",
        "running.0.tasks.0.nod": "unknown_key",
        "running.1.tasks": "too_short",
        "pending.0.resources.gpus": "bad_value",
        "pending.0.created": "bad_value",
        "pending.0.max_time": "bad_value",
    }


def test_a_misspelt_key_is_told_its_likely_meaning():
    data = {"nodes": [], "policy": {"minimum_runtime": "1m"}}
    with pytest.raises(ValidationError) as caught:
        StateFile.model_validate(data)
    assert [one.hint and one.hint.en for one in field_errors(caught.value, StateFile, data)] == [
        "did you mean 'minimum_run_time'?"
    ]


def test_every_key_is_described():
    silent = [
        f"{model.__name__}.{name}"
        for model in models(StateFile, set())
        for name, field in model.model_fields.items()
        if not field.description
    ]
    assert silent == []


def test_the_schema_allows_the_short_forms():
    defined = schema()["$defs"]
    assert {"type": "string"} in defined["TaskPart"]["anyOf"]
    assert defined["NodePart"]["properties"]["gpus"]["anyOf"][0]["type"] == "integer"
