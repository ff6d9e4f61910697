"""The state of a sign-in through a provider, kept in the browser."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import asdict, dataclass

from danlu.domain.errors import WrongCredentials
from danlu.domain.words import Words

LEEWAY_S = 60
_JOURNEY_S = 600


@dataclass(frozen=True, slots=True)
class Journey:
    """What the browser keeps while the person is at the provider; signed, so that nobody can forge it."""

    provider: str
    state: str
    nonce: str
    verifier: str
    next: str
    began: int

    @classmethod
    def begin(cls, provider: str, next_: str) -> Journey:
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return cls(provider, state, nonce, verifier, next_, int(time.time()))

    def packed(self, key: bytes) -> str:
        body = base64.urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode()
        return f"{body}.{_seal(key, body)}"

    @classmethod
    def unpacked(cls, text: str, key: bytes) -> Journey:
        """WrongCredentials if it was not signed here, or too long ago."""
        body, _, seal = text.partition(".")
        if not hmac.compare_digest(seal.encode(), _seal(key, body).encode()):
            raise WrongCredentials(
                Words(
                    "this sign-in was started in another browser, or cookies are disabled; start again",
                    "登录是在另一个浏览器中开始的，或 Cookie 被禁用，请重新开始",
                )
            )
        journey = cls(**json.loads(base64.urlsafe_b64decode(body)))
        if not 0 <= time.time() - journey.began + LEEWAY_S <= _JOURNEY_S + LEEWAY_S:
            raise WrongCredentials(Words("signing in took too long; start again", "登录用时过长，请重新开始"))
        return journey


def _seal(key: bytes, body: str) -> str:
    return hmac.new(key, b"journey:" + body.encode(), hashlib.sha256).hexdigest()
