"""Addresses that people open in a browser."""

from __future__ import annotations

from starlette.requests import Request


def sign_in_address(url: str, code: str) -> str:
    """Where the code of a one-time link signs in, of the Danlu at `url`."""
    return f"{url.rstrip('/')}/sign-in?code={code}"


def own_address(request: Request, public_url: str | None) -> str:
    """How people reach us: as the settings say, or as whoever asks did."""
    return public_url or str(request.base_url)
