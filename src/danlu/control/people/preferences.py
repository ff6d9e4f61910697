"""A person's preferences for the console."""

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
from danlu.domain.words import Words, say
from danlu.files.mistakes import guess, near
from danlu.ports.accounts import PreferenceStore

LARGEST = 64 << 10
_NOT_IN_BROWSERS = {"Factory", "localtime"}


def preferences_of(store: PreferenceStore, caller: Caller) -> Preferences:
    caller.require_whole(Words("see your preferences", "查看你的偏好"))
    return store.preferences(caller.name)


def edit_preferences(store: PreferenceStore, caller: Caller, changes: Mapping[str, Any]) -> Preferences:
    """Change the fields that are named; Invalid tells every mistake."""
    caller.require_whole(Words("change your preferences", "修改你的偏好"))
    wrong = (*_zone_mistakes(changes.get("time_zone")), *_view_mistakes(changes.get("views", ())))
    if wrong:
        raise Invalid(wrong)

    def changed(now: Preferences) -> Preferences:
        newer = replace(now, **changes)
        if len(json.dumps(asdict(newer), ensure_ascii=False).encode()) > LARGEST:
            raise TooLarge(
                say(
                    "preferences may have at most {largest}; delete some saved views first",
                    "偏好最多占 {largest}，请先删除一些已保存的视图",
                    largest=show_size(LARGEST),
                )
            )
        return newer

    return store.edit_preferences(caller.name, changed) if changes else store.preferences(caller.name)


def _zone_mistakes(name: str | None) -> Iterator[FieldError]:
    if name is None or name in _zones():
        return
    likely = near(name, sorted(_zones()))
    hint = (
        guess(likely)
        if likely
        else Words("write a name such as Asia/Shanghai or UTC", "请写成 Asia/Shanghai 或 UTC 的形式")
    )
    yield FieldError(
        ("time_zone",),
        "no_such_time_zone",
        say("there is no time zone '{name}'", "没有名为“{name}”的时区", name=name),
        name,
        hint=hint,
    )


def _view_mistakes(views: Sequence[View]) -> Iterator[FieldError]:
    seen: set[tuple[str, str]] = set()
    for place, view in enumerate(views):
        if (view.page, view.name) in seen:
            message = say(
                "two views of {page} are named '{name}'",
                "{page} 已有名为“{name}”的视图",
                page=view.page,
                name=view.name,
            )
            yield FieldError(
                ("views", place, "name"),
                "duplicate",
                message,
                view.name,
                hint=Words("rename one", "请重命名其中一个"),
            )
        seen.add((view.page, view.name))


@cache
def _zones() -> frozenset[str]:
    """Looked up once: they are some six hundred files."""
    return frozenset(available_timezones() - _NOT_IN_BROWSERS)
