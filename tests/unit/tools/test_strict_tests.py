"""A skipped or expected failure is a failure."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

CONFTEST = "from tools.dev.strict_tests import pytest_make_collect_report, pytest_runtest_makereport"


@pytest.fixture
def strict(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    # Other plugins would be imported anew by each inner run, seconds at a time.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(CONFTEST)
    return pytester


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.skip(reason='later')\ndef test_it(): pass",
        "@pytest.mark.skipif(True, reason='later')\ndef test_it(): pass",
        "def test_it(): pytest.skip('later')",
        "@pytest.mark.xfail(reason='later')\ndef test_it(): assert False",
        "@pytest.mark.xfail(reason='later')\ndef test_it(): pass",
    ],
    ids=["skip", "skipif", "skip inside", "expected failure", "unexpected pass"],
)
def test_a_test_that_is_not_held_to_pass_fails(strict: pytest.Pytester, body: str):
    strict.makepyfile(f"import pytest\n{body}\n")
    result = strict.runpytest_inprocess("-p", "no:cacheprovider")
    counted = result.parseoutcomes()
    # A mark speaks while the test is set up, which pytest counts as an error.
    assert counted.get("failed", 0) + counted.get("errors", counted.get("error", 0)) == 1
    assert set(counted) <= {"failed", "errors", "error"}
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*are not allowed*later*"])


def test_a_fixture_that_skips_fails_its_test(strict: pytest.Pytester):
    strict.makepyfile(
        "import pytest\n@pytest.fixture\ndef thing(): pytest.skip('later')\ndef test_it(thing): pass\n"
    )
    strict.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(errors=1)


def test_a_module_that_skips_itself_fails(strict: pytest.Pytester):
    strict.makepyfile("import pytest\npytest.importorskip('no_such_module')\ndef test_it(): pass\n")
    result = strict.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*are not allowed*no_such_module*"])


def test_other_tests_pass_as_ever(strict: pytest.Pytester):
    strict.makepyfile("def test_it(): pass\n")
    strict.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
