"""The checkout's virtual environment: made once, brought up to date when what it is made from changes."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tools.dev import locked
from tools.dev.places import PYTHON, ROOT, VENV
from tools.dev.stamps import alone, digest_of_text, read_stamp, write_stamp
from tools.dev.steps import StepFailed, Stop, run_step, say

STAMP = VENV / "danlu-stamp.json"


def ensure_venv(*extras: str) -> None:
    """Have .venv with these extras; a few milliseconds when nothing changed."""
    if is_current(extras):
        return
    with alone("venv"):
        if is_current(extras):
            return
        if not is_usable():
            make_venv()
        # Whoever once ran the tests keeps what they need.
        wanted = sorted({*extras, *read_stamp(STAMP).get("extras", [])})
        install(wanted)
        write_stamp(STAMP, {"digest": venv_digest(ROOT), "root": str(ROOT), "extras": wanted})


def is_current(extras: tuple[str, ...]) -> bool:
    said = read_stamp(STAMP)
    return (
        is_usable() and set(extras) <= set(said.get("extras", [])) and said.get("digest") == venv_digest(ROOT)
    )


def is_usable() -> bool:
    """A checkout that was moved has scripts which name its old place: it needs a new environment."""
    moved = read_stamp(STAMP).get("root", str(ROOT)) != str(ROOT)
    return os.access(PYTHON, os.X_OK) and not moved


def venv_digest(root: Path) -> str:
    """Over what pip reads; the tools' own settings in pyproject.toml may change freely."""
    said = tomllib.loads((root / "pyproject.toml").read_text())
    read_by_pip = {key: said.get(key) for key in ("project", "build-system")}
    return digest_of_text(json.dumps(read_by_pip, sort_keys=True), (root / "constraints.txt").read_text())


def make_venv() -> None:
    if importlib.util.find_spec("ensurepip") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise Stop(
            f"this Python {version} cannot create virtual environments: 'ensurepip' is missing.\n"
            f"On Debian or Ubuntu: apt-get install python{version}-venv"
        )
    shutil.rmtree(VENV, ignore_errors=True)
    # The interpreter underneath, should `./dev` itself run inside a virtual environment.
    base = getattr(sys, "_base_executable", None) or sys.executable
    run_step("Create the virtual environment", [base, "-m", "venv", VENV])


def install(extras: list[str]) -> None:
    """With hashes: uv checks those that constraints name, pip those of a list that has them all."""
    target = f".[{','.join(extras)}]"
    pins = ROOT / "constraints.txt"
    constraints: list[str | Path] = ["--verify-hashes", "-c", pins, "-b", pins]
    # The console is built by `./dev` itself, so the build hook need not fetch Node for it.
    env = {"DANLU_BUILD_CONSOLE": "no"}
    command: list[str | Path]
    try:
        if not (VENV / "bin" / "uv").exists():
            run_step("Fetch the installer", locked.install_exactly(PYTHON, ["uv"]))
        command = [VENV / "bin" / "uv", "pip", "install", "--python", PYTHON, "-e", target, *constraints]
        run_step(
            f"Install Python packages ({', '.join(extras)})", command, env={**env, **pip_settings_for_uv()}
        )
    except StepFailed:
        say("Retrying with pip, which is slower but honours all pip settings.")
        command = [PYTHON, ROOT / "tools" / "dev" / "locked.py", f"{ROOT}/{target}", "hatchling", "editables"]
        run_step(f"Install Python packages with pip ({', '.join(extras)})", command, env=env)


def pip_settings_for_uv() -> dict[str, str]:
    """uv does not read pip's settings; a mirror or certificate that a person gave to pip should count."""
    listed = subprocess.run([PYTHON, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
    settings: dict[str, str] = {}
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        settings[key.rpartition(".")[2]] = value.strip().strip("'\"")
    env = {}
    if settings.get("index-url") and "UV_DEFAULT_INDEX" not in os.environ:
        env["UV_DEFAULT_INDEX"] = settings["index-url"]
    if settings.get("cert") and "SSL_CERT_FILE" not in os.environ:
        env["SSL_CERT_FILE"] = settings["cert"]
    return env
