"""Small wheels for tests that install packages: made here, no index needed."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str = "1.0", body: str = "", script: str = "") -> Path:
    """A package of one module; with `script`, it brings a program of that name, which runs `main` of the module."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": body or f"VERSION = {version!r}\ndef main():\n    print('{name}', VERSION)\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if script:
        files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{script} = {name}:main\n"
    record = f"{info}/RECORD"
    with zipfile.ZipFile(path, "w") as wheel:
        for place, text in files.items():
            wheel.writestr(place, text)
        wheel.writestr(record, "".join(f"{place},,\n" for place in [*files, record]))
    return path


def code_with(folder: Path, requirements: str, **wheels: str) -> Path:
    """A code folder whose requirements file takes packages from a folder beside it alone."""
    for name, version in wheels.items():
        make_wheel(folder / "wheels", name, version)
    (folder / "requirements.txt").write_text(f"--no-index\n--find-links wheels\n{requirements}\n")
    return folder
