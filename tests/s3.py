"""A real S3 server, one per test run: a pytest plugin; `s3` is the server, `bucket` the name of a fresh bucket there.

Made by `tools/testing/s3.py`, which benches use too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tools.testing.s3 import S3Server, start_s3


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    server = start_s3()
    yield server
    server.stop()


@pytest.fixture
def bucket(s3: S3Server) -> str:
    return s3.bucket()
