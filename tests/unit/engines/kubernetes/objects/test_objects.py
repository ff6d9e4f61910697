"""Quantities and moments as Kubernetes writes them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from danlu.engines.kubernetes.objects.objects import moment, quantity


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1500m", Fraction(3, 2)),
        ("64Gi", 64 * 2**30),
        ("128974848", 128_974_848),
        ("1e3", 1000),
        ("1E3", 1000),
        ("12e-1", Fraction(6, 5)),
        ("2k", 2000),
        ("3E", 3 * 10**18),
        ("1Ei", 2**60),
        ("100n", Fraction(1, 10**7)),
        ("250u", Fraction(1, 4000)),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("0.1", Fraction(1, 10)),
        ("-1", -1),
        (8, 8),
    ],
)
def test_a_quantity_is_read_exactly(text, value):
    assert quantity(text) == value


@pytest.mark.parametrize("text", ["", "Gi", "1 Gi", "1gi", "1KB", "0x10", "1e", "1.2.3", "NaN"])
def test_what_is_no_quantity_is_refused(text):
    with pytest.raises(ValueError, match="is not a quantity"):
        quantity(text)


def test_a_moment_is_in_milliseconds():
    assert moment("2024-05-01T12:00:00Z") == 1_714_564_800_000
    assert moment("2024-05-01T12:00:00.250000Z") == 1_714_564_800_250


def test_a_moment_that_was_not_told_is_none():
    assert moment(None) is None
