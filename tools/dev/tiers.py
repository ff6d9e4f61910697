"""The tiers of tests: what each needs, how long it may take, and the table of how they went."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.dev.system import (
    BUBBLEWRAP,
    CHROMIUM,
    COMPILER,
    FONTS,
    OPENMPI,
    OPENSSH,
    OPENSSH_CLIENT,
    POSTGRESQL,
    Need,
)


@dataclass(frozen=True)
class Tier:
    """One folder of tests; the budget is in minutes on two cores."""

    name: str
    budget: float
    workers: int = 0
    needs: tuple[Need, ...] = ()
    console: bool = False
    cluster: bool = False
    plugins: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    on_demand: bool = False


# Importing these costs every process of pytest seconds, so only the tiers that use them load them.
HEAVY_PLUGINS = ("playwright", "schemathesis")

CONSOLE_TIER = Tier("console", 3)
TIERS = (
    Tier("unit", 1, workers=2),
    Tier("scenarios", 1),
    Tier("properties", 2, workers=2),
    Tier("contracts", 2, workers=2, needs=(POSTGRESQL, BUBBLEWRAP), plugins=("schemathesis",)),
    Tier("simulation", 3),
    Tier(
        "integration",
        10,
        needs=(POSTGRESQL, BUBBLEWRAP, COMPILER, OPENMPI, OPENSSH, OPENSSH_CLIENT),
        console=True,
        plugins=("schemathesis",),
        environments=("torch",),
    ),
    Tier("kubernetes", 15, needs=(POSTGRESQL,), cluster=True),
    Tier("e2e", 10, needs=(CHROMIUM, FONTS, BUBBLEWRAP, POSTGRESQL), console=True, plugins=("playwright",)),
    # Gigabytes of packages: run by those who name it.
    Tier(
        "frameworks",
        30,
        needs=(BUBBLEWRAP, OPENMPI),
        environments=("torch", "deepspeed", "tensorflow", "jax", "paddle"),
        on_demand=True,
    ),
)
TIER_NAMES = (CONSOLE_TIER.name, *(tier.name for tier in TIERS))


@dataclass(frozen=True)
class Outcome:
    """How a tier went; `trouble` says why it failed beyond single tests."""

    tier: Tier
    passed: int
    failed: int
    seconds: float
    trouble: str = ""

    @property
    def good(self) -> bool:
        return not self.failed and not self.trouble

    @property
    def over_budget(self) -> bool:
        return self.seconds > self.tier.budget * 60


def outcome_of(tier: Tier, exit_code: int, report: Path, seconds: float, *, may_be_empty: bool) -> Outcome:
    """Read a JUnit report; a run that left none, or hid a failure or a skip, failed."""
    passed, failed, skipped = count_junit(report)
    trouble = ""
    if passed + failed + skipped == 0 and exit_code in (0, 5):
        trouble = "" if may_be_empty else "collected no tests"
    elif skipped:
        trouble = f"{skipped} skipped"
    elif exit_code and not failed:
        trouble = f"ended with exit code {exit_code}"
    return Outcome(tier, passed, failed or int(bool(trouble)), seconds, trouble)


def count_junit(report: Path) -> tuple[int, int, int]:
    """(passed, failed, skipped) by the report's single cases: the sums at its top count an error twice."""
    try:
        tree = ElementTree.parse(report)
    except (OSError, ElementTree.ParseError):
        return 0, 0, 0
    passed = failed = skipped = 0
    for case in tree.iter("testcase"):
        said = {child.tag for child in case}
        if said & {"failure", "error"}:
            failed += 1
        elif "skipped" in said:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def table(outcomes: Sequence[Outcome]) -> str:
    lines = [f"{'tier':<12} {'passed':>7} {'failed':>7} {'time':>8} {'budget':>8}"]
    for one in outcomes:
        remarks = [one.trouble] if one.trouble else []
        if one.over_budget:
            remarks.append("over budget")
        counts = f"{one.tier.name:<12} {one.passed:>7} {one.failed:>7}"
        row = f"{counts} {clock(one.seconds):>8} {one.tier.budget:>4g} min"
        lines.append("  ".join([row, ", ".join(remarks)]).rstrip())
    return "\n".join(lines)


def last_line(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(one.passed for one in outcomes)} passed, {sum(one.failed for one in outcomes)} failed"


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
