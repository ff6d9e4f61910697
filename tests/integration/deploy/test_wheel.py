"""What is installed from a wheel has the examples."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.live import PATIENCE
from tools.dev.places import ROOT


def test_a_wheel_has_every_example_of_the_checkout(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    ids = {about.parent.name for about in (ROOT / "examples").glob("*/about.toml")}
    assert "plain-resume" in ids
    for each in ids:
        files = [one.name for one in (ROOT / "examples" / each).iterdir() if one.is_file()]
        assert {"about.toml", "job.yaml"} <= set(files)
        assert {f"danlu/examples/{each}/{file}" for file in files} <= names
    assert not [name for name in names if name.startswith("danlu/examples/") and "__pycache__" in name]
