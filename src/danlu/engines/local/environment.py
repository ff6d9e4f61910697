"""The Python environment that image `host` means, and what of the machine it takes to use it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import danlu
from danlu.domain.errors import Unavailable
from danlu.domain.words import say
from danlu.engines.local.programs import bare_environment

_ASK = "import sys; print(sys.prefix); print(sys.base_prefix)"
_SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """Where its programs are, and the folders a sandbox must show."""

    path: str
    folders: tuple[str, ...]
    interpreter: str = sys.executable


def host_environment(python: Path | None) -> HostEnvironment:
    """Of the interpreter named, or of the one that runs Danlu."""
    prefix, base = (sys.prefix, sys.base_prefix) if python is None else _ask(_interpreter(python))
    sources = str(Path(danlu.__file__).parent.parent)
    folders = dict.fromkeys(folder for folder in (base, prefix, sources) if not folder.startswith("/usr"))
    programs = dict.fromkeys((f"{prefix}/bin", f"{base}/bin"))
    interpreter = sys.executable if python is None else str(_interpreter(python))
    return HostEnvironment(os.pathsep.join([*programs, _SYSTEM_PATH]), tuple(folders), interpreter)


def _interpreter(python: Path) -> Path:
    python = python.expanduser().absolute()
    return python / "bin" / "python" if python.is_dir() else python


def _ask(interpreter: Path) -> tuple[str, str]:
    try:
        asked = subprocess.run(
            [interpreter, "-I", "-c", _ASK],
            env=bare_environment(),
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(
            say(
                "the setting python is {interpreter}, which cannot be run: {error}",
                "设置 python 指定的 {interpreter} 无法运行：{error}",
                interpreter=interpreter,
                error=error,
            )
        ) from error
    prefix, base = asked.stdout.splitlines()
    return prefix, base
