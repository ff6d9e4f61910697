"""Answers: JSON as it is sent, and the parts that answers of every kind share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response

from danlu.domain import reasons
from danlu.domain.errors import Shortfall
from danlu.domain.quota import PLAIN, said
from danlu.domain.reasons import Reason
from danlu.domain.rules import MEMORY, UNLIMITED
from danlu.domain.words import Words
from danlu.files.quantities import plain_number

Json = dict[str, Any]
_EPOCH = datetime(1970, 1, 1)


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer, without building models first."""
    return Response(as_json(body), status, headers, "application/json")


def as_json(body: Any) -> bytes:
    """Compact JSON that is always valid: programs may print unpaired surrogates, which must not break a stream.
    Numbers that JSON cannot express, such as infinity, become null."""
    try:
        return to_json(body, inf_nan_mode="null")  # four times as fast, but fails on unpaired surrogates
    except PydanticSerializationError:
        known = json.loads(json.dumps(body), parse_constant=lambda _: None)
        return json.dumps(known, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def moment(time_ms: int | None) -> str | None:
    return None if time_ms is None else instant(time_ms)


def instant(time_ms: int) -> str:
    """RFC 3339 in UTC, to the millisecond; formatted by hand for speed, since a list has hundreds of them."""
    minute, millis = divmod(time_ms, 60_000)
    return f"{_minute(minute)}:{millis / 1000:06.3f}Z"


@lru_cache(maxsize=4096)
def _minute(number: int) -> str:
    return (_EPOCH + timedelta(minutes=number)).isoformat(timespec="minutes")


def reason(why: Reason | None) -> Json | None:
    return encoded_reason(reasons.encode(why))


def encoded_reason(data: Mapping[str, Any] | None) -> Json | None:
    return None if data is None else _told(tuple(data.items()))


@lru_cache(maxsize=4096)
def _told(items: tuple[tuple[str, Any], ...]) -> Json:
    """Many jobs wait for the same reason: its sentences are made once. Never change what this returns."""
    data = dict(items)
    code = data["code"]
    params = {name: value for name, value in items if name != "code"}
    try:
        known = reasons.decode(data)
    except (KeyError, TypeError):  # written by a newer Danlu
        known = None
    if known is None:
        plain = words(Words(code, code))
        return {"code": code, "params": params, "text": plain, "meaning": plain, "advice": plain}
    return {
        "code": code,
        "params": params,
        "text": words(known.text()),
        "meaning": words(known.told(known.meaning)),
        "advice": words(known.told(known.advice)),
    }


def words(both: Words) -> dict[str, str]:
    return {"en": both.en, "zh": both.zh}


def shortfall(one: Shortfall) -> Json:
    return {
        "quota": one.quota,
        "class": one.within,
        "resource": one.resource,
        "used": resource_number(one.resource, one.used),
        "asked": resource_number(one.resource, one.asked),
        "limit": resource_number(one.resource, one.limit),
        "jobs": list(one.jobs),
        "text": words(said(one)),
    }


def quota_amounts(amounts: Mapping[str, Mapping[str, int]]) -> Json:
    """Amounts by class as clients write them; null means unlimited."""
    return {
        within: {
            resource: None if amount == UNLIMITED else resource_number(resource, amount)
            for resource, amount in counted.items()
        }
        for within, counted in amounts.items()
    }


def resource_number(resource: str, amount: int) -> int | float:
    return amount if resource == MEMORY or resource in PLAIN else plain_number(amount)
