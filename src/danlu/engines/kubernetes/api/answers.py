"""What an API server answers: JSON, a refusal in its own words, or nothing at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """What the API server answered instead of doing it."""

    def __init__(self, status: int, reason: str, message: str, retry_after: float = 0.0) -> None:
        super().__init__(f"{status} {reason}: {message}")
        self.status, self.reason, self.message, self.retry_after = status, reason, message, retry_after


class ApiUnreachable(Exception):
    """It did not answer, not in time, or not as an API server does: whether it acted is unknown."""


def parsed(raw: bytes) -> Json:
    try:
        found = json.loads(raw)
    except ValueError as error:
        raise ApiUnreachable(f"this is not an answer from an API server: {_shortened(raw)}") from error
    if not isinstance(found, dict):
        raise ApiUnreachable(f"this is not an answer from an API server: {_shortened(raw)}")
    return found


def refusal(status: int, raw: bytes, headers: Mapping[str, str]) -> ApiError:
    """The server's own message if there is one, else the body that came instead (from a proxy, for example)."""
    try:
        words = json.loads(raw)
    except ValueError:
        words = None
    if not isinstance(words, dict):
        words = {"message": _shortened(raw)}
    asked = headers.get("Retry-After", "")
    return refused(words, status, float(asked) if asked.isdecimal() else 0.0)


def refused(words: Json, status: int = 500, retry_after: float = 0.0) -> ApiError:
    """A `Status` object as an error."""
    details = words.get("details") or {}
    return ApiError(
        words.get("code") or status,
        words.get("reason") or "",
        words.get("message") or "",
        retry_after or float(details.get("retryAfterSeconds") or 0),
    )


def _shortened(raw: bytes) -> str:
    return raw[:300].decode("utf-8", "replace").strip()
