"""Files that several processes share and the first of them creates."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def made_once(path: Path, content: Callable[[], bytes]) -> bytes:
    """The content of the file, created by the first caller, readable by its owner alone; written atomically."""
    if not path.exists():
        _make(path, content())
    return path.read_bytes()


def _make(path: Path, content: bytes) -> None:
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)  # unlike a rename, it leaves alone what another process was quicker to make
    finally:
        os.unlink(draft)
