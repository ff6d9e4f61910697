"""Addresses outside that volumes can be attached to: `s3://bucket/prefix` at an endpoint, and those of exports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.words import BadValue, Words

_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,45}")
_REGION = re.compile(r"[A-Za-z0-9-]{1,64}")
LONGEST_KEY = 1024
"""Bytes of an object's name, as S3 has it."""
USUAL_REGION = "us-east-1"


@dataclass(frozen=True, slots=True)
class Login:
    """What Danlu signs in with at an address; its secret is in no representation."""

    key: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BucketAddress:
    """A part of a bucket. `prefix` is empty or ends with a slash; `endpoint` is where its S3 API is."""

    bucket: str
    prefix: str
    endpoint: str
    region: str = USUAL_REGION

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"

    @classmethod
    def parse(cls, address: str, endpoint: str = "", region: str = "") -> BucketAddress:
        """BadValue; without an endpoint it is Amazon's of the region."""
        scheme, _, rest = address.partition("://")
        bucket, _, prefix = rest.partition("/")
        if scheme != "s3" or not _BUCKET.fullmatch(bucket):
            raise BadValue(_BAD_BUCKET)
        parts = [part for part in prefix.split("/") if part]
        too_long = len(prefix.encode("utf-8", "replace")) > LONGEST_KEY - 256
        if too_long or not prefix.isprintable() or not {".", ".."}.isdisjoint(parts):
            raise BadValue(_BAD_PREFIX)
        region = region or USUAL_REGION
        if not _REGION.fullmatch(region):
            raise BadValue(_BAD_REGION)
        there = checked_endpoint(endpoint) if endpoint else f"https://s3.{region}.amazonaws.com"
        return cls(bucket, "".join(f"{part}/" for part in parts), there, region)


def checked_endpoint(text: str) -> str:
    """`http(s)://host[:port]`; BadValue. A login in it would be shown to everybody who sees the address."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadValue(_BAD_ENDPOINT) from None
    host = parts.hostname or ""
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host) or more or not text.isprintable():
        raise BadValue(_BAD_ENDPOINT)
    shown = f"[{host}]" if ":" in host else host.lower()
    return f"{parts.scheme}://{shown}" + (f":{port}" if port is not None else "")


@dataclass(frozen=True, slots=True)
class VolumeOutside:
    """Where the data of an attached volume is. With `private` it is its owner's alone, whoever asks; without `writable`
    nobody writes there through Danlu."""

    address: str
    endpoint: str = ""
    region: str = ""
    writable: bool = False
    private: bool = True

    @property
    def bucket(self) -> BucketAddress:
        return BucketAddress.parse(self.address, self.endpoint, self.region)

    @property
    def place(self) -> BucketAddress | ExportAddress:
        return ExportAddress.parse(self.address) if self.address.startswith("nfs:") else self.bucket


_BAD_BUCKET = Words(
    "write s3://BUCKET or s3://BUCKET/PREFIX; a bucket has 3 to 63 of a–z, 0–9, '.', '-' and '_'",
    "请写成 s3://存储桶 或 s3://存储桶/前缀；存储桶名称为 3–63 个小写字母、数字、“.”、“-”或“_”",
)
_BAD_PREFIX = Words(
    "a prefix is names separated by /, without . and .., and 768 bytes at most",
    "前缀是以 / 分隔的名称，不含 . 和 ..，最多 768 字节",
)
_BAD_REGION = Words(
    "a region is 1 to 64 letters, digits and '-', for example us-east-1",
    "区域为 1–64 个字母、数字或“-”，例如 us-east-1",
)
_BAD_ENDPOINT = Words(
    "write http(s)://HOST or http(s)://HOST:PORT, without a path and without a login",
    "请写成 http(s)://主机 或 http(s)://主机:端口，不带路径和登录凭据",
)
