"""The supervisor's record of its task: records on disk, and a datagram to the listener."""

from __future__ import annotations

import errno
import json
import re
import time
from typing import Any

from danlu.ports import supervision
from danlu.runtime.recording.appender import Appender

_ANNOUNCE_AGAIN = 0.02
_LAST_WORD = 2.0
_CREDENTIALS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)[^/\s'\"]*@")
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


class Status:
    """Appends to status.jsonl, after so many records. The current directory is the task's, so that addresses stay
    short."""

    def __init__(self, name: str, notify: str, after: int = 0) -> None:
        self.file = Appender(supervision.STATUS_FILE)
        self._name = name.encode()
        self._notify = notify
        self._seq = after
        self._unheard = False

    def record(self, event: str, **fields: Any) -> None:
        self._seq += 1
        head = {"v": supervision.VERSION, "seq": self._seq, "time": int(time.time() * 1000), "event": event}
        head.update(_fit_to_show(fields))
        line = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
        self.file.write(line.encode() + b"\n")
        self.announce()

    def record_surely(self, event: str, **fields: Any) -> None:
        """Return only when the record is on disk, however long that takes."""
        self.record(event, **fields)
        while not self.file.flush():
            time.sleep(1.0)
        self.file.sync()
        self.announce()

    def announce(self) -> None:
        """Tell the listener to read. Nobody there is fine; one whose queue is full is told again later."""
        try:
            supervision.send_datagram(self._notify, self._name)
            self._unheard = False
        except OSError as error:
            self._unheard = error.errno == errno.EAGAIN

    def next_announcement(self) -> float | None:
        """Seconds until `announce` should be tried again, if it should."""
        return _ANNOUNCE_AGAIN if self._unheard else None

    def say_last_word(self) -> None:
        deadline = time.monotonic() + _LAST_WORD
        while self._unheard and time.monotonic() < deadline:
            time.sleep(_ANNOUNCE_AGAIN)
            self.announce()


def _fit_to_show(value: Any) -> Any:
    """Texts as everybody may read them: no passwords in addresses, and nothing but whole characters."""
    if isinstance(value, str):
        return _CREDENTIALS.sub(r"\1", _HALF_CHARACTERS.sub("\ufffd", value))
    if isinstance(value, dict):
        return {key: _fit_to_show(item) for key, item in value.items()}
    return [_fit_to_show(item) for item in value] if isinstance(value, list) else value
