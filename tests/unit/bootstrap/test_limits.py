"""How many files a process may have open once it follows the logs of a cluster."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import resource
from danlu.bootstrap.limits import allow_many_files
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
allow_many_files()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(("soft", "hard", "then"), [(256, 4096, 4096), (4096, 4096, 4096)])
def test_as_many_files_as_the_machine_allows(soft: int, hard: int, then: int) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(soft=soft, hard=hard)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == [str(then), str(hard)]
