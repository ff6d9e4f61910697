"""Python environments with frameworks in them, for tests and benches: made once, kept in the cache.

`tools/environments/NAME.txt` pins what is in each; a changed file makes a new one."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tools.dev.places import ROOT, cache
from tools.dev.stamps import alone, digest_of_text
from tools.dev.steps import run_step

PINS = ROOT / "tools" / "environments"
WHOLE = "danlu-whole"
"""A file that is there once all packages are."""


def environment(name: str) -> Path:
    """The folder of a virtual environment with what its file pins, made if it is not there yet."""
    home = home_of(name)
    if not (home / WHOLE).exists():
        with alone(f"environment-{name}", among=cache()):
            if not (home / WHOLE).exists():
                make(name, home)
    return home


def torch_environment() -> Path:
    """PyTorch, MPI for Python and py-spy: what the tests of every run need."""
    return environment("torch")


def home_of(name: str) -> Path:
    pins = (PINS / f"{name}.txt").read_text()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return cache() / "environments" / f"{name}-{version}-{digest_of_text(pins)[:12]}"


def make(name: str, home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    home.parent.mkdir(parents=True, exist_ok=True)
    base = getattr(sys, "_base_executable", None) or sys.executable
    run_step(f"Create the environment {name}", [base, "-m", "venv", home])
    pins = PINS / f"{name}.txt"
    # By pip: only it knows where this machine keeps wheels of its own.
    install: list[str | Path] = [home / "bin" / "python", "-m", "pip", "install", "-q", "-r", pins]
    run_step(f"Install {name}, which is large", install)
    (home / WHOLE).touch()
