"""SQLite databases with their tables in them: to make one costs more than most tests, to copy one costs nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from danlu.store.sql import SqlStore


def sqlite_at(path: Path) -> str:
    """The address of the database in this file; an empty one unless it is there already."""
    if not path.exists():
        path.touch(0o600)
        path.write_bytes(_empty())
    return f"sqlite:///{path}"


@cache
def _empty() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "danlu.db")
        SqlStore.open(f"sqlite:///{path}").close()
        return path.read_bytes()
