"""Cookies: their names, and the one by which a browser is known that has signed in before."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from starlette.requests import HTTPConnection
from starlette.responses import Response

SESSION_COOKIE, DEVICE_COOKIE = "danlu_session", "danlu_device"
_DEVICE_LIFE_S = 180 * 86_400
_HOST_ONLY = "__Host-"


def is_secure(connection: HTTPConnection, public_url: str | None) -> bool:
    """Whether the browser came by TLS: as the request or a trusted proxy says, or because people only come that way."""
    return connection.scope.get("scheme") in ("https", "wss") or (public_url or "").startswith("https:")


def cookie_name(name: str, secure: bool) -> str:
    """Behind TLS the prefix makes browsers refuse a cookie that another host of the domain has set."""
    return _HOST_ONLY + name if secure else name


def set_cookie(answer: Response, name: str, value: str, seconds: int, secure: bool) -> None:
    answer.set_cookie(
        cookie_name(name, secure),
        value,
        max_age=seconds,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def drop_cookie(answer: Response, name: str, secure: bool) -> None:
    answer.delete_cookie(cookie_name(name, secure), path="/", secure=secure, httponly=True, samesite="strict")


class Devices:
    """Marks of browsers that signed in with a name: signed, not stored, and without the name."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def remember(self, answer: Response, name: str, secure: bool) -> None:
        mark, until = secrets.token_urlsafe(12), int(time.time()) + _DEVICE_LIFE_S
        signed = self._signed(name, mark, str(until))
        set_cookie(answer, DEVICE_COOKIE, f"{mark}.{until}.{signed}", _DEVICE_LIFE_S, secure)

    def known(self, connection: HTTPConnection, name: str, secure: bool) -> str:
        """The mark of a browser that signed in with this name before; empty if it did not, or long ago."""
        mark, _, rest = connection.cookies.get(cookie_name(DEVICE_COOKIE, secure), "").partition(".")
        until, _, signed = rest.partition(".")
        right = self._signed(name, mark, until)
        if not hmac.compare_digest(signed.encode(), right.encode()):
            return ""
        return mark if int(until) > time.time() else ""

    def _signed(self, name: str, mark: str, until: str) -> str:
        said = "\n".join(("device", name, mark, until)).encode("utf-8", "surrogatepass")
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()
