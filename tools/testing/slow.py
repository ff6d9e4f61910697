"""`./dev test --slow`: the slowest tests of the runs before, by the reports they left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tools.dev.steps import Stop
from tools.testing.outcomes import Case, cases, clock
from tools.testing.tiers import Tier

MOST = 50


def slowest(folder: Path, tiers: Sequence[Tier]) -> str:
    """A line each for the slowest tests of these tiers, and what they are part of."""
    found: list[tuple[Case, str]] = []
    totals = []
    for tier in tiers:
        reports = reports_of(folder, tier)
        of_tier = [case for report in reports for case in cases(report)]
        if of_tier:
            age = time.time() - max(report.stat().st_mtime for report in reports)
            total = sum(case.seconds for case in of_tier)
            totals.append(f"{tier.name}: {len(of_tier)} tests, {clock(total)} in all, {ago(age)}")
            found += [(case, tier.name) for case in of_tier]
    if not found:
        raise Stop(
            "no tier has been run completely in this checkout yet; run './dev test' or './dev test TIER'."
        )
    found.sort(key=lambda one: -one[0].seconds)
    lines = [f"{case.seconds:8.2f} s  {name:<12} {case.name}" for case, name in found[:MOST]]
    return "\n".join([*lines, "", *totals])


def reports_of(folder: Path, tier: Tier) -> list[Path]:
    return sorted(folder.glob(f"{tier.name}-*.xml"))


def ago(seconds: float) -> str:
    if seconds < 120:
        return "just now"
    return f"{seconds / 60:.0f} minutes ago" if seconds < 7200 else f"{seconds / 3600:.0f} hours ago"
