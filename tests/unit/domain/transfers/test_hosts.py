"""Hosts in addresses: everybody who reads one is to mean the same machine, or what was checked is not what is asked."""

from __future__ import annotations

import pytest

from danlu.domain.transfers.ends import read_end
from danlu.domain.words import BadValue


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("git+https://Bücher.example:8443/a.git", "https://xn--bcher-kva.example:8443/a.git"),
        ("git+https://faß.example/a.git", "https://fass.example/a.git"),
        ("https://例え.example/a", "https://xn--r8jz45g.example/a"),
        ("https://１２７.0.0.1/a", "https://127.0.0.1/a"),
        ("https://a_b.example./a", "https://a_b.example./a"),
        ("https://[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
    ],
)
def test_a_host_is_kept_as_the_resolver_has_it(written: str, kept: str) -> None:
    assert read_end(written).address == kept


@pytest.mark.parametrize(
    "host",
    [
        "a%2eexample",
        "%31%32%37.0.0.1",
        "a\\b.example",
        "a,b.example",
        "[fe80::1%25eth0]",
        "a..b.ü",
        "-o.example",
    ],
)
def test_a_host_that_programs_read_differently_is_refused(host: str) -> None:
    with pytest.raises(BadValue):
        read_end(f"git+https://{host}/a.git")
