"""Installing what constraints.txt pins, and nothing else: every file must have one of the hashes that it names.

pip checks hashes for all requirements or none, and a folder or a wheel of ours has none. So what they need is found
out first, then installed with its hashes, and they themselves without dependencies. Without a checkout's environment:
`python tools/dev/locked.py TARGET…`, with the standard library alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parents[2] / "constraints.txt"


def normal(name: str) -> str:
    """A package's name as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned_lines(text: str) -> dict[str, str]:
    """The line of each package: its name, version and hashes."""
    return {normal(line.partition("==")[0]): line for line in text.splitlines() if line}


def hashed_lines(names: Iterable[str], text: str) -> list[str]:
    """The lines of these packages; KeyError for one that is not pinned."""
    lines = pinned_lines(text)
    unknown = sorted(one for one in map(normal, names) if one not in lines)
    if unknown:
        raise KeyError(f"constraints.txt does not pin {', '.join(unknown)}: add it and run ./dev lock")
    return [lines[one] for one in sorted(map(normal, names))]


def without_hashes(text: str) -> str:
    return "".join(line.partition(" ")[0] + "\n" for line in text.splitlines())


def install_exactly(python: str | Path, names: Iterable[str], *options: str | Path) -> list[str | Path]:
    """The command that installs these packages alone, from a file that is written for it."""
    file = Path(tempfile.mkdtemp(prefix="danlu-locked-")) / "requirements.txt"
    file.write_text("\n".join(hashed_lines(names, CONSTRAINTS.read_text())) + "\n")
    return [python, "-m", "pip", "install", "-q", "--require-hashes", "--no-deps", *options, "-r", file]


def needed(python: str | Path, targets: Sequence[str]) -> list[str]:
    """The packages that the targets need, themselves included where they are not ours."""
    with tempfile.TemporaryDirectory(prefix="danlu-locked-") as folder:
        names, report = Path(folder) / "names.txt", Path(folder) / "report.json"
        names.write_text(without_hashes(CONSTRAINTS.read_text()))
        look = ["install", "-q", "--dry-run", "--ignore-installed", "--report", str(report), "-c", str(names)]
        subprocess.run([str(python), "-m", "pip", *look, *targets], check=True)
        found = json.loads(report.read_text())["install"]
    return sorted(one["metadata"]["name"] for one in found if normal(one["metadata"]["name"]) != "danlu")


def install(python: str | Path, targets: Sequence[str]) -> None:
    """Targets are names of pinned packages, or a folder or wheel of ours, with extras in brackets."""
    ours = [one for one in targets if "/" in one or one.startswith(".")]
    subprocess.run([str(part) for part in install_exactly(python, needed(python, targets))], check=True)
    for one in ours:
        place = one.partition("[")[0]
        editable = ["-e"] if Path(place).is_dir() else []
        alone = ["install", "-q", "--no-deps", "--no-build-isolation", *editable, place]
        subprocess.run([str(python), "-m", "pip", *alone], check=True)


if __name__ == "__main__":
    install(sys.executable, sys.argv[1:])
