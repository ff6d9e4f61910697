"""What a launcher is known by."""

from __future__ import annotations

from pathlib import Path

from danlu import runtime
from danlu.ports.supervision import VERSION, fingerprint


def test_the_fingerprint_counts_every_file_of_the_runtime() -> None:
    files = list(Path(runtime.__file__).parent.rglob("*.py"))
    assert any(file.parent.name == "isolation" for file in files)
    version, count, _ = fingerprint().split("-")
    assert (version, int(count)) == (str(VERSION), len(files) + 9)  # and what it shares with the server
