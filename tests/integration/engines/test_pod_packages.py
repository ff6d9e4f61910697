"""The script that installs packages in pods, with a real pip."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from danlu.domain.job import Packages
from danlu.engines.kubernetes.objects.packages import with_packages
from tests.wheels import code_with


def run(code: Path, place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    place.mkdir()
    env = {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
    argv = with_packages(Packages(requirements="requirements.txt"), command, str(place))
    return subprocess.run(argv, cwd=code, env=env, capture_output=True, text=True)


def test_packages_are_there_for_the_environments_python_and_for_the_images(tmp_path: Path) -> None:
    code = code_with(tmp_path / "code", "shelf", shelf="3.1")
    ask = "-c 'import shelf; print(shelf.VERSION)'"
    ended = run(code, tmp_path / "place", "sh", "-c", f"python {ask}; {sys.executable} {ask}")
    assert ended.returncode == 0, ended
    assert ended.stdout.splitlines()[-2:] == ["3.1", "3.1"]


def test_pips_own_error_is_told(tmp_path: Path) -> None:
    ended = run(
        code_with(tmp_path / "code", "nothing-like-it", shelf="1.0"), tmp_path / "place", "echo", "ran"
    )
    assert ended.returncode == 1
    assert "the packages cannot be installed: ERROR: No matching distribution" in ended.stderr
    assert "ran" not in ended.stdout.splitlines()
