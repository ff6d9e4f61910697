"""News of tasks: heard by datagram, and looked for anyway."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from danlu.engines.local import watcher as module
from danlu.engines.local.watcher import Watcher
from danlu.ports import supervision


def test_the_round_comes_however_busy_the_socket_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words come in half of a round each, so that the socket never rests for a whole one."""
    now, heard = [0.0], threading.Event()
    monkeypatch.setattr(module, "_ROUND_S", 100.0)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    watcher = Watcher(tmp_path)
    watcher.listen(heard.set)
    try:
        watcher.take()
        rounds = []
        for at in range(5):
            now[0] = 50.0 * at
            with supervision.short_address(str(tmp_path / supervision.NOTIFY_SOCKET)) as address:
                supervision.send_datagram(address, b"job-1/worker-0")
            assert heard.wait(60)
            heard.clear()
            rounds.append(watcher.take())
        assert rounds == [({"job-1/worker-0"}, at in (2, 4)) for at in range(5)]
    finally:
        watcher.close()
