"""Tiers are counted from what really ran, and a tier that proves nothing fails."""

from __future__ import annotations

from pathlib import Path

from tools.testing.outcomes import Outcome, Took, cases, last_line, outcome_of, table
from tools.testing.tiers import Tier

UNIT = Tier("unit", 1)
PASS = '<testcase name="a"/>'
FAIL = '<testcase name="b"><failure message="no"/></testcase>'
ERROR = '<testcase name="c"><error message="no"/></testcase>'
SKIP = '<testcase name="d"><skipped message="later"/></testcase>'


def judged(tmp_path: Path, cases: str, exit_code: int = 0, *, may_be_empty: bool = False) -> Outcome:
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    return outcome_of(UNIT, [exit_code], [report], Took(1), may_be_empty=may_be_empty)


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
    outcome = outcome_of(UNIT, [3], [tmp_path / "missing.xml"], Took(1), may_be_empty=False)
    assert (outcome.failed, outcome.trouble) == (1, "ended with exit code 3")


def test_a_bad_exit_code_is_not_hidden_by_passed_tests(tmp_path: Path):
    assert judged(tmp_path, PASS, exit_code=2).trouble == "ended with exit code 2"


def test_a_pass_without_tests_is_not_hidden_by_another(tmp_path: Path):
    (tmp_path / "first.xml").write_text(f"<testsuite>{PASS}</testsuite>")
    (tmp_path / "second.xml").write_text("<testsuite/>")
    reports = [tmp_path / "first.xml", tmp_path / "second.xml"]
    assert outcome_of(UNIT, [0, 5], reports, Took(1), may_be_empty=False).trouble == "collected no tests"
    assert outcome_of(UNIT, [0, 5], reports, Took(1), may_be_empty=True).good


def test_a_pass_that_broke_is_not_hidden_by_the_failures_of_another(tmp_path: Path):
    (tmp_path / "first.xml").write_text(f"<testsuite>{FAIL}</testsuite>")
    reports = [tmp_path / "first.xml", tmp_path / "missing.xml"]
    assert outcome_of(UNIT, [1, 3], reports, Took(1), may_be_empty=False).trouble == "ended with exit code 3"


def test_a_failed_test_is_named_as_pytest_would_be_asked_for_it(tmp_path: Path):
    failed = '<testcase classname="{}" name="{}"><failure message="no"/></testcase>'
    where = [
        ("tests.unit.test_a.TestB", "test_c[x@y.z]"),
        ("tests.integration.cli.test_a", "test_b[1]@machine"),
        ("tests.integration.cli.test_a", "test_b[a@b-2]@cli/test_a.py]"),
        ("src/app/live.test.ts", "reconnects &gt; at once"),
    ]
    outcome = judged(tmp_path, "".join(failed.format(*names) for names in where), exit_code=1)
    assert outcome.failures == (
        "tests/unit/test_a.py::TestB::test_c[x@y.z]",
        "tests/integration/cli/test_a.py::test_b[1]",
        "tests/integration/cli/test_a.py::test_b[a@b-2]",
        "src/app/live.test.ts reconnects > at once",
    )


def test_how_long_a_test_took_is_read_from_the_report(tmp_path: Path):
    (tmp_path / "report.xml").write_text('<testsuite><testcase name="a" time="1.5"/></testsuite>')
    assert [case.seconds for case in cases(tmp_path / "report.xml")] == [1.5]


def test_the_table_marks_a_tier_over_its_budget():
    outcomes = [Outcome(UNIT, 12, 0, Took(61.0, 100)), Outcome(Tier("e2e", 5), 3, 1, Took(42.4))]
    assert table(outcomes).splitlines() == [
        "tier          passed  failed     time      CPU   budget",
        "unit              12       0     1:01     1:40    1 min  over budget",
        "e2e                3       1     0:42     0:00    5 min",
    ]
    assert last_line(outcomes) == "15 passed, 1 failed"
