"""`./dev test --changed`: the tests that import what changed, the nearest first, for about two minutes."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.dev.steps import Stop
from tools.testing.imports import Imports
from tools.testing.outcomes import cases
from tools.testing.slow import reports_of
from tools.testing.tiers import TIERS, Tier

BUDGET_S = 100.0
"""Of two workers each."""
UNKNOWN_S = 3.0
"""Taken for a file that no report tells of."""
CONSOLE_SOURCES = ("console/src/",)
# Those that start browsers, clusters or gigabytes are for `--all`.
REACHED = tuple(tier for tier in TIERS if tier.passes and not tier.waits and not tier.on_demand)


@dataclass(frozen=True)
class Chosen:
    """Test files to run, by tier, the nearest first; how many more a change can touch; and sources of the console."""

    files: dict[str, list[str]]
    left: int
    console: list[str]
    seconds: float

    @property
    def tiers(self) -> tuple[Tier, ...]:
        return tuple(tier for tier in TIERS if tier.name in self.files)


def changed_files(root: Path, since: str) -> list[str]:
    """What differs from a commit, new files included; without one, from where this branch left its upstream."""
    base = since or _said(root, "merge-base", "HEAD", "@{upstream}") or "HEAD"
    differ = _said(root, "diff", "--name-only", "--no-renames", base, "--")
    if differ is None:
        raise Stop(f"there is no commit '{since}' to compare with.")
    new = _said(root, "ls-files", "--others", "--exclude-standard") or ""
    found = sorted({*differ.splitlines(), *new.splitlines()})
    if not found:
        raise Stop(
            f"nothing differs from {base[:12]}; './dev test --changed=HEAD~1' looks at the last commit."
        )
    return found


def choose(root: Path, changed: Sequence[str], durations: Mapping[str, float]) -> Chosen:
    reached = Imports(root).reached_from(Path(name) for name in changed if name.endswith(".py"))
    order = {tier.name: place for place, tier in enumerate(REACHED)}
    tests = sorted(
        (far, order[file.parts[1]], file.as_posix())
        for file, far in reached.items()
        if file.name.startswith("test_") and file.parts[1] in order and (root / file).exists()
    )
    files: dict[str, list[str]] = {}
    seconds, left = 0.0, 0
    for _, place, file in tests:
        takes = durations.get(file, UNKNOWN_S) / 2
        # One file is always run, however long it takes.
        if files and seconds + takes > BUDGET_S:
            left += 1
            continue
        seconds += takes
        files.setdefault(REACHED[place].name, []).append(file)
    return Chosen(files, left, [name for name in changed if name.startswith(CONSOLE_SOURCES)], seconds)


def durations_of(folder: Path) -> dict[str, float]:
    """Seconds by test file, from the reports of the runs before."""
    found: dict[str, float] = {}
    for tier in REACHED:
        for report in reports_of(folder, tier):
            for case in cases(report):
                file = case.name.partition("::")[0]
                found[file] = found.get(file, 0) + case.seconds
    return found


def _said(root: Path, *words: str) -> str | None:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
