"""A command inside a running task: bytes both ways, and how it ended."""

from __future__ import annotations

import json
from typing import Any, Callable, Iterator

from danlu.domain.words import say
from danlu.sdk.http.errors import DanluError, Unreachable
from danlu.sdk.http.http import Http
from danlu.sdk.http.websocket import BINARY, Closed, WebSocket, open_websocket


class Exec:
    """A running command; iterate for its output, then read `exit_code`."""

    def __init__(self, socket: WebSocket, url: str) -> None:
        self._socket = socket
        self._url = url
        self.exit_code: int | None = None

    def __enter__(self) -> Exec:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        while self.exit_code is None:
            piece = self.receive()
            if piece:
                yield piece

    def fileno(self) -> int:
        return self._socket.fileno()

    def pending(self) -> bool:
        return self._socket.pending()

    def receive(self) -> bytes:
        """The next piece of output; b"" for a control message, after which `exit_code` may be set."""
        try:
            kind, payload = self._socket.receive()
        except Closed as why:
            broken = say("the connection to the task broke ({why})", "与子任务的连接中断（{why}）", why=why)
            raise Unreachable(self._url, broken) from why
        if kind == BINARY:
            return payload
        said: dict[str, Any] = json.loads(payload)
        if "error" in said:
            refused = DanluError(str(said["error"]))
            refused.text = said.get("text") or {}
            raise refused
        if "exit" in said:
            self.exit_code = int(said["exit"])
        return b""

    def send(self, data: bytes) -> None:
        self._send(lambda: self._socket.send(data))

    def eof(self) -> None:
        """No more input."""
        self._send(lambda: self._socket.send_text(json.dumps({"eof": True})))

    def resize(self, cols: int, rows: int) -> None:
        self._send(lambda: self._socket.send_text(json.dumps({"resize": [cols, rows]})))

    def close(self) -> None:
        self._socket.close()

    def _send(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Closed:
            # The command may have ended meanwhile: `receive` tells how.
            return


def open_exec(
    http: Http, path: str, command: list[str], task: str | None, tty: bool, cols: int, rows: int
) -> Exec:
    params = {
        "task": task,
        "tty": tty,
        "cols": cols,
        "rows": rows,
        "command": json.dumps(command) if command else None,
    }
    return Exec(open_websocket(http, path, params), http.target.url)
