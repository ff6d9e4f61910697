"""NumPy is loaded by the first computation, not by the modules that compute."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
import danlu.scheduler, danlu.telemetry.series
from danlu.domain.arrays import np
assert "numpy" not in sys.modules
assert np.arange(3).sum() == 3
import numpy
assert np.arange is numpy.arange and "arange" in vars(np)
"""


def test_numpy_is_loaded_when_it_is_first_used() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=100)
