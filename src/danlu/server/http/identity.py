"""Who the caller is: by bearer token or browser session, cached for a moment."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from danlu.control.people.sign_in import Authentication
from danlu.domain.errors import NotAllowed, NotSignedIn
from danlu.domain.people import Session
from danlu.domain.permissions import Caller
from danlu.domain.words import Words, say
from danlu.server.http.cookies import SESSION_COOKIE, cookie_name, is_secure

CSRF_HEADER = "x-csrf-token"
_REMEMBER_S = 1.0
_MOST = 2_000
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class SignedInCaller:
    """A caller, and their browser session if they have one."""

    caller: Caller
    session: Session | None = None


class Identity:
    """Identifies callers. The cache lives for a second; `forget` empties it at once."""

    def __init__(
        self,
        people: Authentication,
        public_url: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._people, self._clock = people, clock
        self._public_url = public_url
        self._public = urlsplit(public_url).netloc if public_url else None
        self._known: dict[str, tuple[float, SignedInCaller]] = {}
        self._turn = 0
        self._changes: Counter[str | None] = Counter()
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    async def of(self, connection: HTTPConnection) -> SignedInCaller:
        """The caller; NotSignedIn without credentials, NotAllowed when another site made their browser send the
        request."""
        means, secret = self._credential(connection)
        if not secret:
            raise NotSignedIn(
                Words(
                    "send a token (Authorization: Bearer danlu_…) or sign in",
                    "请发送令牌（Authorization: Bearer danlu_…）或登录",
                )
            )
        key = f"{means}:{hashlib.sha256(secret.encode()).hexdigest()}"
        found = self._known.get(key)
        if found is not None and self._clock() < found[0]:
            known = found[1]
        else:
            turn = self._turn
            known = await run_in_threadpool(self._look_up, means, secret)
            self._remember(key, known, turn)
        if known.session is not None:
            self._refuse_strangers(connection, known.session)
        address = connection.client.host if connection.client else ""
        return SignedInCaller(replace(known.caller, address=address), known.session)

    def changes_of(self, name: str) -> int:
        """A number that changes whenever their permissions may have changed."""
        return self._changes[name] + self._changes[None]

    def forget(self, name: str | None = None) -> None:
        """Somebody's permissions changed (without a name, perhaps everybody's): ask the store again. Any thread."""
        with self._lock:
            self._turn += 1
            self._changes[name] += 1
            self._known.clear()
        for listener in self._listeners:
            listener()

    def changed(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever somebody's permissions changed, in the thread that reports it."""
        self._listeners.append(listener)

    def check_origin(self, connection: HTTPConnection, *, needed: bool = False) -> None:
        """Check the Origin that the browser sends; requests from other sites are refused."""
        origin = connection.headers.get("origin")
        if origin is None and not needed:
            return
        site = urlsplit(origin or "").netloc
        if not site or site not in (connection.headers.get("host"), self._public):
            unknown = Words("an unknown site", "未知站点")
            raise NotAllowed(
                say(
                    "requests from {origin} are not accepted; see public_url",
                    "不接受来自 {origin} 的请求，参见设置 public_url",
                    origin=origin or unknown,
                )
            )

    def _credential(self, connection: HTTPConnection) -> tuple[str, str]:
        scheme, _, rest = connection.headers.get("authorization", "").partition(" ")
        if scheme:
            return "bearer", rest.strip() if scheme.lower() == "bearer" else ""
        name = cookie_name(SESSION_COOKIE, is_secure(connection, self._public_url))
        return "session", connection.cookies.get(name, "")

    def _look_up(self, means: str, secret: str) -> SignedInCaller:
        if means == "bearer":
            return SignedInCaller(self._people.bearer(secret))
        session, caller = self._people.session(secret)
        return SignedInCaller(caller, session)

    def _remember(self, key: str, known: SignedInCaller, turn: int) -> None:
        with self._lock:
            # Do not cache what was looked up before somebody's permissions changed.
            if turn != self._turn:
                return
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[key] = (self._clock() + _REMEMBER_S, known)

    def _refuse_strangers(self, connection: HTTPConnection, session: Session) -> None:
        if connection.scope["type"] == "websocket":
            self.check_origin(connection, needed=True)
        elif connection.scope["method"] not in _SAFE:
            self.check_origin(connection)
            if connection.headers.get(CSRF_HEADER) != session.csrf:
                raise NotAllowed(
                    Words(
                        "the X-CSRF-Token header is missing or wrong; GET session returns the right one",
                        "缺少 X-CSRF-Token 请求头或其值有误；可通过 GET session 获得",
                    )
                )


class Recheck:
    """When to check a connected caller again: at intervals, and when their permissions may have changed."""

    def __init__(self, identity: Identity, name: str) -> None:
        self._identity, self._name, self._looked = identity, name, (-1, 0.0)

    def due(self, every: float) -> bool:
        """Whether to check now; true at first. A caller who gets true must check."""
        changes, at = self._looked
        now, known = time.monotonic(), self._identity.changes_of(self._name)
        if known == changes and now - at < every:
            return False
        self._looked = (known, now)
        return True
