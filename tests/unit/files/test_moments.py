"""Moments as people write them."""

from __future__ import annotations

import pytest

from danlu.files.moments import Moment, parse_moment, show_moment


@pytest.mark.parametrize(
    ("written", "millis"),
    [
        (1_767_225_600_000, 1_767_225_600_000),
        ("1767225600000", 1_767_225_600_000),
        ("2026-01-01T00:00:00Z", 1_767_225_600_000),
        ("2026-01-01T08:00:00+08:00", 1_767_225_600_000),
        ("2026-01-01t00:00:00.250z", 1_767_225_600_250),
    ],
)
def test_a_moment_is_written_as_rfc_3339_or_as_milliseconds(written: object, millis: int):
    assert parse_moment(written) == Moment(millis)


def test_a_time_with_a_minus_is_that_long_before_now():
    assert parse_moment("-1h30m").seen(10_000_000) == 10_000_000 - 5_400_000
    assert str(parse_moment("-1h30m")) == "-1h30m"


@pytest.mark.parametrize(
    "written",
    [
        "yesterday",
        "2026-01-01",
        "2026-01-01T00:00:00",
        "2026-02-30T00:00:00Z",
        -5,
        True,
        1.5,
        None,
        "-",
        10**15,
        "999999999999999",
        "9" * 20,
    ],
)
def test_what_is_no_moment_is_told_how_to_write_one(written: object):
    with pytest.raises(ValueError, match=r"such as|write 2026"):
        parse_moment(written)


def test_a_moment_is_shown_in_utc():
    assert show_moment(1_767_225_600_250) == "2026-01-01T00:00:00.250Z"
