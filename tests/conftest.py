"""What holds for all tiers: nothing is skipped, and asynchronous tests run on asyncio."""

from __future__ import annotations

import pytest

from tools.dev.strict_tests import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["anyio_backend", "pytest_make_collect_report", "pytest_runtest_makereport"]


pytest_plugins = ["tests.postgres"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
