"""What holds of every engine holds on a real cluster: the very same suite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.engine import test_engine as suite
from tests.kubernetes.harness import KubernetesHarness, harness_on
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place

pytestmark = pytest.mark.timeout(300)
CLAIMS = {name: claim for name, claim in vars(suite).items() if name.startswith("test_")}
globals().update(CLAIMS)


@pytest.fixture
def harness(kube: Kube, place: Place, tmp_path: Path) -> Iterator[KubernetesHarness]:
    with harness_on(kube, place, tmp_path) as made:
        yield made
