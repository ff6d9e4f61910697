"""Limits of the operating system for this process, and memory given back to it."""

from __future__ import annotations

import ctypes
import resource
from contextlib import suppress

_ENOUGH = 65_536


def allow_many_files() -> None:
    """The log of every running pod is a connection of its own: as many as may be open, and never fewer than now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def give_back() -> None:
    """What starting has freed goes back to the system: a twentieth of an idle server. glibc alone keeps it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
