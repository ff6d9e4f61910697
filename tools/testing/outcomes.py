"""How tiers went, by the reports that their tests left, and the table that tells it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.testing.tiers import Tier

_GROUP = re.compile(r"^([^\[]*(?:\[.*\])?)@[^@]*$")
"""What xdist adds to the name of a test that is marked with a group."""


@dataclass(frozen=True)
class Took:
    """Time by the clock, and of the cores, of a process and all that it waited for."""

    seconds: float
    cpu_s: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """How a tier went; `trouble` says why it failed beyond single tests."""

    tier: Tier
    passed: int
    failed: int
    took: Took
    trouble: str = ""
    failures: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        return not self.failed and not self.trouble

    @property
    def over_budget(self) -> bool:
        return self.took.seconds > self.tier.budget * 60


@dataclass(frozen=True)
class Case:
    """One test in a report, named as pytest would be asked for it."""

    name: str
    seconds: float
    verdict: str


def outcome_of(
    tier: Tier, exit_codes: Sequence[int], reports: Sequence[Path], took: Took, *, may_be_empty: bool
) -> Outcome:
    """Read the JUnit reports; a run that left none, or hid a failure or a skip, failed."""
    found = [list(cases(report)) for report in reports]
    verdicts = [case.verdict for part in found for case in part]
    passed, failed = verdicts.count("passed"), verdicts.count("failed")
    skipped = verdicts.count("skipped")
    trouble = ""
    for code, part in zip(exit_codes, found, strict=True):
        if not part and code in (0, 5):
            trouble = trouble or ("" if may_be_empty else "collected no tests")
        elif code and not any(case.verdict == "failed" for case in part):
            trouble = f"ended with exit code {code}"
    if skipped:
        trouble = f"{skipped} skipped"
    failures = tuple(case.name for part in found for case in part if case.verdict == "failed")
    return Outcome(tier, passed, failed or int(bool(trouble)), took, trouble, failures)


def cases(report: Path) -> Iterator[Case]:
    """The single cases of a report: the sums at its top count an error twice."""
    try:
        tree = ElementTree.parse(report)
    except (OSError, ElementTree.ParseError):
        return
    for case in tree.iter("testcase"):
        said = {child.tag for child in case}
        verdict = "failed" if said & {"failure", "error"} else "skipped" if "skipped" in said else "passed"
        yield Case(name_of(case), float(case.get("time") or 0), verdict)


def name_of(case: ElementTree.Element) -> str:
    """`tests/unit/test_x.py::TestY::test_z`, from the dotted name of module and class that JUnit knows."""
    name = _GROUP.sub(r"\1", case.get("name") or "")
    words = (case.get("classname") or "").split(".")
    file = next((place for place, word in enumerate(words) if word.startswith("test_")), None)
    if words[0] != "tests" or file is None:
        return " ".join(filter(None, [case.get("classname"), name]))
    return "::".join(["/".join(words[: file + 1]) + ".py", *words[file + 1 :], name])


def table(outcomes: Sequence[Outcome]) -> str:
    lines = [f"{'tier':<12} {'passed':>7} {'failed':>7} {'time':>8} {'CPU':>8} {'budget':>8}"]
    for one in outcomes:
        remarks = [one.trouble] if one.trouble else []
        if one.over_budget:
            remarks.append("over budget")
        counts = f"{one.tier.name:<12} {one.passed:>7} {one.failed:>7}"
        times = f"{clock(one.took.seconds):>8} {clock(one.took.cpu_s):>8}"
        row = f"{counts} {times} {one.tier.budget:>4g} min"
        lines.append("  ".join([row, ", ".join(remarks)]).rstrip())
    return "\n".join(lines)


def last_line(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(one.passed for one in outcomes)} passed, {sum(one.failed for one in outcomes)} failed"


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
