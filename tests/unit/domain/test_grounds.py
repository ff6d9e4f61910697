"""Why it was a job's turn, as an event tells it."""

from __future__ import annotations

import json

from danlu.domain.events import Placed
from danlu.domain.events.jobs import Grounds


def test_a_project_without_a_share_is_told_in_words_and_numbers_that_everybody_reads() -> None:
    placed = Placed(1, (), Grounds("turn", "normal", 0.5, float("inf")))
    assert json.loads(json.dumps(placed.data(), allow_nan=False))["level"] is None
    assert "∞" in placed.text().en
    assert "∞" in placed.text().zh
    assert "250%" in Placed(1, (), Grounds(level=2.5)).text().en
