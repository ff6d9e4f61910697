"""`./dev lock`: writes the hashes of all files of each release that constraints.txt pins, as the index tells them.

To change a version, edit it there (its old hashes may stay) and run this."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from tools.dev import locked
from tools.dev.places import PYTHON, ROOT, VENV
from tools.dev.steps import Stop, say
from tools.dev.venv import ensure_venv, pip_settings_for_uv

CONSTRAINTS = ROOT / "constraints.txt"
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def run(habit: str, args: list[str]) -> int:
    if args:
        raise Stop(f"./dev {habit} takes no options")
    if not (VENV / "bin" / "uv").exists():
        ensure_venv("server")
    before = CONSTRAINTS.read_text()
    with tempfile.TemporaryDirectory(prefix="danlu-lock-") as folder:
        names, found = Path(folder) / "names.txt", Path(folder) / "hashed.txt"
        names.write_text(locked.without_hashes(before))
        command: list[str | Path] = [VENV / "bin" / "uv", "pip", "compile", "-q", "--python", PYTHON]
        command += ["--no-deps", "--universal", "--generate-hashes", "--no-header", "--no-annotate"]
        done = subprocess.run([*command, names, "-o", found], env={**os.environ, **pip_settings_for_uv()})
        if done.returncode:
            return done.returncode
        after = on_one_line_each(found.read_text())
    CONSTRAINTS.write_text(after)
    say(f"constraints.txt: {len(after.splitlines())} packages, {len(_HASH.findall(after))} hashes")
    return 0


def on_one_line_each(text: str) -> str:
    """As uv writes them, over many lines, but a line for each package: a change of version is a change of one line."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    plain = [f"{line.split()[0]} {' '.join(sorted(_HASH.findall(line)))}" for line in lines if "==" in line]
    return "".join(f"{line}\n" for line in sorted(plain))
