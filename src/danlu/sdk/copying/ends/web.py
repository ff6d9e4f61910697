"""A file of a web server: by ranges where it offers them, and of one version only."""

from __future__ import annotations

import os
import re
import socket
import ssl
from http.client import HTTPException
from typing import TYPE_CHECKING, Iterator
from urllib import error, parse, request

from danlu import __version__
from danlu.domain.words import Words, say
from danlu.sdk.copying.entries import CopyEntry, Seen, Wanted
from danlu.sdk.http.errors import NotAllowed, NotFound, SourceChanged, StoreFailed, StorePassing

if TYPE_CHECKING:
    from http.client import HTTPResponse

_SILENCE = 60
_SECOND = 1_000_000_000
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_PASSING = (408, 425, 429, 500, 502, 503, 504)


class WebEnd:
    """One address, which is one file. What the server says in answer to a first range is the version that is read."""

    def __init__(self, url: str) -> None:
        parts = parse.urlsplit(url)
        if parts.username or parts.password:
            raise NotAllowed(_NO_SECRETS)
        self.url = parse.urlunsplit(parts._replace(fragment=""))
        self.is_ranged = False
        self._entry: CopyEntry | None = None
        context = ssl.create_default_context(cafile=os.environ.get("DANLU_CA_FILE") or None)
        self._opener = request.build_opener(request.HTTPSHandler(context=context))

    def look(self, key: bytes) -> CopyEntry | None:
        if self._entry is None:
            with self.ask({"Range": "bytes=0-0"}) as answer:
                self._entry = self._read(key, answer)
        return self._entry

    def entries(self, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:  # noqa: ARG002
        if self._entry is not None:
            yield self._entry

    def known(self, entry: CopyEntry) -> CopyEntry:
        return entry

    def open(self, entry: CopyEntry) -> OpenedAddress:
        return OpenedAddress(self, entry)

    def close(self) -> None:
        self._opener.close()

    def ask(self, headers: dict[str, str]) -> HTTPResponse:
        sent = {"User-Agent": f"danlu/{__version__}", "Accept-Encoding": "identity", **headers}
        try:
            answer: HTTPResponse = self._opener.open(
                request.Request(self.url, headers=sent), timeout=_SILENCE
            )
        except error.HTTPError as why:
            with why:
                raise self._refused(why.code) from None
        except (OSError, HTTPException, ValueError) as why:
            raise self._failed(getattr(why, "reason", None) or why) from None
        return answer

    def _read(self, key: bytes, answer: HTTPResponse) -> CopyEntry:
        from email.utils import parsedate_to_datetime

        found = _RANGE.fullmatch(answer.getheader("Content-Range") or "")
        self.is_ranged = answer.status == 206 and found is not None
        length = found[3] if found else answer.getheader("Content-Length")
        told, modified = answer.getheader("Last-Modified"), None
        try:
            modified = int(parsedate_to_datetime(told).timestamp()) * _SECOND if told else None
        except (TypeError, ValueError):
            modified = None
        tag = answer.getheader("ETag") or ""
        # Only a strong tag says that bytes are the same; a date does, where there is none.
        version = tag if tag and not tag.startswith("W/") else told or ""
        size = int(length) if length and length.isdigit() else -1
        return CopyEntry(key, size, modified, step=_SECOND, tag=version)

    def _refused(self, status: int) -> Exception:
        if status in (401, 403):
            return NotAllowed(
                say(
                    "{url} does not let you in ({status})",
                    "{url} 拒绝访问（{status}）",
                    url=self.url,
                    status=status,
                )
            )
        if status in (404, 410):
            return NotFound(
                say(
                    "nothing is at {url} ({status})",
                    "{url} 处没有内容（{status}）",
                    url=self.url,
                    status=status,
                )
            )
        kind = StorePassing if status in _PASSING else StoreFailed
        return kind(
            say(
                "{url} answered with status {status}",
                "{url} 返回状态码 {status}",
                url=self.url,
                status=status,
            )
        )

    def _failed(self, why: object) -> StoreFailed:
        if isinstance(why, socket.gaierror):  # what the system says of it names nothing
            return StorePassing(
                say(
                    "{url}: no address is known of {host}; is it spelled right, and is this machine connected?",
                    "{url}：无法解析 {host} 的地址；请检查拼写和本机网络连接",
                    url=self.url,
                    host=parse.urlsplit(self.url).hostname or "",
                )
            )
        kind = StoreFailed if isinstance(why, (ssl.SSLCertVerificationError, ValueError)) else StorePassing
        return kind(say("{url}: {why}", "{url}：{why}", url=self.url, why=str(why) or type(why).__name__))


class OpenedAddress:
    def __init__(self, end: WebEnd, entry: CopyEntry) -> None:
        self.entry, self._end = entry, end

    def read(self, offset: int, length: int) -> bytes:
        if not length:
            return b""
        headers = {"Range": f"bytes={offset}-{offset + length - 1}"}
        if self.entry.tag:
            headers["If-Range"] = self.entry.tag
        with self._end.ask(headers) as answer:
            found = _RANGE.fullmatch(answer.getheader("Content-Range") or "")
            total = f"{self.entry.size}"
            if answer.status != 206 or found is None or found[3] != total or found[1] != str(offset):
                raise _changed()
            if self.entry.tag.startswith('"') and answer.getheader("ETag") != self.entry.tag:
                raise _changed()
            data = next(self._pieces(answer, length), b"")
        if len(data) != length:
            raise StorePassing(Words("the connection broke", "连接中断"))
        return data

    def stream(self, most: int) -> Iterator[bytes]:
        """All of it, from a server that knows no ranges: what breaks off begins anew the next time."""
        with self._end.ask({}) as answer:
            length, seen = answer.getheader("Content-Length"), 0
            for piece in self._pieces(answer, most):
                seen += len(piece)
                yield piece
            if length and seen != int(length):
                raise StoreFailed(_BROKE_OFF)

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass

    def _pieces(self, answer: HTTPResponse, most: int) -> Iterator[bytes]:
        while True:
            try:
                piece = answer.read(most)
            except (OSError, HTTPException) as why:
                raise StorePassing(say("the connection broke: {why}", "连接中断：{why}", why=why)) from None
            if not piece:
                return
            yield piece


def _changed() -> SourceChanged:
    return SourceChanged(
        Words(
            "it was changed while it was copied; run the command again",
            "复制期间文件被修改；请再次运行该命令",
        )
    )


_NO_SECRETS = Words(
    "an address with a password in it is not used: it would stand in histories and lists of processes",
    "不使用带密码的地址：它会出现在命令历史和进程列表中",
)
_BROKE_OFF = Words(
    "the connection broke, and the server offers no ranges to go on with; run the command again",
    "连接中断，且对方服务器不支持断点续传；请再次运行该命令",
)
