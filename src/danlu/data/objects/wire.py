"""Requests to an S3 API: signed, tried again where that does no harm, bounded in time and size."""

from __future__ import annotations

import http.client
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from danlu.data.objects import refusals
from danlu.data.objects.signing import UNSIGNED, StoreRequest, digest_of, quoted, signed_headers
from danlu.data.outside import NetworkGuard
from danlu.domain.errors import BadAnswer, Unreachable
from danlu.domain.volumes.source import BucketAddress, Login

MOST_ANSWERED = 16 * 2**20
"""Bytes of an answer that is read whole, unless more were asked for."""
_SILENCE_S = 30.0
_WHOLE_S = 300.0
_TRIES = 3
_PAUSES_S = (0.1, 0.5)
_IDLE = 8
_IDLE_S = 20.0
_PIECE = 2**20
_AGAIN = frozenset({500, 502, 503, 504})
_BROKEN = (OSError, http.client.HTTPException)
_NO_HEADERS: Mapping[str, str] = {}


class StoreAnswer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Wire:
    """Connections to one bucket. Any thread; a connection is used by one at a time."""

    def __init__(self, address: BucketAddress, login: Login | None, guard: NetworkGuard) -> None:
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()
        self.address, self._login, self._guard = address, login, guard
        self._parts = urlsplit(address.endpoint)
        self._secure = self._parts.scheme == "https"
        self.host = host = self._parts.hostname or ""
        self.port = self._parts.port or (443 if self._secure else 80)
        # Some stores know a bucket by its name before theirs only: whoever writes that as the endpoint means it.
        self.root = "" if host.startswith(f"{address.bucket}.") else f"/{quoted(address.bucket)}"

    def ask(
        self,
        method: str,
        key: str = "",
        query: Mapping[str, str] = _NO_HEADERS,
        headers: Mapping[str, str] = _NO_HEADERS,
        body: bytes = b"",
        *,
        once: bool = False,
        most: int = MOST_ANSWERED,
    ) -> StoreAnswer:
        """A request and its whole answer, whose status is good. `once`: it is not sent a second time."""
        until = time.monotonic() + _WHOLE_S
        for pause in (*_PAUSES_S, None):
            last = once or pause is None
            try:
                with self._sent(method, key, query, headers, body, fresh=last) as response:
                    bound = most if response.status < 300 else MOST_ANSWERED
                    answer = StoreAnswer(response.status, response.headers, _whole(response, bound, until))
                if answer.status not in _AGAIN or last:
                    return self._good(answer)
            except _BROKEN:
                if last:
                    raise Unreachable(refusals.BROKEN.fill(host=self._parts.netloc)) from None
            time.sleep(pause or 0)
        raise AssertionError("the last try returns or raises")

    @contextmanager
    def open(
        self, key: str, headers: Mapping[str, str]
    ) -> Iterator[tuple[int, http.client.HTTPMessage, Iterator[bytes]]]:
        """A GET whose body comes piece by piece; OSError or HTTPException where it breaks off."""
        with self._sent("GET", key, _NO_HEADERS, headers, b"") as response:
            if response.status not in (200, 206):
                until = time.monotonic() + _SILENCE_S
                self._good(StoreAnswer(response.status, response.headers, _whole(response, 2**16, until)))
            yield response.status, response.headers, _pieces(response)

    def connect(self) -> None:
        """Find out whether anybody answers; what is connected serves the next request."""
        connection = self._connection(fresh=True)
        with self._lock:
            self._idle.append((time.monotonic(), connection))

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def __del__(self) -> None:
        """Stores are opened for a request, and nobody tells them that it is over."""
        self.close()

    def _good(self, answer: StoreAnswer) -> StoreAnswer:
        if 200 <= answer.status < 300:
            return answer
        raise refusals.refusal(answer.status, answer.headers, answer.body, self.address)

    @contextmanager
    def _sent(
        self,
        method: str,
        key: str,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        body: bytes,
        *,
        fresh: bool = False,
    ) -> Iterator[http.client.HTTPResponse]:
        path = f"{self.root}/{quoted(key, '/~')}" if key or not self.root else self.root
        digest = UNSIGNED if self._secure and body else digest_of(body)
        wish = StoreRequest(method, path, query, {**headers, "host": self._parts.netloc}, digest)
        signed = signed_headers(wish, self._login, self.address.region) if self._login else dict(wish.headers)
        connection = self._connection(fresh=fresh)
        try:
            connection.request(method, wish.target, body or None, signed)
            response = connection.getresponse()
            yield response
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, response)

    def _connection(self, *, fresh: bool) -> http.client.HTTPConnection:
        """One that was kept may be gone by now, which only those find out who can try again."""
        fresh_since = time.monotonic() - _IDLE_S
        with self._lock:
            while self._idle and not fresh:
                since, connection = self._idle.pop()
                if since > fresh_since:
                    return connection
                connection.close()
        host, port = self.host, self.port
        sock = self._guard.connect(host, port)
        sock.settimeout(_SILENCE_S)
        if self._secure:
            try:
                sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host)
            except ssl.SSLCertVerificationError as error:
                sock.close()
                why = error.verify_message[:200]
                raise Unreachable(refusals.CERTIFICATE.fill(host=host, why=why)) from None
            except OSError:
                sock.close()
                raise Unreachable(refusals.NO_TLS.fill(host=host, port=port)) from None
        connection = http.client.HTTPConnection(host, port)
        connection.sock = sock
        connection.auto_open = 0  # never by name behind the guard's back
        return connection

    def _give_back(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        """Only what was read to its end can be used again."""
        if not response.isclosed() or connection.sock is None or response.will_close:
            connection.close()
            return
        with self._lock:
            if len(self._idle) < _IDLE:
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()


def _whole(response: http.client.HTTPResponse, most: int, until: float) -> bytes:
    """To its end, so that the connection can be used again; BadAnswer beyond the bound."""
    pieces, size = [], 0
    for piece in _pieces(response):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise BadAnswer(refusals.TOO_MUCH)
        if time.monotonic() > until:
            raise TimeoutError("too slow")
    return b"".join(pieces)


def _pieces(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """http.client takes an early end for the end unless it is read by this."""
    left = response.length
    while piece := response.read1(_PIECE):
        if left is not None:
            left -= len(piece)
        yield piece
    if left:
        raise http.client.IncompleteRead(b"", left)
    response.close()
