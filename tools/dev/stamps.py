"""Stamps remember what something was made from, so that it is made again only when that changed."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.dev.places import STATE


def digest_of_text(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def digest_of_files(files: Iterable[Path], root: Path) -> str:
    """One digest over names and contents; the order in which the files are given does not matter."""
    digest = hashlib.sha256()
    for file in sorted(set(files)):
        name = file.relative_to(root).as_posix().encode()
        content = file.read_bytes()
        digest.update(len(name).to_bytes(8, "big") + name)
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()


def read_stamp(path: Path) -> dict[str, Any]:
    """What the stamp says; a missing or damaged stamp says nothing."""
    try:
        said = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def write_stamp(path: Path, said: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(said, indent=1) + "\n")
    beside.replace(path)


@contextmanager
def alone(name: str, *, among: Path = STATE) -> Iterator[None]:
    """Two terminals that make the same thing take turns; the second finds it made.

    `among` is the folder that they share: the checkout's own, or the cache for what all checkouts use."""
    among.mkdir(parents=True, exist_ok=True)
    with (among / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
