"""Builds an environment with pip or conda, as the person whose task it is, in the task's own sandbox."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from importlib import metadata
from typing import Any, Sequence

from danlu.ports import beneath
from danlu.runtime.packages.wish import CannotInstall, WantedPackages

_CONDA = ("micromamba", "mamba", "conda")
_NO_SPACE = re.compile(rb"\[Errno (?:28|122)\]")
_MOST_PACKAGES, _MOST_SCRIPTS, _LARGEST_SCRIPT = 2_000, 2_000, 65_536
_LONGEST_LINE = 1_000
_HOST_PACKAGES = "danlu-host.pth"
_UNSUITED = (
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_USER",
)


def build(
    wish: WantedPackages, content: list[str], path: str, code: str, keep_open: Sequence[int]
) -> dict[str, Any]:
    """Make the environment at `path`; the note about it. CannotInstall says why it cannot be."""
    scratch = f"{path}.tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        os.mkdir(scratch, 0o700)
        by = _by_conda if wish.conda else _by_pip
        by(wish, path, code, scratch, keep_open)
        return _note(wish, content, path)
    except OSError as error:
        raise CannotInstall(problem_of(error), str(error)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def problem_of(error: OSError) -> str:
    return "no_space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "install"


# ── pip ──────────────────────────────────────────────────────────────────────────────────────────────


def _by_pip(wish: WantedPackages, path: str, code: str, scratch: str, keep_open: Sequence[int]) -> None:
    _make_venv(path)
    python = os.path.join(path, "bin", "python")
    run = _Run(wish, code, scratch, keep_open)
    if run.silently([python, "-I", "-c", "import pip"]):
        run.must([python, "-I", "-m", "ensurepip", "--default-pip"], "no_tool", "pip, or Python's ensurepip")
    words = [python, "-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--no-color"]
    words += ["--progress-bar", "off", "--no-warn-script-location"]
    words += [] if "PIP_CACHE_DIR" in os.environ else ["--no-cache-dir"]
    # Without a network there is no use in trying again and again.
    words += ["--retries", "0", "--timeout", "5"] if wish.network == "none" else []
    run.must([*words, *(["-r", wish.requirements] if wish.requirements else ["--", *wish.pip])])
    _adopt_scripts(path)


def _make_venv(path: str) -> None:
    """A virtual environment on top of this Python, whose own packages stay usable: those of a virtual environment too,
    which Python itself would leave out."""
    inner = sys.prefix != sys.base_prefix
    venv.create(
        path, system_site_packages=not inner or _shows_system(sys.prefix), symlinks=True, with_pip=False
    )
    if inner:
        places = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
        with open(os.path.join(_site(path), _HOST_PACKAGES), "w", encoding="utf-8") as file:
            file.write("".join(f"{place}\n" for place in places))


def _shows_system(prefix: str) -> bool:
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8") as file:
            return (
                re.search(r"(?im)^include-system-site-packages\s*=\s*true\s*$", file.read(65_536)) is not None
            )
    except OSError:
        return False


def _site(path: str) -> str:
    return sysconfig.get_path("purelib", "posix_prefix", {"base": path, "platbase": path})


def _adopt_scripts(path: str) -> None:
    """Programs of the machine's packages, such as torchrun, that run with this environment's Python: else what they
    start would not find its packages."""
    theirs, ours = sysconfig.get_path("scripts"), os.path.join(path, "bin")
    names = sorted(os.listdir(theirs))[:_MOST_SCRIPTS] if os.path.isdir(theirs) else []
    for name in names:
        target = os.path.join(ours, name)
        script = b"" if os.path.lexists(target) else _python_script(os.path.join(theirs, name))
        if script:
            with open(target, "wb") as file:
                file.write(b"#!" + os.fsencode(os.path.join(ours, "python")) + b"\n" + script)
            os.chmod(target, 0o755)


def _python_script(path: str) -> bytes:
    """A program that Python runs, without its first line; nothing for any other file."""
    try:
        fd = beneath.open_file(os.path.dirname(path), os.path.basename(path))
    except OSError:
        return b""
    with open(fd, "rb") as file:
        first, rest = file.readline(_LARGEST_SCRIPT), file.read(_LARGEST_SCRIPT + 1)
    is_one = re.match(rb"#!\S*/python[0-9.]*\s*$", first) is not None and len(rest) <= _LARGEST_SCRIPT
    return rest if is_one else b""


# ── conda ────────────────────────────────────────────────────────────────────────────────────────────


def _by_conda(wish: WantedPackages, path: str, code: str, scratch: str, keep_open: Sequence[int]) -> None:
    program = next((found for found in map(shutil.which, _CONDA) if found), None)
    if program is None:
        raise CannotInstall("no_tool", ", ".join(_CONDA))
    small = os.path.basename(program) == "micromamba"
    words = [program, *(["create"] if small else ["env", "create"]), "--yes", "-p", path, "-f", wish.conda]
    run = _Run(wish, code, scratch, keep_open)
    run.env.update(CONDA_PKGS_DIRS=os.path.join(scratch, "pkgs"), MAMBA_ROOT_PREFIX=scratch)
    run.env.update(CONDA_OFFLINE="true" if wish.network == "none" else "false")
    run.must(words)


# ── what is run, and what it says ────────────────────────────────────────────────────────────────────


class _Run:
    """Programs that write to the task's log; their last line is kept for the case that they fail."""

    def __init__(self, wish: WantedPackages, code: str, scratch: str, keep_open: Sequence[int]) -> None:
        self._wish, self._code, self._keep_open = wish, code, keep_open
        # The task's own /tmp is memory: a few large wheels would fill it.
        self.env = {**os.environ, "TMPDIR": scratch, "PYTHONUNBUFFERED": "1"}
        for name in _UNSUITED:
            self.env.pop(name, None)

    def silently(self, words: list[str]) -> bool:
        """Whether it fails."""
        quiet = subprocess.DEVNULL
        return subprocess.run(words, env=self.env, stdin=quiet, stdout=quiet, stderr=quiet).returncode != 0

    def must(self, words: list[str], problem: str = "install", text: str = "") -> None:
        said, full = "", False
        with subprocess.Popen(
            words,
            env=self.env,
            cwd=self._code,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=self._keep_open,
        ) as process:
            assert process.stdout is not None
            for line in iter(lambda: process.stdout.readline(_LONGEST_LINE), b""):  # type: ignore[union-attr]
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
                full = full or _NO_SPACE.search(line) is not None
                said = _telling(said, line.decode("utf-8", "replace").strip())
        if process.returncode == 0:
            return
        if full:
            raise CannotInstall("no_space", said)
        if problem == "install" and self._wish.network == "none":
            raise CannotInstall("no_network", said)
        raise CannotInstall(problem, text or said or f"exit code {process.returncode}")


def _telling(before: str, line: str) -> str:
    """The line that says best what went wrong: the last error, else the last line."""
    if line.startswith("ERROR:"):
        return line
    return before if before.startswith("ERROR:") or not line else line


# ── the note ─────────────────────────────────────────────────────────────────────────────────────────


def _note(wish: WantedPackages, content: list[str], path: str) -> dict[str, Any]:
    sites = [_site(path)] if not wish.conda else _conda_sites(path)
    found = sorted(
        {(str(one.metadata["Name"]), str(one.version)) for one in metadata.distributions(path=sites)}
    )
    return {
        "v": 1,
        "kind": "conda" if wish.conda else "pip",
        "file": wish.requirements or wish.conda,
        "content": [line[:500] for line in content[:200]],
        "packages": found[:_MOST_PACKAGES],
        "python": ".".join(map(str, sys.version_info[:3])) if not wish.conda else "",
        "size": _size(path),
        "made_at": int(time.time() * 1000),
        "job": wish.job,
    }


def _conda_sites(path: str) -> list[str]:
    library = os.path.join(path, "lib")
    with contextlib.suppress(OSError):
        return [
            os.path.join(library, name, "site-packages")
            for name in os.listdir(library)
            if re.fullmatch(r"python3\.\d+", name)
        ]
    return []


def _size(path: str) -> int:
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(folder, name)).st_blocks * 512
    return total
