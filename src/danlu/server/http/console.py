"""The console's files: found, compressed as the client accepts, and cached."""

from __future__ import annotations

import html
import mimetypes
import re
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

import danlu
from danlu.domain.errors import NotFound
from danlu.domain.words import say
from danlu.server.http.problems import problem
from danlu.server.http.threads import Threads

CSP = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'"
)
_BASE = re.compile(r"<base\b[^>]*>")
_FOR_EVER = "public, max-age=31536000, immutable"
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Danlu</title>
<body><h1>Danlu</h1><p>The server runs, but its console is not built.</p>
<p>In a checkout, <code>./dev up</code> builds it; the command line and the API work without it.</p>
<p lang="zh">服务正在运行，但控制台尚未构建。</p>
<p lang="zh">在代码目录中运行 <code>./dev up</code> 即可构建；命令行与 API 无需控制台。</p>
"""


def find_console() -> Path | None:
    """The built console: inside the installed package, else in the checkout this runs from."""
    package = Path(danlu.__file__).resolve().parent
    places = (package / "server" / "static", package.parents[1] / "console" / "dist")
    return next((place for place in places if (place / "index.html").is_file()), None)


class Console:
    """Answers every path that no route handles: a file of the console, its first page, or 404."""

    def __init__(self, directory: Path | None, public_url: str | None, threads: Threads) -> None:
        self._threads = threads
        self._directory = directory.resolve() if directory else None
        path = urlsplit(public_url).path.rstrip("/") if public_url else ""
        self._base = f'<base href="{html.escape(path)}/">'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
            return
        request = Request(scope)
        path = scope["path"]
        if scope["method"] not in ("GET", "HEAD") or path == "/api" or path.startswith("/api/"):
            answer = problem(NotFound(say("nothing exists at {path}", "地址 {path} 不存在", path=path)))
        else:
            answer = await self._threads.for_anyone(
                self._answer, path, request.headers.get("accept-encoding", "")
            )
        if scope["method"] == "HEAD":
            answer.body = b""
        await answer(scope, receive, send)

    def _answer(self, path: str, accepted: str) -> Response:
        if self._directory is None or not (self._directory / "index.html").is_file():
            return HTMLResponse(_NOT_BUILT, 200, _page_headers())
        file = (self._directory / path.lstrip("/")).resolve()
        known = file.is_file() and file.is_relative_to(self._directory)
        if known and file.name != "index.html" and file.suffix not in (".br", ".gz"):
            return self._file(file, accepted)
        if path == "/index.html":
            return self._index()
        # The console's own addresses have no suffix; a missing file must not be answered with a page.
        if path.startswith("/assets/") or "." in path.rpartition("/")[2]:
            return problem(NotFound(say("there is no file {path}", "文件 {path} 不存在", path=path)))
        return self._index()

    def _index(self) -> Response:
        assert self._directory is not None
        page = (self._directory / "index.html").read_text("utf-8")
        if _BASE.search(page):
            page = _BASE.sub(self._base, page, count=1)
        else:
            page = page.replace("<head>", f"<head>{self._base}", 1)
        return HTMLResponse(page, 200, _page_headers())

    def _file(self, file: Path, accepted: str) -> Response:
        assert self._directory is not None
        lasting = file.is_relative_to(self._directory / "assets")
        headers = {
            "Cache-Control": _FOR_EVER if lasting else "no-cache",
            "Content-Security-Policy": CSP,
            "Vary": "Accept-Encoding",
        }
        media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        for encoding, suffix in _ENCODINGS:
            packed = file.with_name(file.name + suffix)
            if _accepts(accepted, encoding) and packed.is_file():
                return Response(
                    packed.read_bytes(), 200, {**headers, "Content-Encoding": encoding}, media_type
                )
        return Response(file.read_bytes(), 200, headers, media_type)


def _page_headers() -> dict[str, str]:
    return {"Cache-Control": "no-cache", "Content-Security-Policy": CSP}


def _accepts(accepted: str, encoding: str) -> bool:
    for part in accepted.lower().split(","):
        name, _, quality = part.strip().partition(";")
        if name.strip() == encoding:
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
