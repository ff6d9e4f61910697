"""Running the application: a socket, an event loop, and a shutdown within seconds."""

from __future__ import annotations

import contextlib
import functools
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, cast

import uvicorn
from fastapi import FastAPI

from danlu.domain.errors import Unavailable
from danlu.domain.words import say
from danlu.ports.listeners import ListenerKeeper
from danlu.server.http.connections import BoundedHttp, Connections

GRACE_S = 2
_BACKLOG = 2048
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(
    app: FastAPI,
    host: str,
    port: int,
    *,
    on_ready: Callable[[int], None] = lambda _: None,
    stop: threading.Event | None = None,
    proxies: Sequence[str] = (),
    keeper: ListenerKeeper | None = None,
) -> None:
    """Serve until `stop` is set or, in the main thread, SIGINT or SIGTERM arrives; then return.

    `on_ready` gets the port (0 takes a free one). `proxies` are trusted to name the client's address. `keeper` holds
    the port when this process ends. Unavailable if the address cannot be bound."""
    listener = (keeper.find(host, port) if keeper else None) or _listen(host, port)
    listener.listen(_BACKLOG)
    if keeper:
        keeper.keep(host, listener)
    connections = Connections(app.state.bounds, proxies)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=cast(Any, functools.partial(BoundedHttp, connections=connections)),
        ws="auto",
        ws_max_size=1 << 20,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # Whoever is on this machine, a task for one, could name any address and dodge the sign-in limit: nobody is
        # believed but who is named.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=30,
    )
    logging.getLogger("uvicorn.error").addFilter(_not_a_refusal)
    server = _Server(config, on_ready, stop or threading.Event())
    try:
        server.run(sockets=[listener])
    finally:
        listener.close()


class _Server(uvicorn.Server):
    """uvicorn's server, which also ends its streams, stops on an event, and handles signals itself."""

    def __init__(
        self, config: uvicorn.Config, on_ready: Callable[[int], None], stop: threading.Event
    ) -> None:
        super().__init__(config)
        self._on_ready, self._stop = on_ready, stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            self._on_ready(sockets[0].getsockname()[1])

    async def on_tick(self, counter: int) -> bool:
        return self._stop.is_set() or await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app = self.config.app
        assert isinstance(app, FastAPI)
        app.state.streams.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (as uvicorn calls it)
        """The first signal asks for a graceful shutdown, the next for an immediate one."""
        self.force_exit = self.should_exit
        self.should_exit = True


def _not_a_refusal(record: logging.LogRecord) -> bool:
    """Filter a wrong log line: uvicorn treats a WebSocket that was refused with an HTTP answer as unfinished."""
    return record.msg != "ASGI callable returned without completing handshake."


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise Unavailable(
            say(
                "cannot listen on {host}:{port}: {strerror}; choose another address with --port or --host",
                "无法监听 {host}:{port}：{strerror}；请用 --port 或 --host 更换",
                host=host,
                port=port,
                strerror=error.strerror or error,
            )
        ) from error
    listener.set_inheritable(False)
    return listener
