"""What the last lines of a failed task's log tell: pure, bounded, in time that grows with their length only."""

from __future__ import annotations

from danlu.domain.failures.patterns import Pattern, SitePattern
from danlu.domain.failures.reading import LAST_BYTES, LAST_LINES, read_failure

__all__ = ["LAST_BYTES", "LAST_LINES", "Pattern", "SitePattern", "read_failure"]
