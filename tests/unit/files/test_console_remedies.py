"""The console offers the remedies that the server takes."""

from __future__ import annotations

import json

from danlu.domain.job import USUAL_REMEDIES
from danlu.files.policies import ALLOWED, OF_ROLES
from tools.dev.places import ROOT


def test_the_create_page_knows_the_remedies_of_every_trouble() -> None:
    known = json.loads((ROOT / "console/src/features/submit/remedies.json").read_text())
    assert known == {
        "allowed": {trouble: list(remedies) for trouble, remedies in ALLOWED.items()},
        "of_roles": [trouble for trouble in ALLOWED if trouble in OF_ROLES],
        "usual": dict(USUAL_REMEDIES),
    }
