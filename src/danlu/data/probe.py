"""Looks at the machine that a server runs on: who may read and change what, versions, and disk space."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import danlu
from danlu.data.settings import settings_file
from danlu.ports.system import DiskSpace, MachineFacts, PlaceFact, PlaceKind
from danlu.ports.user_ids import machine_uid

_MOST = 20_000
"""Files of one kind that are looked at."""
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")
_PATIENCE_S = 5
_LOCK = ".lock"
"""Installers lock an environment by this file, which they open to everybody on purpose; nothing is read from it."""
_LARGEST_SETTINGS = 1 << 20


class LocalProbe:
    """Implements ports.system.MachineProbe. `python` is the environment of tasks, None for Danlu's own; `reserve` is
    how much of the disk must stay free for a start."""

    def __init__(
        self, data: Path, python: Path | None, environ: Mapping[str, str] = os.environ, reserve: int = 0
    ) -> None:
        self._data, self._python, self._reserve = data, python, reserve
        file = settings_file(environ)
        self._settings = None if file is None else file.absolute()

    def space(self) -> DiskSpace:
        disk = shutil.disk_usage(self._data)
        return DiskSpace(disk.total, disk.free, self._reserve)

    def look(self) -> MachineFacts:
        return MachineFacts(
            uid=machine_uid(),
            kernel=_version(os.uname().release),
            bubblewrap=_bubblewrap(),
            disk=self.space(),
            places=tuple(self._places()),
            settings_secrets=() if self._settings is None else _secrets_in(self._settings),
        )

    def _places(self) -> Iterator[PlaceFact]:
        yield from _facts(PlaceKind.DATA, [self._data, *self._data.glob("danlu.db*")])
        yield from _facts(PlaceKind.SECRET, _below(self._data / "secrets"))
        if self._settings is not None:
            yield from _facts(PlaceKind.SETTINGS, [self._settings])
        package = Path(danlu.__file__).resolve().parent
        yield from _facts(PlaceKind.CODE, [*package.parents, *_below(package)])
        yield from _facts(PlaceKind.PYTHON, self._environment())

    def _environment(self) -> Iterator[Path]:
        """The folders that a Python imports from, what lies directly in them, and its programs."""
        if self._python is None:
            roots = {
                Path(sys.prefix),
                *map(Path, sysconfig.get_paths().values()),
                *map(Path, site.getsitepackages()),
            }
        else:
            top = self._python if self._python.is_dir() else self._python.parent.parent
            roots = {top, top / "bin", *top.glob("lib/python3*"), *top.glob("lib/python3*/site-packages")}
        for root in sorted(roots):
            yield root
            with contextlib.suppress(OSError):
                yield from sorted(path for path in root.iterdir() if path.name != _LOCK)


def _below(folder: Path) -> Iterator[Path]:
    yield folder
    for at, folders, files in os.walk(folder):
        yield from (Path(at, name) for name in (*folders, *files))


def _facts(kind: PlaceKind, paths: Iterable[Path]) -> Iterator[PlaceFact]:
    """What is a link lets everybody do everything, and nobody anything: where it leads is what counts."""
    for path in islice(paths, _MOST):
        with contextlib.suppress(OSError):
            found = path.lstat()
            if not path.is_symlink():
                yield PlaceFact(kind, str(path), found.st_mode, found.st_uid)


def _bubblewrap() -> tuple[int, ...] | None:
    program = shutil.which("bwrap")
    if program is None:
        return None
    try:
        told = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_PATIENCE_S, check=False, env={}
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return _version(told.stdout)


def _version(text: str) -> tuple[int, ...] | None:
    found = _VERSION.search(text)
    return None if found is None else tuple(int(part or 0) for part in found.groups())


def _secrets_in(file: Path) -> tuple[str, ...]:
    """The keys of a settings file that hold a password in plain text."""
    try:
        with file.open("rb") as opened:
            values: dict[str, Any] = tomllib.loads(opened.read(_LARGEST_SETTINGS).decode())
    except (OSError, ValueError):
        return ()
    found = ["database"] if _has_password(values.get("database")) else []
    providers = values.get("oidc")
    for provider in providers if isinstance(providers, list) else []:
        if isinstance(provider, dict) and provider.get("client_secret"):
            found.append("oidc.client_secret")
    return tuple(dict.fromkeys(found))


def _has_password(url: object) -> bool:
    with contextlib.suppress(ValueError):
        return isinstance(url, str) and bool(urlsplit(url).password)
    return False
