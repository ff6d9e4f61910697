"""A person's preferences for the console."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.domain.job import Time


@dataclass(frozen=True, slots=True)
class View:
    """A saved view: a name for the filters of a list."""

    page: str
    name: str
    query: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person chose; None follows the browser. A view is identified by its page and name."""

    language: str | None = None
    theme: str | None = None
    time_zone: str | None = None
    views: tuple[View, ...] = ()
    dismissed: tuple[str, ...] = ()
    news_seen: Time | None = None
