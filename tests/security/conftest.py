"""Attacks on the real thing: a launcher and supervisors, or a whole server."""

from __future__ import annotations

from tests.integration.runtime.conftest import Runs, own_runs, runs, shared_runs

__all__ = ["Runs", "own_runs", "runs", "shared_runs"]
