"""Where things are: in the checkout, and in the cache shared by all checkouts of one person."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSOLE = ROOT / "console"
CONSOLE_DIST = CONSOLE / "dist"
TESTS = ROOT / "tests"
STATE = ROOT / ".dev"
LOGS = STATE / "logs"


def cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "danlu"


def constraint(package: str) -> str:
    """The version that constraints.txt fixes for a package."""
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        name, _, version = line.partition("==")
        if name.strip().lower() == package:
            return version.split()[0]
    raise KeyError(f"constraints.txt does not pin a version of {package}")
