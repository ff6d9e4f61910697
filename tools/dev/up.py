"""`./dev up` and `./dev danlu`: make what is missing, then become the command."""

from __future__ import annotations

import os
import sys

from tools.dev.console import ensure_console
from tools.dev.places import VENV
from tools.dev.steps import StepFailed
from tools.dev.system import BUBBLEWRAP, can_install, ensure_needs
from tools.dev.venv import ensure_venv


def run(habit: str, args: list[str]) -> int:
    if habit == "up":
        args = ["up", *args]
    ensure_venv("server")
    if args[:1] in (["up"], ["server"]):
        ensure_console()
    if args[:1] in (["up"], ["controller"]):
        offer_sandbox()
    os.environ["DANLU_COMMAND"] = "./dev danlu"  # what is printed to be typed works as it stands
    command = str(VENV / "bin" / "danlu")
    os.execv(command, [command, *args])


def offer_sandbox() -> None:
    """As root tasks start only in a sandbox: install bubblewrap where it is missing, asking if there is anybody to ask.

    Danlu starts without it too, and says what is missing."""
    if BUBBLEWRAP.is_there() or not can_install():
        return
    if sys.stdin.isatty():
        print("Danlu runs people's jobs in sandboxes; for that it needs bubblewrap, which is not installed.")
        if input("Install it now with apt-get? [Y/n] ").strip().lower() not in ("", "y", "yes"):
            return
    try:
        ensure_needs([BUBBLEWRAP])
    except StepFailed:
        print("bubblewrap could not be installed: jobs will not start until it is.", file=sys.stderr)
