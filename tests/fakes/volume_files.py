"""The files of a volume as they lie on this machine: its owner's, open to its group, closed to everybody else."""

from __future__ import annotations

import os
import struct
from pathlib import Path

_UNNAMED = 0xFFFF_FFFF
_OWNER, _GROUP, _OTHERS = 0x01, 0x04, 0x20
_DEFAULT = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", tag, rights, _UNNAMED) for tag, rights in ((_OWNER, 7), (_GROUP, 7), (_OTHERS, 0))
)
"""What is made in there is its group's to write, whatever the umask."""


def make_files(root: Path, volume_id: str, uid: int, gid: int, **files: str) -> Path:
    """`root` is the data directory's folder for volumes; these files are the owner's."""
    place = root / volume_id / "files"
    place.mkdir(parents=True)
    (root / volume_id).chmod(0o700)
    for name, text in files.items():
        (place / name).write_text(text)
        os.chown(place / name, uid, gid)
        (place / name).chmod(0o660)
    os.chown(place, uid, gid)
    place.chmod(0o2770)
    os.setxattr(place, "system.posix_acl_default", _DEFAULT)
    return place
