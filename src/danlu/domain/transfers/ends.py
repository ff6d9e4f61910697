"""Ends of transfers as people write them: VOLUME:/path, OWNER:VOLUME:/path, https://…, git+https://…"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from danlu.domain.file_names import BadPath, escaped_path, path_of
from danlu.domain.transfers.transfer import TransferEnd
from danlu.domain.words import BadValue, Words

LONGEST_END = 8192
_PLACE = re.compile(r"((?:[a-z][a-z0-9_-]*:)?[A-Za-z0-9][A-Za-z0-9._-]*):(/.*)", re.DOTALL)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_GIT = "git+"
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,252}[a-z0-9_])?\.?|[0-9a-f:.]+")


def read_end(text: str) -> TransferEnd:
    """BadValue where it is none."""
    if _SCHEME.match(text):
        return _url(text)
    found = _PLACE.fullmatch(text)
    if found is None:
        raise BadValue(_NO_END.fill(end=text[:200]))
    try:
        path = path_of(found[2].lstrip("/"))
    except BadPath:
        raise BadValue(_NO_PATH.fill(end=text[:200])) from None
    return TransferEnd(TransferEnd.VOLUME, found[1], path, found[1], folder=not path or text.endswith("/"))


def show_end(end: TransferEnd) -> str:
    """As `read_end` reads it."""
    if end.kind == TransferEnd.RECIPE:
        return f"{end.kind}:{end.address}"
    if end.kind not in (TransferEnd.VOLUME, TransferEnd.JOB):
        return _GIT + end.address if end.kind == TransferEnd.GIT else end.address
    slash = "/" if end.folder and end.path else ""
    return f"{end.title}:/{escaped_path(end.path)}{slash}"


def without_secrets(end: TransferEnd) -> str:
    """For records that others read: what follows the ? of a URL may be a signature."""
    return show_end(end).partition("?")[0]


def _url(text: str) -> TransferEnd:
    git = text.lower().startswith(_GIT)
    address = text[len(_GIT) :] if git else text
    try:
        parts = urlsplit(address)
        port_is_fine = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise BadValue(_NO_URL.fill(end=text[:200])) from None
    if parts.scheme.lower() not in ("http", "https"):
        raise BadValue((_BUCKET if parts.scheme.lower() == "s3" else _NO_URL).fill(end=text[:200]))
    if not parts.hostname or not port_is_fine or any(one <= " " or one == "\x7f" for one in text):
        raise BadValue(_NO_URL.fill(end=text[:200]))
    netloc = parts.netloc if _HOST.fullmatch(parts.hostname) else _plain_host(text, parts)
    if parts.username is not None or parts.password is not None:
        raise BadValue(_LOGIN_INSIDE)
    kept = urlunsplit((parts.scheme.lower(), netloc, parts.path, parts.query, ""))
    return TransferEnd(TransferEnd.GIT if git else TransferEnd.WEB, kept)


def _plain_host(text: str, parts: SplitResult) -> str:
    """As the resolver has it, so that all who read the address mean the same host: what was checked is what is
    connected to. Programs differ in what they make of letters beyond ASCII and of %."""
    try:
        host = (parts.hostname or "").encode("idna").decode().lower()
    except UnicodeError:
        host = ""
    if not _HOST.fullmatch(host) or parts.username is not None:
        raise BadValue(_LOGIN_INSIDE if parts.username is not None else _NO_URL.fill(end=text[:200]))
    return host if parts.port is None else f"{host}:{parts.port}"


_NO_END = Words(
    "'{end}' is no place; write VOLUME:/path, OWNER:VOLUME:/path, https://HOST/FILE or git+https://HOST/REPOSITORY",
    "“{end}”不是有效的位置；请写作 VOLUME:/path、OWNER:VOLUME:/path、https://主机/文件 或 git+https://主机/仓库",
)
_NO_PATH = Words("'{end}' leads out of the volume, or is too long", "“{end}”超出了存储卷的范围，或过长")
_NO_URL = Words(
    "'{end}' is no address that can be transferred from: http://, https://, git+http:// or git+https://, and a host",
    "“{end}”不是可传输的地址：应为 http://、https://、git+http:// 或 git+https:// 加主机名",
)
_BUCKET = Words(
    "'{end}' is in a bucket: attach the bucket as a volume (danlu volume attach), then write VOLUME:/path",
    "“{end}”位于存储桶中：请先将存储桶接入为存储卷（danlu volume attach），然后写作 VOLUME:/path",
)
_LOGIN_INSIDE = Words(
    "a login does not belong into an address, where everybody reads it; give it apart, as login",
    "登录凭据不应写在地址中，以免被他人看到；请另行提供",
)
