"""What is said of one's preferences, in the domain's words."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from danlu.domain.preferences import View
from danlu.server.people.me_models import PreferencesEdit


def said(**keys):
    return PreferencesEdit.model_validate(keys).values()


def test_what_is_left_out_is_not_said_and_null_forgets():
    assert said() == {}
    assert said(theme="dark") == {"theme": "dark"}
    assert said(theme=None, views=None, dismissed=None, news_seen=None) == {
        "theme": None,
        "views": (),
        "dismissed": (),
        "news_seen": None,
    }


def test_lists_are_kept_in_order_and_what_is_dismissed_twice_once():
    view = {"page": "jobs", "name": "mine", "query": "owner=me"}
    assert said(views=[view], dismissed=["b", "a", "b"]) == {
        "views": (View("jobs", "mine", "owner=me"),),
        "dismissed": ("b", "a"),
    }


@pytest.mark.parametrize(
    "moment", ["2026-01-31T12:00:00Z", "2026-01-31T20:00:00+08:00", "2026-01-31 12:00:00.000Z"]
)
def test_a_moment_is_the_same_wherever_it_is_written(moment):
    assert said(news_seen=moment) == {"news_seen": 1_769_860_800_000}


@pytest.mark.parametrize(
    "moment",
    ["", "today", "-2h", "2026-02-31T12:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59Z"],
)
def test_what_is_no_moment_of_our_time_is_refused(moment):
    with pytest.raises(ValidationError, match="is not a valid time; write 2026-01-31T12:00:00Z"):
        said(news_seen=moment)


@pytest.mark.parametrize(
    "keys",
    [
        {"theme": "pink"},
        {"language": "fr"},
        {"colour": "red"},
        {"dismissed": ["x" * 101]},
        {"dismissed": [""]},
        {"dismissed": [str(number) for number in range(101)]},
        {"views": [{"page": "jobs", "name": "mine", "query": "x" * 2_001}]},
        {"views": [{"page": "jobs", "name": "mine"}]},
        {"views": [{"page": "jobs", "name": str(number), "query": ""} for number in range(51)]},
    ],
)
def test_every_key_has_its_bounds(keys):
    with pytest.raises(ValidationError):
        said(**keys)
