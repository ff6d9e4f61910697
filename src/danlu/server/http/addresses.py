"""Addresses that people open in a browser."""

from __future__ import annotations

from starlette.requests import Request


def sign_in_address(url: str, code: str) -> str:
    """The URL of a one-time sign-in link with this code, for the Danlu at `url`."""
    return f"{url.rstrip('/')}/sign-in?code={code}"


def own_address(request: Request, public_url: str | None) -> str:
    """The URL at which people reach this server: from the settings, or as the caller reached it."""
    return public_url or str(request.base_url)
