"""What a provider says holds only if it is the provider's own, for us, for now and for this journey."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from danlu.domain.errors import Unavailable, WrongCredentials
from danlu.files.oidc import OidcProvider
from danlu.server.http.journey import Journey
from danlu.server.http.provider import Provider

SECRET = "a secret that only the provider and Danlu know"
KEY, NEXT_KEY, FOREIGN_KEY = (RSAKey.generate_key(2048, {"kid": kid}) for kid in ("one", "two", "one"))


class Says:
    """What the provider answers; a test makes it lie."""

    issuer = ""
    token = ""
    keys = (KEY,)

    def at(self, path: str) -> dict[str, Any]:
        if path == "/token":
            return {"id_token": self.token, "access_token": "for userinfo"}
        if path == "/keys":
            return dict(KeySet(list(self.keys)).as_dict(private=False))
        if path == "/userinfo":
            return {"sub": "somebody else", "groups": ["administrators"]}
        ends = {"authorization": "/authorize", "token": "/token", "userinfo": "/userinfo"}
        found = {f"{name}_endpoint": self.issuer + end for name, end in ends.items()}
        return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", **found}


@contextmanager
def speaking(says: Says) -> Iterator[Provider]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = json.dumps(says.at(self.path)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 (the server looks for this name)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    says.issuer = f"http://127.0.0.1:{server.server_port}"
    try:
        yield Provider(OidcProvider(name="corp", issuer=says.issuer, client_id="danlu", client_secret=SECRET))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


JOURNEY = Journey.begin("corp", "/")


def claims(says: Says, **other: Any) -> dict[str, Any]:
    usual = {"iss": says.issuer, "sub": "4711", "aud": "danlu", "nonce": JOURNEY.nonce}
    said = {**usual, "exp": int(time.time()) + 300, **other}
    return {name: value for name, value in said.items() if value is not None}


def signed(claimed: dict[str, Any], key: RSAKey = KEY) -> str:
    return jwt.encode({"alg": "RS256", "kid": key.kid}, claimed, key)


def told(at: Provider) -> dict[str, Any]:
    return asyncio.run(at.claims("code", JOURNEY, "https://danlu.example/back"))


def test_what_the_provider_signed_for_us_holds() -> None:
    says = Says()
    with speaking(says) as at:
        says.token = signed(claims(says))
        found = told(at)
    assert found["sub"] == "4711"
    assert "groups" not in found, "what is said of somebody else is not said of them"


@pytest.mark.parametrize(
    "other",
    [
        {"nonce": "of another journey"},
        {"nonce": None},
        {"aud": "another application"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"sub": None},
    ],
    ids=lambda other: "-".join(f"{name}-{value}" for name, value in other.items()),
)
def test_what_was_said_to_others_or_before_does_not(other: dict[str, Any]) -> None:
    says = Says()
    with speaking(says) as at:
        says.token = signed(claims(says, **other))
        with pytest.raises(WrongCredentials, match="is not valid"):
            told(at)


def unsigned(claimed: dict[str, Any]) -> str:
    parts = (json.dumps(part).encode() for part in ({"alg": "none"}, claimed))
    return ".".join([*(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts), ""])


def signed_with_our_secret(claimed: dict[str, Any]) -> str:
    return jwt.encode({"alg": "HS256"}, claimed, OctKey.import_key(SECRET))


@pytest.mark.parametrize(
    "forge",
    [unsigned, signed_with_our_secret, lambda claimed: signed(claimed, FOREIGN_KEY), lambda _: "no token"],
    ids=["unsigned", "with our secret", "with a foreign key", "no token"],
)
def test_what_the_provider_did_not_sign_does_not(forge: Any) -> None:
    says = Says()
    with speaking(says) as at:
        says.token = forge(claims(says))
        with pytest.raises(WrongCredentials, match="is not valid"):
            told(at)


def test_a_new_key_of_the_provider_is_asked_for_when_it_is_needed() -> None:
    says = Says()
    with speaking(says) as at:
        says.token = signed(claims(says))
        told(at)
        says.keys, says.token = (NEXT_KEY,), signed(claims(says), NEXT_KEY)
        assert told(at)["sub"] == "4711"


def test_a_provider_that_calls_itself_otherwise_is_not_asked() -> None:
    says = Says()
    with speaking(says) as at:
        says.issuer = "https://evil.example"
        with pytest.raises(Unavailable, match="a different issuer"):
            told(at)
