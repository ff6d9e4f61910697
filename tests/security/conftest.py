"""The real thing, to be attacked."""

from tests.integration.runtime.conftest import own_runs, runs, shared_runs

__all__ = ["own_runs", "runs", "shared_runs"]
