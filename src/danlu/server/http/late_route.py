"""A route that FastAPI builds with its first request: building two hundred was a tenth of the start, and most rest."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from starlette.routing import BaseRoute, Match, Route, WebSocketRoute, compile_path
from starlette.types import Receive, Scope, Send

WEBSOCKET = "WS"


class LateRoute(BaseRoute):
    """Knows its address and method; whatever else there is to know, the route that `build` makes."""

    def __init__(self, method: str, path: str, build: Callable[[], Route | WebSocketRoute]) -> None:
        self.path, self._build = path, build
        self._kind = "websocket" if method == WEBSOCKET else "http"
        self.methods = frozenset() if method == WEBSOCKET else frozenset({method})
        self._beginning = path.partition("{")[0]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != self._kind or not self._is_at(scope["path"]):
            return Match.NONE, {}
        if self.methods and scope["method"] not in self.methods:
            return Match.PARTIAL, {"route": self}
        return self._built.matches(scope)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._built.handle(scope, receive, send)

    def _is_at(self, path: str) -> bool:
        if self._beginning == self.path:
            return path == self.path
        # Most requests are for something else: no pattern is compiled for them.
        return path.startswith(self._beginning) and self._pattern.match(path) is not None

    @functools.cached_property
    def _pattern(self) -> re.Pattern[str]:
        return compile_path(self.path)[0]

    @functools.cached_property
    def _built(self) -> Route | WebSocketRoute:
        return self._build()
