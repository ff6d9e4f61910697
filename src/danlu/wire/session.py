"""Signing in through a provider, on the wire."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from danlu.wire.requests import Request
from danlu.wire.responses import Answer


class DepartureQuery(Request):
    """Where to go afterwards."""

    next: str = Field("/", max_length=2_000, description="A path of the console.")


class ReturnQuery(Request):
    """What the provider sends along; more than we know of may be there."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    code: str | None = Field(None, max_length=4_000)
    state: str | None = Field(None, max_length=500)
    error: str | None = Field(None, max_length=200)
    error_description: str | None = Field(None, max_length=500)


class SignInProvider(Answer):
    """`name` is its part of addresses, `title` what people know it by."""

    name: str
    title: str


class ProviderList(Answer):
    items: list[SignInProvider]
