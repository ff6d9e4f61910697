"""One's preferences: every mistake told, the whole bounded, nothing for narrow tokens."""

from __future__ import annotations

from typing import Any, cast

import pytest

from danlu.control.people.preferences import LARGEST, edit_preferences, preferences_of
from danlu.domain.errors import Invalid, NotAllowed, TooLarge
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.preferences import Preferences, View

LIN = Caller(User("lin", UserRole.VIEWER, 0))
NARROW = Caller(LIN.user, frozenset({"job:read"}))


class Store:
    def __init__(self) -> None:
        self.kept: dict[str, Preferences] = {}
        self.writes = 0

    def preferences(self, name: str) -> Preferences:
        return self.kept.get(name, Preferences())

    def edit_preferences(self, name: str, change: Any) -> Preferences:
        self.writes += 1
        self.kept[name] = change(self.preferences(name))
        return self.kept[name]


@pytest.fixture
def store() -> Any:
    return cast(Any, Store())


def mistakes(store, **changes):
    with pytest.raises(Invalid) as refused:
        edit_preferences(store, LIN, changes)
    return refused.value.errors


def test_what_is_not_named_stays(store):
    edit_preferences(store, LIN, {"theme": "dark", "dismissed": ("tour",)})
    edit_preferences(store, LIN, {"time_zone": "Asia/Shanghai"})
    edit_preferences(store, LIN, {"theme": None})

    assert preferences_of(store, LIN) == Preferences(time_zone="Asia/Shanghai", dismissed=("tour",))


def test_nothing_said_writes_nothing(store):
    assert edit_preferences(store, LIN, {}) == Preferences()
    assert store.writes == 0


@pytest.mark.parametrize(
    ("zone", "hint"),
    [
        ("Asia/Shangai", "did you mean 'Asia/Shanghai'?"),
        ("europe/berlin", "did you mean 'Europe/Berlin'?"),
        ("", "write a name such as Asia/Shanghai or UTC"),
        ("../../etc/passwd", "write a name such as Asia/Shanghai or UTC"),
    ],
)
def test_a_time_zone_is_one_that_is_known(store, zone, hint):
    (error,) = mistakes(store, time_zone=zone)
    assert (error.loc, error.code, error.value, error.hint and error.hint.en) == (
        ("time_zone",),
        "no_such_time_zone",
        zone,
        hint,
    )
    assert store.writes == 0


@pytest.mark.parametrize("zone", ["localtime", "Factory"])
def test_a_zone_that_no_browser_knows_is_none(store, zone):
    assert mistakes(store, time_zone=zone)


def test_views_of_one_page_have_names_of_their_own(store):
    views = (View("jobs", "mine", "a"), View("nodes", "mine", ""), View("jobs", "mine", "b"))
    edit_preferences(store, LIN, {"views": views[:2]})
    (zone, view) = mistakes(store, views=views, time_zone="Mars")
    assert zone.loc == ("time_zone",)
    assert (view.loc, view.code, view.value) == (("views", 2, "name"), "duplicate", "mine")


def test_the_whole_is_bounded_and_stays_as_it_was(store):
    half = tuple(View("jobs", str(number), "查" * 1000) for number in range(11))
    other = tuple(View("jobs", str(number), "查" * 1000) for number in range(22))
    edit_preferences(store, LIN, {"views": half})
    with pytest.raises(TooLarge, match="at most 64KiB; delete some saved views first"):
        edit_preferences(store, LIN, {"views": other})

    assert preferences_of(store, LIN).views == half
    assert LARGEST == 65_536


def test_a_token_with_scopes_neither_sees_nor_changes_them(store):
    with pytest.raises(NotAllowed, match="cannot see your preferences; sign in to do that"):
        preferences_of(store, NARROW)
    with pytest.raises(NotAllowed, match="cannot change your preferences"):
        edit_preferences(store, NARROW, {"theme": "dark"})
