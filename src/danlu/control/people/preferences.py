"""How one likes the console: looked up, and changed key by key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from danlu.domain.errors import FieldError, Invalid, TooLarge
from danlu.domain.permissions import Caller
from danlu.domain.preferences import Preferences, View
from danlu.domain.quantity import show_size
from danlu.files.mistakes import near
from danlu.ports.store import PreferenceStore

LARGEST = 64 << 10
_NOT_IN_BROWSERS = {"Factory", "localtime"}


def preferences_of(store: PreferenceStore, caller: Caller) -> Preferences:
    caller.require_whole("see your preferences")
    return store.preferences(caller.name)


def edit_preferences(store: PreferenceStore, caller: Caller, changes: Mapping[str, Any]) -> Preferences:
    """Change the fields that are named; Invalid tells every mistake."""
    caller.require_whole("change your preferences")
    wrong = (*_zone_mistakes(changes.get("time_zone")), *_view_mistakes(changes.get("views", ())))
    if wrong:
        raise Invalid(wrong)

    def changed(now: Preferences) -> Preferences:
        newer = replace(now, **changes)
        if len(json.dumps(asdict(newer), ensure_ascii=False).encode()) > LARGEST:
            raise TooLarge(f"preferences have at most {show_size(LARGEST)}; forget some saved views first")
        return newer

    return store.edit_preferences(caller.name, changed) if changes else store.preferences(caller.name)


def _zone_mistakes(name: str | None) -> Iterator[FieldError]:
    if name is None or name in _zones():
        return
    likely = near(name, sorted(_zones()))
    hint = f"did you mean '{likely}'?" if likely else "write a name such as Asia/Shanghai or UTC"
    yield FieldError(("time_zone",), "no_such_time_zone", f"there is no time zone '{name}'", name, hint=hint)


def _view_mistakes(views: Sequence[View]) -> Iterator[FieldError]:
    seen: set[tuple[str, str]] = set()
    for place, view in enumerate(views):
        if (view.page, view.name) in seen:
            message = f"a second view of {view.page} is named '{view.name}'"
            yield FieldError(("views", place, "name"), "duplicate", message, view.name, hint="rename one")
        seen.add((view.page, view.name))


@cache
def _zones() -> frozenset[str]:
    """Looked up once: they are some six hundred files."""
    return frozenset(available_timezones() - _NOT_IN_BROWSERS)
