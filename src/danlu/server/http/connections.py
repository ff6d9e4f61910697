"""Connections: so many in all and per address, and none that sends or reads too slowly. uvicorn bounds none of that."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from danlu.domain.errors import DanluError, TooLarge, TooManyAtOnce, TooSlow
from danlu.domain.quantity import show_size, time_said
from danlu.domain.words import say
from danlu.files.settings import Settings
from danlu.server.http.problems import problem

MOST_HEAD = 64 << 10
"""Bytes of a request beside its body."""
_CHUNKED_TIMES = 8
"""A body in chunks of one byte is so many times as long."""
_LINGER_S = 30.0
"""How long somebody may go on sending a body that nobody reads, so that they get to read the answer."""
_REFUSED_S = 1.0


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """See the settings of the same names; times are in seconds."""

    connections: int = 4096
    per_address: int = 512
    header_s: float = 10.0
    reader_s: float = 60.0

    @staticmethod
    def of(settings: Settings) -> ConnectionBounds:
        return ConnectionBounds(
            settings.connections,
            settings.connections_per_address,
            settings.header_time / 1000,
            settings.reader_time / 1000,
        )


class Connections:
    """Who is connected. `proxies` are trusted to bound those who come through them; see `Door`."""

    def __init__(self, bounds: ConnectionBounds, proxies: Sequence[str] = ()) -> None:
        self.bounds = bounds
        self._proxies = proxies
        self._open: dict[asyncio.BaseTransport, str] = {}
        self._of_address: Counter[str] = Counter()

    @cached_property
    def most(self) -> int:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return self.bounds.connections if soft < 0 else min(self.bounds.connections, soft // 2)

    @property
    def full(self) -> bool:
        return len(self._open) > self.most

    def enter(self, transport: asyncio.BaseTransport, address: str) -> TooManyAtOnce | None:
        """Count a connection; the refusal, if its address has too many."""
        self._open[transport] = address
        self._of_address[address] += 1
        if self._of_address[address] <= self.bounds.per_address or self._is_proxy(address):
            return None
        return too_many_of(address, self.bounds.per_address)

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Once or twice: a WebSocket leaves in its own way."""
        address = self._open.pop(transport, None)
        if address is None:
            return
        self._of_address[address] -= 1
        if not self._of_address[address]:
            del self._of_address[address]

    def _is_proxy(self, address: str) -> bool:
        return any(_includes(one, address) for one in self._proxies)


class BoundedHttp(HttpToolsProtocol):
    """A connection that must send the headers of a request in time and in few bytes, and read what it asked for."""

    def __init__(self, *args: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*args, **named)
        self._connections = connections
        self._bounds = connections.bounds
        self._sending: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._refusal: TooManyAtOnce | None = None
        self._head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._refusal = self._connections.enter(transport, self.client[0] if self.client else "")
        if self._connections.full:
            transport.abort()
        else:
            self._must_send(_REFUSED_S if self._refusal else self._bounds.header_s)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.leave(self.transport)
        self._sent()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None:
            self._refuse(self._refusal)
            return
        self._head += len(data)
        super().data_received(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            self._refuse(
                TooLarge(
                    say(
                        "the address and headers of a request may have at most {most}",
                        "请求的地址和头部最大为 {most}",
                        most=show_size(MOST_HEAD),
                    )
                )
            )

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        lost = protocol.connection_lost

        def left(exc: Exception | None) -> None:
            self._connections.leave(self.transport)
            lost(exc)

        protocol.connection_lost = left  # type: ignore[method-assign]

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._sending is None:
            self._must_send(self._bounds.header_s)

    def on_headers_complete(self) -> None:
        self._sent()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = max(0, self._head - (1 + _CHUNKED_TIMES) * len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = 0
        self._sent()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and self.cycle.more_body and not self.transport.is_closing():
            self._must_send(_LINGER_S)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(self._bounds.reader_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    @property
    def _answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _must_send(self, within_s: float) -> None:
        self._sent()
        self._sending = self.loop.call_later(within_s, self._sends_nothing)

    def _sent(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _sends_nothing(self) -> None:
        if self._head and not self._answering and not self.transport.is_closing():
            limit = time_said(round(self._bounds.header_s * 1000))
            self._refuse(
                TooSlow(
                    say(
                        "the headers of the request did not arrive within {limit}; send it again",
                        "请求头未能在 {limit}内到达，请重新发送",
                        limit=limit,
                    )
                )
            )
        else:
            self.transport.close()

    def _refuse(self, error: DanluError) -> None:
        """Answer without the application, and leave."""
        if not (self._answering and self.cycle.response_started):
            answer = problem(error)
            lines = [STATUS_LINE[answer.status_code], b"connection: close\r\n"]
            lines += [
                name + b": " + value + b"\r\n" for name, value in answer.raw_headers if name != b"connection"
            ]
            self.transport.write(b"".join((*lines, b"\r\n", bytes(answer.body))))
        self.transport.close()


def too_many_of(address: str, most: int) -> TooManyAtOnce:
    return TooManyAtOnce(
        say(
            "{address} has {most} connections open, the most at once; close some (setting connections_per_address)",
            "地址 {address} 同时打开的连接已达上限 {most} 个，请关闭一些（参见设置 connections_per_address）",
            address=address,
            most=most,
        ),
        retry_after=5,
    )


def _includes(network: str, address: str) -> bool:
    """Whether an address belongs to what a setting names: an address, a network, or everybody."""
    if network in ("*", address):
        return True
    try:
        return ip_address(address) in ip_network(network, strict=False)
    except ValueError:
        return False
