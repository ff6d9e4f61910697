"""Signatures of S3 requests, by the rules of AWS Signature 4."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote

from danlu.domain.volumes.source import Login

UNSIGNED = "UNSIGNED-PAYLOAD"
"""Of bodies that TLS guards on their way."""


class StoreRequest(NamedTuple):
    """A request before it is signed: `path` is quoted, `headers` are named in small letters, with the host."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    digest: str

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query_text}" if self.query else self.path

    @property
    def query_text(self) -> str:
        parts = ((quoted(name), quoted(value)) for name, value in self.query.items())
        return "&".join(f"{name}={value}" for name, value in sorted(parts))


def quoted(text: str, safe: str = "") -> str:
    return quote(text, safe=safe)


def digest_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def signed_headers(
    wish: StoreRequest, login: Login, region: str, now: datetime | None = None
) -> dict[str, str]:
    """All headers of the request, the signature among them."""
    moment = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    headers = {**wish.headers, "x-amz-date": moment, "x-amz-content-sha256": wish.digest}
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name].strip()}\n" for name in sorted(headers))
    canonical = f"{wish.method}\n{wish.path}\n{wish.query_text}\n{lines}\n{names}\n{wish.digest}"
    scope = f"{moment[:8]}/{region}/s3/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{digest_of(canonical.encode())}"
    key = f"AWS4{login.secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    who = f"AWS4-HMAC-SHA256 Credential={login.key}/{scope}, SignedHeaders={names}, Signature={signature}"
    return {**headers, "authorization": who}
