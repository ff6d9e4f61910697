"""Answers as JSON: compact, and encodable whatever a program said."""

from __future__ import annotations

import json
from enum import StrEnum

import pytest

from danlu.server.http.answering import as_json


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    "body",
    [
        {"name": "训练 ✓", "memory": 2**60, "cpus": 0.1, "large": 1e22, "none": None, "list": [1, (2, 3)]},
        {"state": Colour.RED, "quote": 'a "b" \\ \n \u2028', "nested": [{"a": {}}]},
        [],
    ],
)
def test_an_answer_reads_back_as_it_was(body):
    assert as_json(body) == json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def test_half_a_character_does_not_break_an_answer():
    assert as_json({"said": "a\ud800b", "more": "é"}) == '{"said":"a?b","more":"é"}'.encode()


def test_a_number_that_json_does_not_know_is_null():
    endless = {"level": float("inf"), "mean": float("nan"), "said": "é"}
    assert as_json(endless) == '{"level":null,"mean":null,"said":"é"}'.encode()
    assert json.loads(as_json({**endless, "said": "\ud800"}))["level"] is None
