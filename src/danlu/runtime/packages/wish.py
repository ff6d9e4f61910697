"""What a task wants installed, read within bounds from its code, and the key that equal wishes share."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import sys
import sysconfig
from typing import Iterator, Mapping, NamedTuple

from danlu.ports import beneath

_FORMAT = 1
"""Part of every key: a Danlu that builds differently builds anew."""
_MOST_BYTES, _MOST_FILES = 1 << 20, 32
_INCLUDES = re.compile(r"(?:-r|--requirement|-c|--constraint)(?:\s*=\s*|\s+|(?<=-[rc]))(\S.*)")
_LOCAL = re.compile(r"(?:-e\b|--editable\b|\.{1,2}(?:/|$|\[)|file:)")
# What pip takes for packages depends on these as well.
_VARIABLES = (
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_NO_INDEX",
    "PIP_PRE",
    "PIP_CONSTRAINT",
)


class CannotInstall(Exception):
    """`problem` is one that `domain/reasons/packages.py` has words for; the text is another program's, or a name."""

    def __init__(self, problem: str, text: str) -> None:
        super().__init__(text)
        self.problem = problem


class WantedPackages(NamedTuple):
    """One of names, a requirements file, a conda file and an environment that exists; and where environments are
    kept."""

    pip: list[str]
    requirements: str
    conda: str
    venv: str
    keep: str
    job: str
    network: str

    @property
    def shown(self) -> str:
        """In a line of the log."""
        if self.pip:
            return ", ".join(self.pip[:5]) + (f" and {len(self.pip) - 5} more" if len(self.pip) > 5 else "")
        return self.requirements or self.conda or self.venv


def read_wish(text: str) -> WantedPackages:
    data = json.loads(text)
    words = {name: str(data.get(name) or "") for name in WantedPackages._fields if name != "pip"}
    return WantedPackages(pip=[str(line) for line in data.get("pip") or []], **words)


def content_of(wish: WantedPackages, code: str) -> list[str]:
    """The lines that say what to install, without comments; CannotInstall where they cannot be read."""
    if wish.conda:
        return _read(code, wish.conda, _MOST_BYTES).decode("utf-8", "replace").splitlines()
    if not wish.requirements:
        return sorted({line.strip() for line in wish.pip})
    return list(_requirements(code, wish.requirements))


def key_of(wish: WantedPackages, content: list[str], env: Mapping[str, str]) -> str:
    """Equal for what would become the same environment at the same place."""
    parts = [
        _FORMAT,
        "conda" if wish.conda else "pip",
        content,
        wish.keep,
        sys.version,
        sysconfig.get_platform(),
        os.path.realpath(sys.prefix),
        [[name, env.get(name, "")] for name in _VARIABLES],
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]


def _requirements(code: str, first: str) -> Iterator[str]:
    """All lines of a requirements file and of the files that it includes, each file once."""
    waiting, seen, left = [first], set(), _MOST_BYTES
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if len(seen) > _MOST_FILES:
            raise CannotInstall("install", f"{first} includes more than {_MOST_FILES} files")
        data = _read(code, path, left)
        left -= len(data)
        yield f"# {path}"
        for line in _lines(data.decode("utf-8", "replace")):
            if _LOCAL.match(line):
                raise CannotInstall(
                    "install",
                    f"{path}: '{line[:200]}' would install the code itself, which needs none of that: the command "
                    "runs in the code folder; remove the line",
                )
            yield line
            included = _INCLUDES.match(line)
            if included is not None and "://" not in included.group(1):
                waiting.append(os.path.normpath(os.path.join(os.path.dirname(path), included.group(1))))


def _lines(text: str) -> Iterator[str]:
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        bare = re.sub(r"(^|\s)#.*$", "", line).strip()
        if bare:
            yield bare


def _read(code: str, path: str, most: int) -> bytes:
    """Below the code folder, and never through a link."""
    if os.path.isabs(path):
        raise CannotInstall("no_file", path)
    try:
        return beneath.read_file(code, path, most)
    except OSError as error:
        if error.errno == errno.EFBIG:
            text = f"{path}, with what it includes, is larger than {_MOST_BYTES >> 20} MiB"
            raise CannotInstall("install", text) from error
        raise CannotInstall("no_file", path) from error
