"""From a task's pipes into its log."""

import os
import select

from danlu.runtime.recording.log import Log


def test_a_last_line_without_an_end_is_kept(tmp_path):
    reader, writer = os.pipe()
    log = Log(str(tmp_path / "log"))
    log.open(reader, "o")
    os.write(writer, b"first\nlast words")
    os.close(writer)
    while log.fds:
        log.read(reader, select.POLLHUP)
    texts = [line.split(b" ", 2)[2] for line in (tmp_path / "log").read_bytes().splitlines()]
    assert texts == [b"first", b"last words"]
