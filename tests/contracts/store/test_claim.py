"""One control plane per database."""

from __future__ import annotations

import pytest

from danlu.domain.errors import Conflict
from danlu.domain.events import SignedIn


def test_a_claimed_database_is_written_as_before(open_store):
    store = open_store(busy_timeout=1.0)
    store.claim()
    store.record(SignedIn("lin", "password"), 1, actor="lin")

    assert store.latest_seq() == 1


def test_a_second_claim_is_refused_until_the_first_is_closed(open_store):
    first, second = open_store(), open_store()
    first.claim()
    first.claim()
    with pytest.raises(Conflict, match="another Danlu already uses this database"):
        second.claim()
    first.close()
    second.claim()
    second.close()
