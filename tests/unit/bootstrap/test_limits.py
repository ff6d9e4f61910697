"""How many files a process may have open once it follows the logs of a cluster."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import danlu

SCRIPT = """
import resource, runpy, sys
limits = runpy.run_path(sys.argv[1])
for soft in (256, 4096):
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, 4096))
    limits["allow_many_files"]()
    print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_as_many_files_as_the_machine_allows() -> None:
    """Read alone: the package around it would bring the whole server along."""
    limits = Path(danlu.__file__).parent / "bootstrap" / "limits.py"
    ran = subprocess.run([sys.executable, "-c", SCRIPT, limits], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["4096 4096"] * 2
