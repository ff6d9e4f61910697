"""What every command starts from: the connection to a server, opened when first needed."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Generic, Mapping, TypeVar

import click

from danlu.domain.words import Words, escaped, plain, same, say

if TYPE_CHECKING:
    from danlu.cli.outage import Outage
    from danlu.sdk.client import Client
    from danlu.sdk.http.config import Target
    from danlu.sdk.http.errors import BadConfig
    from danlu.sdk.http.http import Http


T = TypeVar("T")
Json = Mapping[str, object]


class Answer(Generic[T]):
    """What the server answered: `raw` as it came, for `--json`; `told` as the SDK has it, for people."""

    def __init__(self, kind: type[T], raw: Json) -> None:
        self._kind = kind
        self._told: T | None = None
        self.raw = raw

    @property
    def told(self) -> T:
        if self._told is None:
            from danlu.sdk.models.reading import read

            self._told = read(self._kind, self.raw)
        return self._told


class Listing(Generic[T]):
    """Several things that the server answered at once."""

    def __init__(self, kind: type[T], raw: Mapping[str, Any]) -> None:
        self.raw = raw
        self.items = [Answer(kind, one) for one in raw["items"]]
        self.next_cursor: str | None = raw.get("next_cursor")
        self.total: int | None = raw.get("total")

    @property
    def told(self) -> list[T]:
        return [one.told for one in self.items]


class CliSession:
    """The options before the command, and the client they lead to."""

    def __init__(self) -> None:
        self.url: str | None = None
        self.context: str | None = None
        self._http: Http | None = None
        self._client: Client | None = None
        self._outage: Outage | None = None

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
        from danlu.cli.outage import Outage, WatchedHttp  # `danlu --help` needs no network

        self._outage = self._outage or Outage(note)
        return WatchedHttp(self.target(), timeout, self._outage)

    def new_client(self) -> Client:
        """A separate client, for another thread."""
        from danlu.sdk.client import Client

        self.target()
        client = Client(url=self.url, context=self.context)
        client.http = self.new_http()
        return client

    def target(self) -> Target:
        """The server to use; BadConfig if its address or token is not valid."""
        from danlu.sdk.http.config import resolve

        found = resolve(self.url, None, self.context)
        check_address(found.url)
        if found.token:
            check_token(found.token, token_source(found))
        return found

    def ask(
        self,
        kind: type[T],
        method: str,
        path: str,
        params: Mapping[str, object] | None = None,
        body: object = None,
        harmless: bool | None = None,
    ) -> Answer[T]:
        """One thing of the server."""
        return Answer(kind, self.http.json(method, path, params, body, harmless=harmless))

    def listing(
        self,
        kind: type[T],
        path: str,
        params: Mapping[str, object] | None = None,
        method: str = "GET",
        body: object = None,
    ) -> Listing[T]:
        """A list that comes at once, or one page of it."""
        return Listing(kind, self.http.json(method, path, params, body))

    def pages(
        self,
        kind: type[T],
        path: str,
        limit: int | None = None,
        filters: Mapping[str, object] | None = None,
    ) -> list[Answer[T]]:
        """A list, page after page."""
        return [Answer(kind, one) for one in self.http.pages(path, limit, filters)]

    def do(
        self, method: str, path: str, params: Mapping[str, object] | None = None, body: object = None
    ) -> object:
        """A request whose answer is not read."""
        return self.http.json(method, path, params, body)

    def myself(self) -> str:
        """The name of the token's owner."""
        from danlu.sdk.http.login import who

        return who(self.http).name


def check_address(url: str) -> None:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (reading it is the check)
        (parts.hostname or "").encode("idna")
    except UnicodeError:
        named = Words("its host name is not valid", "其中的主机名无效")
        raise _no_address(url, named) from None
    except ValueError as why:
        raise _no_address(url, same(f"{str(why)[:1].lower()}{str(why)[1:]}")) from None


def _no_address(url: str, why: Words) -> BadConfig:
    from danlu.sdk.http.errors import BadConfig

    return BadConfig(
        say("{url} is not an address of Danlu: {why}.", "{url} 不是丹炉的地址：{why}。", url=url, why=why)
    )


def token_source(target: Target) -> Words:
    """Where its token comes from: a variable takes precedence over `danlu login`."""
    return same("DANLU_TOKEN") if os.environ.get("DANLU_TOKEN") == target.token else target.said_by


def check_token(token: str, said_by: Words) -> None:
    from danlu.sdk.http.errors import BadConfig

    if not all("!" <= char <= "~" for char in token):
        raise BadConfig(
            say(
                "the token from {said_by} is not valid: it contains a space, a line break or a character "
                "that is not ASCII. Copy it again, without the text around it.",
                "来自{said_by}的令牌无效：含有空格、换行或非 ASCII 字符。请重新复制令牌本身。",
                said_by=said_by,
            )
        )


pass_session = click.make_pass_decorator(CliSession)


def print_json(answer: object, indent: int | None = 2) -> None:
    """As others sent it; what a terminal would take for a command is spelled as JSON spells it."""
    click.echo(escaped(json.dumps(answer, indent=indent, ensure_ascii=False)))


def on_terminal() -> bool:
    """Whether a person reads our output as it appears."""
    return sys.stdout.isatty()


def flush_output() -> None:
    """Flush the output first, so that it appears before a note on the same terminal."""
    with contextlib.suppress(ValueError):  # closed already
        sys.stdout.flush()


def note(sentence: str, dim: bool = False) -> None:
    """A note to the user, on standard error, so that pipes carry data only."""
    flush_output()
    text = click.style(plain(sentence), dim=True) if dim else plain(sentence)
    click.echo(text, err=True, color=False if "NO_COLOR" in os.environ else None)
