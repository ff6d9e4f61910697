"""A web server on loopback with files in memory, that cuts, lies, stalls and changes as a test says."""

from __future__ import annotations

import contextlib
import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_PIECE = 1 << 16


@dataclass
class Served:
    """A file. `cut_after`: how many bytes the next answers carry before the connection ends, one number for each of
    them; `gate`: nothing beyond `gate_at` comes before it is set."""

    data: bytes
    etag: str = ""
    modified: str = ""
    ranges: bool = True
    login: str = ""
    cut_after: list[int] = field(default_factory=list)
    gate: threading.Event | None = None
    gate_at: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    length: int | None = None
    asked: list[str] = field(default_factory=list)
    """The ranges that were asked for."""

    def __post_init__(self) -> None:
        self.etag = self.etag or f'"{hashlib.sha256(self.data).hexdigest()[:16]}"'

    def becomes(self, data: bytes) -> None:
        self.data = data
        self.etag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'


@dataclass
class WebPlace:
    url: str
    files: dict[str, Served]
    posts: dict[str, object] = field(default_factory=dict)


@contextlib.contextmanager
def web_place(host: str = "127.0.0.1") -> Iterator[WebPlace]:
    files: dict[str, Served] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            one = files.get(self.path.partition("?")[0])
            if one is None:
                self._plain(404)
            elif one.login and self.headers.get("Authorization") != one.login:
                self._plain(401)
            elif one.status != 200:
                self._plain(one.status, one.headers)
            else:
                self._serve(one)

        def _plain(self, status: int, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _serve(self, one: Served) -> None:
            data, begin = one.data, 0
            one.asked.append(self.headers.get("Range", ""))
            wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            same = self.headers.get("If-Range", one.etag) == one.etag
            if wanted and one.ranges and same:
                begin = int(wanted[1])
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
            else:
                self.send_response(200)
            length = one.length if one.length is not None else len(data)
            self.send_header("Content-Length", str(length - begin))
            self.send_header("ETag", one.etag)
            if one.modified:
                self.send_header("Last-Modified", one.modified)
            for name, value in one.headers.items():
                self.send_header(name, value)
            self.end_headers()
            end = begin + one.cut_after.pop(0) if one.cut_after else len(data)
            with contextlib.suppress(OSError):
                self._write(one, data, begin, min(end, len(data)))
            if end < len(data) or one.length is not None:
                self.close_connection = True

        def _write(self, one: Served, data: bytes, begin: int, end: int) -> None:
            for at in range(begin, end, _PIECE):
                if one.gate is not None and at >= one.gate_at:
                    one.gate.wait()
                self.wfile.write(data[at : min(at + _PIECE, end)])

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield WebPlace(f"http://{host}:{server.server_address[1]}", files)
    finally:
        for one in files.values():
            if one.gate is not None:
                one.gate.set()
        server.shutdown()
        server.server_close()
        thread.join()
