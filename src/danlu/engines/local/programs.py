"""How Danlu starts programs of its own near tasks: what is in their environment, tasks might read in /proc."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import danlu

_PASSED_ON = frozenset(
    (
        "PATH",
        "HOME",
        "TMPDIR",
        "TZ",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "LD_LIBRARY_PATH",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
    )
)
# Git fetches through them; see runtime/code/repository.
_PROXIES = frozenset(("http_proxy", "https_proxy", "all_proxy", "no_proxy"))
# Isolated from the current directory and from variables; Danlu need not be installed to be found.
_RUN = (
    "import sys; sys.path.append(sys.argv[1]); from importlib import import_module; "
    "sys.exit(import_module(sys.argv[2]).main(sys.argv[3:]))"
)
_SOURCES = str(Path(danlu.__file__).parent.parent)


def own_program(module: str, *arguments: str) -> list[str]:
    """The command that runs the `main` of one of Danlu's modules."""
    return [sys.executable, "-I", "-c", _RUN, _SOURCES, module, *arguments]


def bare_environment() -> dict[str, str]:
    """What a program needs of the server's environment, and none of its secrets: passwords come in variables."""
    return {
        name: value for name, value in os.environ.items() if name in _PASSED_ON or name.lower() in _PROXIES
    }
