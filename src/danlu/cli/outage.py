"""A server that goes away while we listen: reported once per outage."""

from __future__ import annotations

import contextlib
import time
from http.client import HTTPResponse
from typing import Callable, Iterator, Mapping, TypeVar

from danlu.cli.words import spoken
from danlu.domain.words import Words
from danlu.sdk.http.config import Target
from danlu.sdk.http.errors import Unavailable, Unreachable
from danlu.sdk.http.http import Http, Params

LOST = Words("connection lost, waiting…", "连接中断，正在等待恢复…")
# Shorter breaks are nobody's concern: the stream resumes where it was.
WORTH_SAYING = 2.0


T = TypeVar("T")


def later(look: Callable[[], T], seconds: float, say: Callable[[str], None]) -> T:
    """What a look finds after a pause, or when the server is back; an outage is reported once."""
    lost = False
    while True:
        time.sleep(seconds)
        try:
            return look()
        except (Unreachable, Unavailable):
            if not lost:
                say(spoken(LOST))
            lost = True


class Outage:
    """When the server first did not answer, and whether that was reported. Streams share one."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say = say
        self._clock = clock
        self._since: float | None = None
        self._said = False

    def failed(self) -> None:
        if self._since is None:
            self._since = self._clock()
        if not self._said and self._clock() - self._since >= WORTH_SAYING:
            self._said = True
            self._say(spoken(LOST))

    def over(self) -> None:
        self._since = None
        self._said = False


class WatchedHttp(Http):
    """A connection whose streams report when they cannot be opened, and when they can again."""

    def __init__(self, target: Target, timeout: float, outage: Outage) -> None:
        super().__init__(target, timeout)
        self._outage = outage

    @contextlib.contextmanager
    def stream(
        self,
        path: str,
        params: Params | None = None,
        timeout: float = 60,
        last_id: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[HTTPResponse]:
        with contextlib.ExitStack() as stack:
            try:
                response = stack.enter_context(super().stream(path, params, timeout, last_id, headers))
            except (Unreachable, Unavailable):
                self._outage.failed()
                raise
            self._outage.over()
            yield response
