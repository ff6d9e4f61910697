"""Tiers are counted from what really ran, and a tier that proves nothing fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.dev.steps import Stop
from tools.dev.test import left_out, understand, uses_other_cluster
from tools.dev.tiers import Outcome, Tier, last_line, outcome_of, table

UNIT = Tier("unit", 1)
PASS = '<testcase name="a"/>'
FAIL = '<testcase name="b"><failure message="no"/></testcase>'
ERROR = '<testcase name="c"><error message="no"/></testcase>'
SKIP = '<testcase name="d"><skipped message="later"/></testcase>'


def judged(tmp_path: Path, cases: str, exit_code: int = 0, *, may_be_empty: bool = False) -> Outcome:
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    return outcome_of(UNIT, exit_code, report, 1.0, may_be_empty=may_be_empty)


def test_passed_tests_make_a_good_tier(tmp_path: Path):
    outcome = judged(tmp_path, PASS + PASS)
    assert (outcome.passed, outcome.failed, outcome.good) == (2, 0, True)


def test_failures_and_errors_are_counted_together(tmp_path: Path):
    outcome = judged(tmp_path, PASS + FAIL + ERROR, exit_code=1)
    assert (outcome.passed, outcome.failed, outcome.good) == (1, 2, False)


def test_a_skipped_test_fails_the_tier(tmp_path: Path):
    outcome = judged(tmp_path, PASS + SKIP)
    assert (outcome.failed, outcome.trouble) == (1, "1 skipped")


def test_a_tier_without_tests_fails(tmp_path: Path):
    outcome = judged(tmp_path, "", exit_code=5)
    assert (outcome.failed, outcome.trouble) == (1, "collected no tests")


def test_a_tier_may_be_empty_when_tests_were_chosen(tmp_path: Path):
    assert judged(tmp_path, "", exit_code=5, may_be_empty=True).good


def test_a_run_that_left_no_report_failed(tmp_path: Path):
    outcome = outcome_of(UNIT, 3, tmp_path / "missing.xml", 1.0, may_be_empty=False)
    assert (outcome.failed, outcome.trouble) == (1, "ended with exit code 3")


def test_a_bad_exit_code_is_not_hidden_by_passed_tests(tmp_path: Path):
    assert judged(tmp_path, PASS, exit_code=2).trouble == "ended with exit code 2"


def test_the_table_marks_a_tier_over_its_budget():
    outcomes = [Outcome(UNIT, 12, 0, 61.0), Outcome(Tier("e2e", 5), 3, 1, 42.4)]
    assert table(outcomes).splitlines() == [
        "tier          passed  failed     time   budget",
        "unit              12       0     1:01    1 min  over budget",
        "e2e                3       1     0:42    5 min",
    ]
    assert last_line(outcomes) == "15 passed, 1 failed"


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    for name in ("unit", "scenarios"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_without_words_every_tier_that_exists_runs_and_the_console(tests: Path):
    request = understand([], tests)
    assert [tier.name for tier in request.tiers] == ["console", "unit", "scenarios"]
    assert request.whole


def test_named_tiers_run_in_their_own_order(tests: Path):
    assert [tier.name for tier in understand(["e2e", "unit"], tests).tiers] == ["unit", "e2e"]


def test_options_are_left_to_pytest(tests: Path):
    request = understand(["unit", "-k", "stamp"], tests)
    assert (request.options, request.whole) == (["-k", "stamp"], False)


def test_a_path_chooses_its_tier(tests: Path):
    request = understand(["tests/unit/tools/test_tiers.py"], tests)
    assert [tier.name for tier in request.tiers] == ["unit"]
    assert request.paths == {"unit": ["tests/unit/tools/test_tiers.py"]}


def test_a_misspelt_tier_is_answered_with_the_likely_one(tests: Path):
    with pytest.raises(Stop, match=r"no tier 'scenario'\. Did you mean 'scenarios'"):
        understand(["scenario"], tests)


CLUSTER = Tier("kubernetes", 8, cluster=True)


def test_without_root_the_cluster_tier_is_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("tools.dev.test.is_root_on_debian", lambda: False)
    assert left_out(CLUSTER, {})
    assert "'kubernetes' is left out" in capsys.readouterr().err
    assert not left_out(UNIT, {})


def test_continuous_integration_leaves_no_tier_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tools.dev.test.is_root_on_debian", lambda: False)
    assert not left_out(CLUSTER, {"CI": "true"})


def test_only_who_names_the_tier_tests_on_another_cluster(tests: Path):
    (tests / "kubernetes").mkdir()
    mine = {"KUBECONFIG": "/home/me/.kube/config"}
    assert uses_other_cluster(understand(["kubernetes"], tests), mine)
    assert not uses_other_cluster(understand([], tests), mine)
    assert not uses_other_cluster(understand(["kubernetes"], tests), {})
