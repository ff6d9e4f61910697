"""Pytest hooks that make a skip or an expected failure a failure: a test that did not run proves nothing."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

REFUSED = "Skipped and expected-to-fail tests are not allowed; fix the test or remove it. Reason given: "


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    if report.skipped or hasattr(report, "wasxfail"):
        reason = getattr(report, "wasxfail", "") or reason_of(report.longrepr)
        vars(report).pop("wasxfail", None)
        report.outcome = "failed"
        report.longrepr = REFUSED + (reason or "none")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    if report.skipped:
        report.longrepr = REFUSED + (reason_of(report.longrepr) or "none")
        report.outcome = "failed"
    return report


def reason_of(longrepr: object) -> str:
    """A skip's report is (file, line, reason)."""
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr or "")
