"""News of tasks: heard by datagram, and looked for anyway."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from danlu.engines.local import watcher as module
from danlu.engines.local.watcher import Watcher
from danlu.ports import supervision


def test_the_round_comes_however_busy_the_socket_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROUND_S", 0.1)
    watcher = Watcher(tmp_path)
    try:
        watcher.take()
        rounds = 0
        deadline = time.monotonic() + 10
        while rounds < 2 and time.monotonic() < deadline:
            with supervision.short_address(str(tmp_path / supervision.NOTIFY_SOCKET)) as address:
                supervision.send_datagram(address, b"job-1/worker-0")
            time.sleep(0.01)
            rounds += watcher.take()[1]
        assert rounds == 2
    finally:
        watcher.close()
