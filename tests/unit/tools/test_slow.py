"""The slowest tests are told from what the last whole runs left."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tools.dev.steps import Stop
from tools.testing.slow import MOST, slowest
from tools.testing.tiers import Tier

UNIT, E2E = Tier("unit", 1), Tier("e2e", 1)


def report(folder: Path, name: str, *seconds: float) -> None:
    cases = [
        f'<testcase classname="tests.unit.test_a" name="t{at}" time="{s}"/>' for at, s in enumerate(seconds)
    ]
    (folder / name).write_text(f"<s>{''.join(cases)}</s>")


def test_the_slowest_come_first_over_all_tiers_and_passes(tmp_path: Path):
    report(tmp_path, "unit-0.xml", 1, 30)
    report(tmp_path, "e2e-0.xml", 2)
    report(tmp_path, "e2e-1.xml", 90)
    assert slowest(tmp_path, [UNIT, E2E]).splitlines() == [
        "   90.00 s  e2e          tests/unit/test_a.py::t0",
        "   30.00 s  unit         tests/unit/test_a.py::t1",
        "    2.00 s  e2e          tests/unit/test_a.py::t0",
        "    1.00 s  unit         tests/unit/test_a.py::t0",
        "",
        "unit: 2 tests, 0:31 in all, just now",
        "e2e: 2 tests, 1:32 in all, just now",
    ]


def test_fifty_are_enough_and_old_reports_say_so(tmp_path: Path):
    report(tmp_path, "unit-0.xml", *range(80))
    old = time.time() - 3 * 3600
    os.utime(tmp_path / "unit-0.xml", (old, old))
    lines = slowest(tmp_path, [UNIT]).splitlines()
    assert lines.index("") == MOST
    assert lines[-1].endswith("3 hours ago")


def test_without_reports_it_says_how_to_get_some(tmp_path: Path):
    with pytest.raises(Stop, match=r"run '\./dev test' or '\./dev test TIER'"):
        slowest(tmp_path, [UNIT])
