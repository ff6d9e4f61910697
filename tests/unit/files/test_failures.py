"""Failures that administrators describe are checked when they are read."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from danlu.files.failures import MOST
from danlu.files.settings import Settings

BOTH = {"en": "The volume {volume} is away.", "zh": "存储卷 {volume} 不可用。"}
KNOWN = {"name": "lustre", "contains": "mount of {volume} failed", "headline": BOTH, "advice": BOTH}


def test_a_known_failure_becomes_a_pattern_with_its_sentences() -> None:
    (one,) = Settings.model_validate({"failures": [KNOWN]}).failures
    pattern = one.pattern()
    assert pattern.pattern.match("lustre: mount of /s failed") == {"volume": "/s"}
    assert pattern.headline.fill(volume="/s").zh == "存储卷 /s 不可用。"


@pytest.mark.parametrize(
    "wrong",
    [
        {"contains": "{a}"},
        {"contains": "x" * 301},
        {"headline": {"en": "{other} is away", "zh": "不可用"}},
        {"headline": {"en": "{volume.__class__.__mro__[9]}", "zh": "不可用"}},
        {"headline": {"en": "English only"}},
        {"advice": {"en": "x" * 301, "zh": "好"}},
        {"name": "No Name"},
        {"regex": ".*"},
    ],
)
def test_a_description_that_could_not_be_used_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"failures": [{**KNOWN, **wrong}]})


def test_their_number_is_bounded() -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"failures": [{**KNOWN, "name": f"f{at}"} for at in range(MOST + 1)]})
