"""Times of day and spans of time as people type them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

import click

from danlu.cli.words import speak
from danlu.domain.words import Words

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|[smhdw])")
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_FORMS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d")
_HINT = Words(
    "write 22:00, 2026-01-31 22:00 (on your clock), 2026-01-31T22:00:00Z, now, or +2h",
    "请写成 22:00、2026-01-31 22:00（本地时间）、2026-01-31T22:00:00Z、now 或 +2h",
)


class MomentParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A time: of day (the next such), of a day, with a zone, or from now on."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if isinstance(value, datetime):
            return value
        found = moment(str(value).strip(), datetime.now(timezone.utc))
        if found is None:
            wrong = speak(
                "'{value}' is not a time; {hint}.", "“{value}”不是时间；{hint}。", value=value, hint=_HINT
            )
            return self.fail(wrong, param, ctx)
        return found


class SpanParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`30m`, `1h30m`, `2d`."""

    name = "span"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if isinstance(value, timedelta):
            return value
        found = span(str(value).strip())
        if found is None:
            wrong = speak(
                "'{value}' is not a duration; write 30m, 4h or 1d.",
                "“{value}”不是时长；请写成 30m、4h 或 1d。",
                value=value,
            )
            return self.fail(wrong, param, ctx)
        return found


def moment(text: str, now: datetime) -> datetime | None:
    """The moment meant, or None."""
    if text.lower() == "now":
        return now
    if text.startswith("+"):
        ahead = span(text[1:])
        return None if ahead is None else now + ahead
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        today = now.astimezone().replace(
            hour=int(clock[1]), minute=int(clock[2]), second=0, microsecond=0, tzinfo=None
        )
        first = today.astimezone()
        return first if first > now else (today + timedelta(days=1)).astimezone()
    for form in _FORMS:
        try:
            return datetime.strptime(text, form).astimezone()
        except ValueError:
            continue
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return found.astimezone()


def span(text: str) -> timedelta | None:
    """The span meant, or None."""
    parts = _SPAN.findall(text)
    if not parts or _SPAN.sub("", text).strip():
        return None
    try:
        return timedelta(seconds=sum(float(number) * _UNITS[unit] for number, unit in parts))
    except OverflowError:
        return None


def sent(time: datetime) -> str:
    """As the API has it."""
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
