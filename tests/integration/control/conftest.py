from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.control.office import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.store.close()
