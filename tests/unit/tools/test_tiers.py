"""The tiers are what the documentation says they are."""

from __future__ import annotations

import re

from tools.dev.places import ROOT
from tools.testing.tiers import EVERYTHING, TEN_MINUTES, TIERS, Tier


def row(tier: Tier) -> list[str]:
    quick = "yes" if tier.quick else ""
    lane = "" if tier.on_demand else "waits" if tier.waits else "computes"
    return [f"`{tier.name}`", quick, lane, f"{tier.budget:g} min"]


def test_the_reference_names_every_tier_with_its_lane_and_budget():
    page = (ROOT / "docs/reference/dev.md").read_text()
    table = page.partition("| tier | quick | lane | budget |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:5]] for line in table.splitlines()[2:]]
    assert sorted(rows) == sorted(row(tier) for tier in TIERS)


def test_every_folder_of_tests_is_a_tier_that_runs_or_is_run_on_demand():
    folders = {
        file.parent.relative_to(ROOT / "tests").parts[0] for file in (ROOT / "tests").rglob("test_*.py")
    }
    given = {re.sub(r"tests/", "", one.options[0]) for tier in TIERS for one in tier.passes}
    assert folders == given


def test_the_ten_minute_run_starts_nothing_that_takes_minutes():
    assert not any(tier.cluster or tier.environments for tier in TEN_MINUTES)


def test_nothing_that_runs_on_demand_is_part_of_everything():
    assert not any(tier.on_demand for tier in EVERYTHING)
