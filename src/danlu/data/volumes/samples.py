"""Writes a few files into a volume that was just made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from danlu.ports.files import PlaceBelow


def write_samples(place: PlaceBelow, files: Mapping[str, bytes]) -> None:
    """They belong to whom the volume belongs to."""
    top = Path(place.root) / os.fsdecode(place.path)
    owner = top.stat()
    for name, content in files.items():
        file = top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for made in top.rglob("*"):
        os.chown(made, owner.st_uid, owner.st_gid, follow_symlinks=False)
