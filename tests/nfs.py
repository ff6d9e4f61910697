"""A real NFS server, one per test run: a pytest plugin; `nfs` is the server, `exported` a fresh folder that it exports.

Made by `tools/testing/nfs.py`; it needs root."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.testing.nfs import NfsServer, start_nfs


@pytest.fixture(scope="session")
def nfs() -> Iterator[NfsServer]:
    server = start_nfs()
    yield server
    server.stop()


@pytest.fixture
def exported(nfs: NfsServer) -> Path:
    return nfs.folder()
