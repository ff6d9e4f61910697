"""The small commands: fmt, bench, build, docs."""

from __future__ import annotations

import difflib
import os
import subprocess
import zipfile
from pathlib import Path

from tools.dev.console import ensure_console, ensure_packages
from tools.dev.node import node_env, npm
from tools.dev.places import CONSOLE, PYTHON, ROOT, VENV
from tools.dev.steps import Stop, run_step
from tools.dev.venv import ensure_venv

QUICK = "quick"
"""The bench that is not one of the long ones."""


def run(habit: str, args: list[str]) -> int:
    return {"fmt": fmt, "bench": bench, "build": build, "docs": docs}[habit](args)


def fmt(args: list[str]) -> int:
    """All of it, or the files that are named: the console's by its own formatter, others by ruff."""
    console = [name for name in args if (ROOT / name).is_relative_to(CONSOLE)]
    others = [name for name in args if name not in console]
    formatted = format_console(console) if console or not args else 0
    return (format_python(others) if others or not args else 0) or formatted


def format_python(args: list[str]) -> int:
    ensure_venv("server", "dev")
    ruff = VENV / "bin" / "ruff"
    fixed = subprocess.call([ruff, "check", "--fix", *args], cwd=ROOT)
    return subprocess.call([ruff, "format", *args], cwd=ROOT) or fixed


def format_console(names: list[str]) -> int:
    home = ensure_packages()
    files = [str(ROOT / name) for name in names]
    command = npm(home, "run", "--silent", "format", "--", *files)
    return subprocess.call(command, cwd=CONSOLE, env={**os.environ, **node_env(home)})


def bench(args: list[str]) -> int:
    known = benches(ROOT / "bench")
    if not known:
        raise Stop("bench/ is empty.")
    if "--quick" in args:
        args = [QUICK, *(word for word in args if word != "--quick")]
    longer = [name for name in known if name != QUICK]
    names, options = (args[:1], args[1:]) if args and not args[0].startswith("-") else (longer, args)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(known)}."
            raise Stop(f"there is no bench '{name}'. {hint}")
    ensure_venv("server", "dev")
    # One after the other: they share the machine they measure.
    return max(subprocess.call([PYTHON, "-m", f"bench.{name}", *options], cwd=ROOT) for name in names)


def benches(folder: Path) -> list[str]:
    """The modules that can be run; those without a `main` serve the others."""
    return sorted(file.stem for file in folder.glob("*.py") if "\ndef main(" in file.read_text())


def build(args: list[str]) -> int:
    ensure_venv("server", "dev")
    ensure_console()
    out = ROOT / "dist"
    before = set(out.glob("*.whl"))
    for wheel in before:
        wheel.unlink()
    command: list[str | Path] = [PYTHON, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, *args]
    run_step("Build the wheel", command)
    for wheel in sorted(out.glob("*.whl")):
        if "danlu/server/static/index.html" not in zipfile.ZipFile(wheel).namelist():
            raise Stop(f"{wheel.name} has no console in it.")
        print(f"dist/{wheel.name}  {wheel.stat().st_size / 2**20:.1f} MiB")
    return 0


def docs(args: list[str]) -> int:
    ensure_venv("server", "dev")
    written = ("tools.dev.reference", "tools.dev.manifests", "tools.dev.sdk_models")
    return max(subprocess.call([PYTHON, "-m", module, *args], cwd=ROOT) for module in written)
