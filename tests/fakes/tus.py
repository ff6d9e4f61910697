"""A client of tus 1.0, for tests of uploads: as another program would speak it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator

import httpx

TYPE = "application/offset+octet-stream"


def metadata(**values: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


def checksum(data: bytes, algorithm: str = "sha256") -> str:
    return f"{algorithm} {base64.b64encode(hashlib.new(algorithm, data).digest()).decode()}"


class TusClient:
    """Speaks to one address of uploads, as somebody."""

    def __init__(self, client: httpx.Client, uploads: str, headers: dict[str, str]) -> None:
        self.client, self.uploads = client, uploads
        self.headers = {"Tus-Resumable": "1.0.0", **headers}

    def begin(self, path: str, size: int, data: bytes | None = None, **about: str) -> httpx.Response:
        more = {"Upload-Length": str(size), "Upload-Metadata": metadata(path=path, **about)}
        if data is not None:
            more["Content-Type"] = TYPE
        return self.client.post(self.uploads, headers={**self.headers, **more}, content=data)

    def offset(self, place: str) -> httpx.Response:
        return self.client.head(place, headers=self.headers)

    def send(
        self, place: str, offset: int, data: bytes | Iterable[bytes], check: str | None = None
    ) -> httpx.Response:
        more = {"Content-Type": TYPE, "Upload-Offset": str(offset)}
        if check is not None:
            more["Upload-Checksum"] = check
        return self.client.patch(place, headers={**self.headers, **more}, content=data)

    def give_up(self, place: str) -> httpx.Response:
        return self.client.delete(place, headers=self.headers)


def breaks_off(data: bytes, at: int) -> Iterator[bytes]:
    """A body whose connection breaks after so many bytes."""
    yield data[:at]
    raise ConnectionError("the cable was pulled")
