"""What Danlu answers a task that fetches what it mounts: the manifest and contents, and what went wrong in one word."""

from __future__ import annotations

import contextlib
import http.client
import json
import struct
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, BinaryIO, Callable, Iterator, NamedTuple, Sequence

from danlu.ports.filling import REVOKED

PIECE = 1 << 17
_TIMEOUT_S = 60.0
_PASSES, _TOO_MANY = (408, 425), 429
BUSY = "busy"
"""Danlu has its hands full with others: that is no reason to give up."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 10.0
_HEAD = struct.Struct(">BQ")
_LONGEST_FAILURE = 1 << 16
_LONGEST_LINE = 1 << 16


class FillFailed(Exception):
    """It cannot be had: a code of domain.reasons.DatasetNotCopied or BucketNotCopied, and what there is to say."""

    def __init__(self, code: str, en: str = "", zh: str = "", size: int = 0, bound: int = 0) -> None:
        super().__init__(en or code)
        self.code, self.en, self.zh, self.size, self.bound = code, en, zh or en, size, bound


class FillTrouble(Exception):
    """This time it did not work; the next time it may."""

    def __init__(self, code: str, en: str, zh: str = "") -> None:
        super().__init__(en)
        self.code, self.en, self.zh = code, en, zh or en


class WantedFile(NamedTuple):
    """A line of the manifest that is a file, and from which byte on it is missing."""

    path: str
    tag: str
    size: int
    offset: int = 0


class Patience:
    """How long nothing may come before it is given up; shared by all who fetch."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._seconds, self._clock, self._sleep = seconds, clock, sleep
        self._came, self._wait = clock(), _FIRST_WAIT_S
        self._lock = threading.Lock()

    def came(self) -> None:
        """Something did."""
        with self._lock:
            self._came, self._wait = self._clock(), _FIRST_WAIT_S

    def bear(self, trouble: FillTrouble) -> None:
        """Wait a little longer each time; FillFailed once it was long enough."""
        with self._lock:
            if trouble.code == BUSY:
                self._came = self._clock()
            spent, wait = self._clock() - self._came, self._wait
            self._wait = min(2 * wait, _LONGEST_WAIT_S)
        if spent + wait > self._seconds:
            raise FillFailed(trouble.code, trouble.en, trouble.zh) from trouble
        self._sleep(wait)


class MountWire:
    """One of the mounts of the task's job, as Danlu hands it out. Any thread."""

    def __init__(self, url: str, token: str, number: int, patience: Patience) -> None:
        self._at = f"{url.rstrip('/')}/api/v1/task/mounts/{number}"
        self._token, self._patience = token, patience

    def manifest(self, after: str) -> Iterator[dict[str, Any]]:
        """Its lines behind a path, until the one that says that it was the last. FillTrouble where it breaks off."""
        query = urllib.parse.urlencode({"after": after}) if after else ""
        with self._asked("GET", f"manifest?{query}" if query else "manifest") as answer:
            while True:
                line = _line(answer)
                self._patience.came()
                if "failed" in line:
                    raise _failure(line["failed"])
                if line.get("end"):
                    return
                yield line

    def contents(
        self, wanted: Sequence[WantedFile], write: Callable[[WantedFile, bytes], None]
    ) -> Iterator[WantedFile]:
        """Each file whose content was handed to `write` to its end. FillTrouble where it breaks off."""
        body = json.dumps({"files": [list(one) for one in wanted]}, ensure_ascii=False).encode()
        with self._asked("POST", "contents", body) as answer:
            for one in wanted:
                kind, left = _HEAD.unpack(_exactly(answer, _HEAD.size))
                if kind:
                    raise _failure(json.loads(_exactly(answer, min(left, _LONGEST_FAILURE))))
                if left != one.size - one.offset:
                    raise FillTrouble("told", f"Danlu sent another length of '{one.path}' than it told")
                while left:
                    piece = answer.read(min(left, PIECE))
                    if not piece:
                        raise http.client.IncompleteRead(b"")
                    self._patience.came()
                    write(one, piece)
                    left -= len(piece)
                yield one

    @contextlib.contextmanager
    def _asked(self, method: str, what: str, body: bytes | None = None) -> Iterator[BinaryIO]:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "*/*"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self._at}/{what}", body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                yield answer
        except urllib.error.HTTPError as error:
            raise _refusal(request, error) from error
        except urllib.error.URLError as error:
            raise FillTrouble(
                "unreachable",
                f"Danlu does not answer at {_origin(request)}: {error.reason}",
                f"丹炉（{_origin(request)}）没有应答：{error.reason}",
            ) from error
        except (http.client.HTTPException, OSError, ValueError) as error:
            raise FillTrouble(
                "unreachable",
                f"the connection to Danlu at {_origin(request)} broke: {error!r}",
                f"与丹炉（{_origin(request)}）的连接中断：{error!r}",
            ) from error


def _line(answer: BinaryIO) -> dict[str, Any]:
    line = answer.readline(_LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise http.client.IncompleteRead(line[:100])
    told = json.loads(line)
    if not isinstance(told, dict):
        raise ValueError("a line that is no object")
    return told


def _exactly(answer: BinaryIO, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = answer.read(size - len(data))
        if not piece:
            raise http.client.IncompleteRead(data, size - len(data))
        data += piece
    return data


def _failure(told: Any) -> Exception:
    said = told if isinstance(told, dict) else {}
    code, en, zh = (str(said.get(name) or "") for name in ("code", "en", "zh"))
    if said.get("again"):
        return FillTrouble(code, en, zh)
    return FillFailed(code, en, zh, bound=int(said.get("bound") or 0))


def _refusal(request: urllib.request.Request, error: urllib.error.HTTPError) -> Exception:
    with error:
        try:
            told = json.loads(error.read(_LONGEST_FAILURE))
            en = str(told.get("detail") or error.reason)
            zh = str((told.get("text") or {}).get("zh") or en)
        except (ValueError, AttributeError, OSError, http.client.HTTPException):
            en = zh = str(error.reason)
    if error.code == _TOO_MANY:
        return FillTrouble(BUSY, en, zh)
    if error.code >= 500 or error.code in _PASSES:
        return FillTrouble(
            "unreachable",
            f"Danlu at {_origin(request)}: {error.code} {en}",
            f"丹炉（{_origin(request)}）：{error.code} {zh}",
        )
    return FillFailed(REVOKED if error.code == 403 else "told", en, zh)


def _origin(request: urllib.request.Request) -> str:
    return f"{request.type}://{request.host}"
