"""What every command starts from: whom it talks to, made when first needed."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.sdk.http import Http


class Session:
    """The options before the command, and the client they lead to."""

    def __init__(self) -> None:
        self.url: str | None = None
        self.context: str | None = None
        self._http: Http | None = None
        self._client: Client | None = None

    def choose(self, url: str | None, context: str | None) -> None:
        self.url = url
        self.context = context

    @property
    def http(self) -> Http:
        """The connection: all it takes, and quicker to load, where answers are shown as they come."""
        if self._http is None:
            self._http = self.new_http()
        return self._http

    @property
    def client(self) -> Client:
        if self._client is None:
            self._client = self.new_client()
            self._client.http = self.http
        return self._client

    def new_http(self, timeout: float = 30) -> Http:
        from danlu.sdk.config import resolve  # `danlu --help` needs no network
        from danlu.sdk.http import Http

        return Http(resolve(self.url, None, self.context), timeout)

    def new_client(self) -> Client:
        """A client of one's own, for another thread."""
        from danlu.sdk.client import Client

        return Client(url=self.url, context=self.context)

    def api(self, method: str, path: str, **more: Any) -> Any:
        """An answer of the server as it came."""
        return self.http.json(method, path, **more)


pass_session = click.make_pass_decorator(Session)


def print_json(answer: Any) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


def on_terminal() -> bool:
    """Whether a person reads our output as it appears."""
    return sys.stdout.isatty()


def note(sentence: str) -> None:
    """A remark beside the output: it goes to standard error, so that pipes carry data only."""
    click.echo(sentence, err=True, color=False if "NO_COLOR" in os.environ else None)
