"""Addresses of NFS exports that volumes can be attached to: `nfs://host/export/folder`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from danlu.domain.words import BadValue, Words

NOBODY = 65534
"""Whom exports take for nobody: such a user reads what everybody may."""
USUAL_PORT = 2049
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:]{2,45}\]")
_NUMBER = re.compile(r"[0-9]{1,10}")
_LARGEST = 2**31 - 1
_LONGEST = 768


@dataclass(frozen=True, slots=True)
class ExportAddress:
    """An export or a folder of it, and as whom Danlu reads there: NFS takes a client's word for that."""

    host: str
    port: int
    path: str
    uid: int = NOBODY
    gid: int = NOBODY

    def __str__(self) -> str:
        port = "" if self.port == USUAL_PORT else f":{self.port}"
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"nfs://{shown}{port}{self.path}" + (
            f"?uid={self.uid}&gid={self.gid}" if self.is_somebody else ""
        )

    @property
    def is_somebody(self) -> bool:
        """Whether it reads as anybody but nobody."""
        return (self.uid, self.gid) != (NOBODY, NOBODY)

    @classmethod
    def parse(cls, address: str) -> ExportAddress:
        """BadValue."""
        scheme, _, rest = address.partition("://")
        there, _, asked = rest.partition("?")
        place, _, path = there.partition("/")
        host, port = _split(place)
        parts = [part for part in path.split("/") if part]
        if scheme != "nfs" or not _HOST.fullmatch(host) or not parts:
            raise BadValue(_BAD_ADDRESS)
        too_long = len(path.encode("utf-8", "replace")) > _LONGEST
        if too_long or not path.isprintable() or not {".", ".."}.isdisjoint(parts):
            raise BadValue(_BAD_PATH)
        who = _who(asked)
        return cls(
            host.strip("[]").lower(),
            port,
            "/" + "/".join(parts),
            who.get("uid", NOBODY),
            who.get("gid", NOBODY),
        )


def _split(place: str) -> tuple[str, int]:
    host, colon, port = place.rpartition(":")
    if not colon or place.endswith("]"):
        return place, USUAL_PORT
    if not _NUMBER.fullmatch(port) or not 0 < int(port) < 65536:
        raise BadValue(_BAD_ADDRESS)
    return host, int(port)


def _who(asked: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in asked.split("&") if asked else ():
        name, _, number = part.partition("=")
        known = name in ("uid", "gid") and name not in found
        if not known or not _NUMBER.fullmatch(number) or not 0 < int(number) <= _LARGEST:
            raise BadValue(_BAD_WHO.fill(largest=_LARGEST))
        found[name] = int(number)
    return found


_BAD_ADDRESS = Words(
    "write nfs://HOST/EXPORT or nfs://HOST:PORT/EXPORT/FOLDER",
    "请写成 nfs://主机/导出目录 或 nfs://主机:端口/导出目录/子目录",
)
_BAD_PATH = Words(
    "an export's path is names separated by /, without . and .., and 768 bytes at most",
    "导出路径是以 / 分隔的名称，不含 . 和 ..，最多 768 字节",
)
_BAD_WHO = Words(
    "after ? comes uid=NUMBER, gid=NUMBER or uid=NUMBER&gid=NUMBER, each 1 to {largest}",
    "? 之后为 uid=数字、gid=数字 或 uid=数字&gid=数字，取值 1–{largest}",
)
