"""What is installed has the hashes that constraints.txt names."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from tools.dev import locked
from tools.dev.lock import on_one_line_each
from tools.dev.places import PYTHON, VENV, constraint

HASHES = [f"--hash=sha256:{digit * 64}" for digit in "0f"]
TEXT = f"click==8.1.7 {HASHES[0]}\nruamel.yaml==0.18 {HASHES[1]}\n"


def test_packages_are_found_however_their_names_are_written():
    assert locked.hashed_lines(["Ruamel_YAML", "click"], TEXT) == TEXT.splitlines()


def test_a_package_that_is_not_pinned_is_not_installed():
    with pytest.raises(KeyError, match="does not pin left-pad"):
        locked.hashed_lines(["click", "left_pad"], TEXT)


def test_without_hashes_names_and_versions_are_left():
    assert locked.without_hashes(TEXT) == "click==8.1.7\nruamel.yaml==0.18\n"


def test_the_command_demands_hashes_and_names_the_pinned_file():
    command = locked.install_exactly("python", ["uv"])
    assert "--require-hashes" in command
    text = Path(command[-1]).read_text()
    assert text.startswith(f"uv=={constraint('uv')} --hash=sha256:")


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_a_file_with_another_hash_is_not_installed(tmp_path, monkeypatch, installer, right):
    wheel = tmp_path / "pebble-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("pebble.py", "")
        file.writestr("pebble-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: pebble\nVersion: 1.0\n")
        file.writestr(
            "pebble-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr("pebble-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest() if right else "0" * 64
    pins = tmp_path / "constraints.txt"
    pins.write_text(f"pebble==1.0 --hash=sha256:{digest}\n")
    here = ["--no-index", "--find-links", tmp_path, "--target", tmp_path / "made"]
    if installer == "uv":
        verified = ["--no-cache", "--verify-hashes", "-c", pins, "-b", pins]
        command = [VENV / "bin" / "uv", "pip", "install", "--python", PYTHON, *here, *verified, "pebble"]
    else:
        monkeypatch.setattr(locked, "CONSTRAINTS", pins)
        command = locked.install_exactly(PYTHON, ["pebble"], *here)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert (done.returncode == 0) is right, done.stderr
    assert (tmp_path / "made" / "pebble.py").exists() is right
    if not right:
        assert "hash" in done.stderr.lower()


def test_what_the_resolver_writes_over_many_lines_becomes_one_for_each_package():
    told = f"b==2 ; python_version < '4' \\\n    {HASHES[1]} \\\n    {HASHES[0]}\na==1 \\\n    {HASHES[0]}\n"
    assert on_one_line_each(told) == f"a==1 {HASHES[0]}\nb==2 {HASHES[0]} {HASHES[1]}\n"
