"""The key of the audit log: made once, kept to, and never quietly replaced."""

from __future__ import annotations

import pytest

from danlu.data.audit_key import audit_key
from danlu.domain.errors import Unavailable


def test_the_first_makes_it_for_what_is_noted_from_then_on(tmp_path):
    first = audit_key(tmp_path, lambda: 41)
    again = audit_key(tmp_path, lambda: 99)
    assert first.since == again.since == 42
    assert first.secret == again.secret
    assert len(first.secret) == 32
    assert (tmp_path / "audit-key").stat().st_mode & 0o777 == 0o600
    assert first.secret.hex() not in repr(first)


@pytest.mark.parametrize("kept", [b"", b"{}", b"not JSON", b'{"key": "zz", "since": 1}'])
def test_one_that_cannot_be_read_is_not_replaced(tmp_path, kept):
    (tmp_path / "audit-key").write_bytes(kept)
    with pytest.raises(Unavailable, match="audit-key"):
        audit_key(tmp_path, lambda: 0)
    assert (tmp_path / "audit-key").read_bytes() == kept
