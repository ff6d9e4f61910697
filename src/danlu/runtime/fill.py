"""Brings datasets and buckets to where a task will run, before it begins: `python3 -m danlu.runtime.fill`.

DANLU_MOUNTS says which of the job's mounts go where (JSON); they come from DANLU_URL by DANLU_TASK_TOKEN, and are given
up when nothing came for DANLU_PATIENCE seconds. How far it is is printed; what goes wrong is told in one line, which
Kubernetes hands on to Danlu. Both are JSON after a word."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any, Mapping

from danlu.ports import filling
from danlu.runtime.fetch import tell
from danlu.runtime.filling.filler import Filler, FillWish
from danlu.runtime.filling.wire import FillFailed, MountWire, Patience

_PATIENCE_S = 120.0
_LONGEST = 600
"""Characters of what is said: Kubernetes keeps 4,096 bytes of a container's last words."""
_ENDED_BY_SIGTERM = 128 + signal.SIGTERM


def main() -> int:
    # As process 1 of a container it would not hear of SIGTERM otherwise. Threads wait for answers; nobody for them.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(_ENDED_BY_SIGTERM))
    os.umask(0o022)
    for wish in wishes(os.environ):
        try:
            fill(os.environ, wish, float(os.environ.get("DANLU_PATIENCE") or _PATIENCE_S))
        except FillFailed as failure:
            tell(f"{filling.FAILED} {json.dumps(_told(wish, failure), ensure_ascii=False)}")
            os._exit(1)
    return 0


def wishes(env: Mapping[str, str]) -> list[FillWish]:
    return [FillWish(**one) for one in json.loads(env["DANLU_MOUNTS"])]


def fill(env: Mapping[str, str], wish: FillWish, patience_s: float = _PATIENCE_S) -> None:
    """FillFailed once nothing came for so many seconds, or at once where waiting does not help."""
    patience = Patience(patience_s)
    wire = MountWire(env["DANLU_URL"], env.get("DANLU_TASK_TOKEN", ""), wish.number, patience)
    Filler(wish, wire, patience, _Progress(wish).tell).fill()


class _Progress:
    """In tenths: each is an event."""

    def __init__(self, wish: FillWish) -> None:
        self._wish, self._told = wish, -1
        self._lock = threading.Lock()

    def tell(self, came: int, size: int) -> None:
        percent = 10 * min(10, 10 * came // size) if size else 100
        with self._lock:
            if percent <= self._told:
                return
            self._told = percent
            told = {"kind": self._wish.kind, "title": self._wish.title, "percent": percent, "size": size}
            print(f"{filling.PROGRESS} {json.dumps(told)}", flush=True)


def _told(wish: FillWish, failure: FillFailed) -> dict[str, Any]:
    return {
        "kind": wish.kind,
        "title": wish.title,
        "why": failure.code,
        "size": failure.size,
        "bound": failure.bound,
        "said": failure.en[:_LONGEST],
        "said_zh": failure.zh[:_LONGEST],
    }


if __name__ == "__main__":
    sys.exit(main())
