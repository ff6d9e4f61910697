"""Sizes and times as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.domain.quantity import (
    exact_size,
    parse_size,
    parse_time,
    show_milli,
    show_size,
    show_time,
    time_in_chinese,
    time_said,
)
from danlu.domain.words import Words


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64GiB", 64 * 2**30),
        ("1.5 GiB", 3 * 2**29),
        ("512MB", 512 * 10**6),
        ("10Gi", 10 * 2**30),
        ("7B", 7),
        ("0", 0),
    ],
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    ("text", "millis"),
    [("90s", 90_000), ("6h", 21_600_000), ("1h30m", 5_400_000), ("2d", 172_800_000), ("250ms", 250)],
)
def test_a_time_is_read(text: str, millis: int) -> None:
    assert parse_time(text) == millis


@pytest.mark.parametrize("text", ["", "GiB", "64 GiBs", "-1GiB", "1e3", "six"])
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="such as 512MiB"):
        parse_size(text)


@pytest.mark.parametrize("text", ["", "5", "5x", "h", "1h 30", "-5m", "m5"])
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="such as 90s"):
        parse_time(text)


@given(st.integers(0, 2**55))
def test_an_exact_size_reads_back(size: int) -> None:
    assert parse_size(exact_size(size)) == size


@given(st.integers(0, 10**13))
def test_a_shown_time_reads_back(millis: int) -> None:
    assert parse_time(show_time(millis)) == millis


def test_what_is_shown_is_short() -> None:
    assert [show_size(8 * 2**30), show_size(1_500_000_000), show_size(12)] == ["8GiB", "1.40GiB", "12B"]
    assert [show_milli(8000), show_milli(500), show_milli(1250)] == ["8", "0.5", "1.25"]


@pytest.mark.parametrize(
    ("millis", "english", "chinese"),
    [
        (0, "0s", "0 秒"),
        (90, "90ms", "90 毫秒"),
        (6_900_000, "1h55m", "1 小时 55 分钟"),
        (86_400_000 * 3 + 30_000, "3d30s", "3 天 30 秒"),
        (750_000, "12m30s", "12 分钟 30 秒"),
    ],
)
def test_a_duration_in_a_sentence_is_natural_in_both_languages(
    millis: int, english: str, chinese: str
) -> None:
    assert time_said(millis) == Words(english, chinese)


@pytest.mark.parametrize(
    ("seconds", "chinese"),
    [
        (59, "59 秒"),
        (7500, "2 小时 5 分钟"),
        (7503, "2 小时 5 分钟"),
        (3 * 86_400 + 4 * 3600 + 5, "3 天 4 小时"),
        (86_400 + 59, "1 天"),
    ],
)
def test_a_short_form_has_two_units_as_in_the_console(seconds: int, chinese: str) -> None:
    assert time_in_chinese(1000 * seconds, parts=2) == chinese
