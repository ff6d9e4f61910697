"""Building an environment: killed in the middle, at the same time, and on a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from danlu.runtime.packages.build import build, problem_of
from danlu.runtime.packages.kept import KeptEnvironment
from danlu.runtime.packages.wish import CannotInstall, content_of, key_of, read_wish
from tests.live import eventually
from tests.wheels import code_with

INSTALL = [
    sys.executable,
    "-c",
    "import sys; from danlu.runtime.packages.install import main; main(sys.argv[1:])",
]


def start(code: Path, keep: Path, *command: str, **more: Any) -> subprocess.Popen[str]:
    wish = {"requirements": "requirements.txt", "keep": str(keep), "job": "a-job", **more}
    env = {**os.environ, "DANLU_PACKAGES": json.dumps(wish)}
    return subprocess.Popen(
        [*INSTALL, *command], cwd=code, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_a_kill_in_the_middle_leaves_nothing_half_and_the_next_builds_it(tmp_path: Path) -> None:
    code, keep = code_with(tmp_path / "code", "shelf", shelf="3.1"), tmp_path / "keep"
    first = start(code, keep, "true")
    try:
        eventually(lambda: any(keep.glob("*/bin/python")))
        assert not list(keep.glob("*.json"))
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    eventually(lambda: not list(keep.glob("*.json")))
    second = start(code, keep, "python", "-c", "import shelf; print(shelf.VERSION)")
    said = second.communicate()[0].splitlines()
    assert (second.returncode, said[-1]) == (0, "3.1"), said
    assert any("installing packages" in line for line in said)
    [note] = keep.glob("*.json")
    assert json.loads(note.read_text())["packages"] == [["shelf", "3.1"]]
    assert not list(keep.glob("*.tmp"))


def test_packages_of_the_machine_stay_usable_and_its_programs_see_the_new_ones(tmp_path: Path) -> None:
    """The machine's Python is an environment itself here, whose packages a plain venv would leave out."""
    code, keep = code_with(tmp_path / "code", "shelf", shelf="3.1"), tmp_path / "keep"
    ask = "import pydantic, shelf, sys; print(sys.prefix)"
    run = start(code, keep, "python", "-c", ask)
    said = run.communicate()[0].splitlines()
    assert run.returncode == 0, said
    bin_folder = Path(said[-1]) / "bin"
    assert bin_folder.parent.parent == keep
    first = (bin_folder / "pip").read_text().splitlines()[0]
    assert first == f"#!{bin_folder}/python"


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    code, keep = code_with(tmp_path / "code", "shelf", shelf="3.1"), tmp_path / "keep"
    (code / "wheels").mkdir(exist_ok=True)
    keep.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,nr_inodes=40", "tmpfs", str(keep)], check=True)
    try:
        wish = read_wish(json.dumps({"requirements": "requirements.txt", "keep": str(keep)}))
        content = content_of(wish, str(code))
        kept = KeptEnvironment(str(keep), key_of(wish, content, {}))
        with pytest.raises((CannotInstall, OSError)) as caught:
            kept.obtain(lambda: build(wish, content, kept.path, str(code), kept.descriptors), lambda: None)
        error = caught.value
        problem = problem_of(error) if isinstance(error, OSError) else getattr(error, "problem", "")
        assert problem == "no_space"
        assert not os.path.exists(kept.path)
    finally:
        subprocess.run(["umount", "--lazy", str(keep)], check=True)
