"""The repository's own files: what Git tracks or would track."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.dev.places import ROOT

NOT_OURS = {"node_modules", "dist", "__pycache__"}


def own_files(*suffixes: str, root: Path = ROOT) -> list[Path]:
    files = git_files(root)
    if files is None:
        files = list(walked_files(root))
    return sorted(file for file in files if not suffixes or file.name.endswith(suffixes))


def git_files(root: Path) -> list[Path] | None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    if listed.returncode:
        return None
    files = (root / name for name in listed.stdout.split("\0") if name)
    return [file for file in files if file.is_file()]  # a deletion not committed yet is listed too


def walked_files(root: Path) -> Iterator[Path]:
    """Without Git, as in an unpacked source archive."""
    for here, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_OURS and not name.startswith(".")]
        yield from (Path(here) / name for name in names)
