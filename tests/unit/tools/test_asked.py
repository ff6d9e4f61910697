"""What `./dev test` runs follows from the words it was given."""

from __future__ import annotations

import datetime

import pytest

from tools.dev.places import STATE
from tools.dev.steps import Stop
from tools.dev.test import environment_of, left_out, pytest_command, with_cluster
from tools.testing.asked import understand
from tools.testing.tiers import TIERS, Tier

QUICK = ["scenarios", "unit", "properties", "simulation", "contracts", "console"]
BY_NAME = {tier.name: tier for tier in TIERS}


def names(*args: str) -> list[str]:
    return [tier.name for tier in understand(list(args)).tiers]


def test_without_words_the_ten_minute_run_is_meant():
    assert names() == [*QUICK, "smoke"]
    assert understand([]).whole


def test_all_runs_every_tier_and_no_test_twice():
    assert names("--all") == [*QUICK, "integration", "security", "kubernetes", "e2e"]


def test_named_tiers_run_in_their_own_order():
    assert names("e2e", "unit") == ["unit", "e2e"]


def test_a_tier_on_demand_runs_for_those_who_name_it():
    assert names("frameworks") == ["frameworks"]


def test_long_runs_go_all_the_way_through_every_tier_or_the_named_one():
    assert names("--long") == names("--all")
    assert names("--long", "properties") == ["properties"]
    assert understand(["--long"]).long


def test_options_are_left_to_pytest():
    asked = understand(["unit", "-k", "stamp", "--all"])
    assert (asked.options, asked.whole) == (("-k", "stamp", "--all"), False)


def test_options_for_pytest_leave_the_console_out():
    assert "console" not in names("-k", "stamp")


def test_a_path_chooses_its_tier():
    asked = understand(["tests/unit/tools/test_asked.py"])
    assert [tier.name for tier in asked.tiers] == ["unit"]
    assert asked.paths == {"unit": ["tests/unit/tools/test_asked.py"]}


def test_a_misspelt_tier_is_answered_with_the_likely_one():
    with pytest.raises(Stop, match=r"no tier 'scenario'\. Did you mean 'scenarios'"):
        understand(["scenario"])


def test_tiers_and_all_of_them_contradict_each_other():
    with pytest.raises(Stop, match="or give --all, not both"):
        understand(["unit", "--all"])


def test_the_seed_is_the_days_unless_one_is_given():
    assert understand([], datetime.date(2026, 11, 17)).seed == 739_937
    assert understand([], datetime.date(2026, 11, 18)).seed == 739_938
    assert understand(["--seed", "7"]).seed == understand(["--seed=7"]).seed == 7


@pytest.mark.parametrize("args", [["--seed"], ["--seed="], ["--seed", "x"], ["--seed=-1"], ["--seed", "²"]])
def test_a_seed_that_is_no_number_is_refused(args: list[str]):
    with pytest.raises(Stop, match="--seed takes a whole number"):
        understand(args)


def test_changes_are_compared_with_the_commit_that_is_named():
    assert understand([]).changed is None
    assert understand(["--changed"]).changed == ""
    assert understand(["--changed=HEAD~3"]).changed == "HEAD~3"


def command(tier: str, *args: str) -> str:
    asked = understand([tier, *args])
    one = BY_NAME[tier].passes[0]
    return " ".join(pytest_command(BY_NAME[tier], one, asked, STATE / "report.xml"))


def test_a_whole_tier_is_spread_over_two_workers():
    assert "-n 2 --dist loadgroup tests/integration" in command("integration")


def test_what_somebody_looks_at_by_hand_runs_in_one_process():
    assert "-n 2" not in command("integration", "-k", "stamp")
    assert command("unit", "-x").endswith("tests/unit -x")


def test_the_seed_reaches_hypothesis():
    assert "--hypothesis-seed=7" in command("unit", "--seed=7")


CLUSTER = Tier("kubernetes", 8, cluster=True)


def test_without_root_the_cluster_tier_is_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("tools.dev.test.is_root_on_debian", lambda: False)
    assert left_out(CLUSTER, {})
    assert "'kubernetes' is skipped" in capsys.readouterr().err
    assert not left_out(Tier("unit", 1), {})


def test_continuous_integration_leaves_no_tier_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tools.dev.test.is_root_on_debian", lambda: False)
    assert not left_out(CLUSTER, {"CI": "true"})


def test_only_who_names_the_tier_tests_on_another_cluster(capsys: pytest.CaptureFixture[str]):
    mine = {"KUBECONFIG": "/home/me/.kube/config"}
    named = with_cluster(understand(["kubernetes"]), mine)
    assert environment_of(named)["KUBECONFIG"] == mine["KUBECONFIG"]
    assert "KUBECONFIG=/home/me/.kube/config; 'KUBECONFIG= ./dev test" in capsys.readouterr().err
    for asked, env in (("--all", mine), ("unit", mine), ("kubernetes", {"KUBECONFIG": ""})):
        assert environment_of(with_cluster(understand([asked]), env))["KUBECONFIG"] == ""
