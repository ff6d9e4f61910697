"""One control plane per database."""

from __future__ import annotations

import pytest

from danlu.domain.errors import Conflict


def test_a_second_claim_is_refused_until_the_first_is_closed(open_store):
    first, second = open_store(), open_store()
    first.claim()
    first.claim()
    with pytest.raises(Conflict, match="another Danlu controls this database"):
        second.claim()
    first.close()
    second.claim()
    second.close()
