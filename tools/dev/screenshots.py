"""`./dev screenshots`: have what the pictures need, then take them."""

from __future__ import annotations

import subprocess

from tools.dev.console import ensure_console
from tools.dev.places import PYTHON, ROOT
from tools.dev.system import BUBBLEWRAP, CHROMIUM, FONTS, ensure_needs
from tools.dev.venv import ensure_venv


def run(_habit: str, args: list[str]) -> int:
    ensure_venv("server", "dev")
    ensure_needs((CHROMIUM, FONTS, BUBBLEWRAP))
    ensure_console()
    return subprocess.call([PYTHON, "-m", "tools.screens", *args], cwd=ROOT)
