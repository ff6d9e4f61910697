"""The console's API types are what the server's OpenAPI document says today."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.dev.console import ensure_packages
from tools.dev.node import node_env, npm
from tools.dev.places import CONSOLE, ROOT
from tools.dev.steps import last_lines

KEPT = CONSOLE / "src" / "api" / "schema.d.ts"
REPAIR = ".venv/bin/python -m tools.dev.checks.api_types --write"
SHOWN_LINES = 60


def main(args: list[str]) -> int:
    if not (ROOT / "src" / "danlu" / "server" / "openapi.py").exists():
        print("note: the server has no OpenAPI document yet; nothing compared")
        return 0
    with tempfile.TemporaryDirectory(prefix="danlu-api-") as folder:
        document, fresh = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        with document.open("wb") as output:
            command = [sys.executable, "-m", "danlu.server.openapi"]
            subprocess.run(command, cwd=ROOT, stdout=output, check=True)
        generate(document, fresh)
        said = fresh.read_text()
    if args == ["--write"]:
        KEPT.write_text(said)
        return 0
    kept = KEPT.read_text() if KEPT.exists() else ""
    if kept == said:
        return 0
    changes = difflib.unified_diff(
        kept.splitlines(), said.splitlines(), "committed", "generated", lineterm="", n=1
    )
    print(last_lines("\n".join(list(changes)[:SHOWN_LINES]), SHOWN_LINES))
    print(f"{KEPT.relative_to(ROOT)} does not match the server's OpenAPI document; regenerate it: {REPAIR}")
    return 1


def generate(document: Path, types: Path) -> None:
    home = ensure_packages()
    command = npm(home, "run", "--silent", "api:types", "--", str(document), str(types))
    env = {**os.environ, **node_env(home)}
    done = subprocess.run(command, cwd=CONSOLE, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nthe types could not be generated")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
