"""`./dev up` and `./dev danlu`: make what is missing, then become the command."""

from __future__ import annotations

import os

from tools.dev.console import ensure_console
from tools.dev.places import VENV
from tools.dev.venv import ensure_venv


def run(habit: str, args: list[str]) -> int:
    if habit == "up":
        args = ["up", *args]
    ensure_venv("server")
    if args[:1] in (["up"], ["server"]):
        ensure_console()
    command = str(VENV / "bin" / "danlu")
    os.execv(command, [command, *args])
