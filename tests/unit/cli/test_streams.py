"""Standard output and standard error as other programs see them: pipes, and both ends in one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.fakes.http_server import FakeServer

COMMAND = [sys.executable, "-m", "danlu.cli.main"]


def test_a_reader_that_leaves_early_is_no_failure(server: FakeServer):
    lines = [{"offset": number, "time": 0, "stream": "o", "text": "x" * 100} for number in range(10_000)]
    server.on("GET", "jobs/train", {"id": "j1", "name": "train", "state": "running", "nodes": 1})
    server.on("GET", "jobs/j1/logs", {"lines": lines, "next_offset": 9, "end": True})
    child = subprocess.Popen(
        [*COMMAND, "logs", "train"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert (child.wait(30), said) == (0, b"")


@pytest.mark.parametrize("speaker", ["danlu.cli.session.note", "danlu.cli.shared.failures.complain"])
def test_remarks_come_after_what_was_printed_before_them(speaker: str):
    module, _, name = speaker.rpartition(".")
    script = f"import sys; from {module} import {name} as say; sys.stdout.write('line\\n'); say('remark')"
    both = subprocess.run(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
    )
    assert both.stdout.splitlines()[0] == "line"
    assert both.stdout.endswith("remark\n")
