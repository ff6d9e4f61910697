"""What the program that installs packages tells: no more is believed than does no harm."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from danlu.runtime.watching.preparing import CannotPrepare, Preparing


@pytest.fixture
def preparing() -> Iterator[Preparing]:
    one = Preparing()
    yield one
    os.close(one.fd)
    os.close(one.tells)


def tell(one: Preparing, *said: object) -> list[str]:
    for line in said:
        os.write(one.tells, line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
    return one.read()


def test_steps_are_those_that_there_are(preparing: Preparing) -> None:
    assert tell(preparing, {"step": "packages"}, {"step": "code"}, b"{\n", [1], {"step": ["packages"]}) == [
        "packages"
    ]
    assert tell(preparing, *({"step": "packages"} for _ in range(200))) == ["packages"] * 49


def test_nothing_counts_after_it_is_ready(preparing: Preparing) -> None:
    tell(preparing, {"ready": "/mnt/eve/\x1b[2Jenv"}, {"failed": "install", "text": "late"})
    assert (preparing.ready, preparing.environment, preparing.failure) == (True, "/mnt/eve/ [2Jenv", None)


def test_a_failure_is_of_a_known_kind_and_short(preparing: Preparing) -> None:
    tell(preparing, {"failed": "made up", "text": "x" * 1500})
    assert preparing.failure == CannotPrepare("install", "x" * 1000)
    assert not preparing.ready


def test_a_line_without_end_ends_the_listening(preparing: Preparing) -> None:
    tell(preparing, b"x" * 5000)
    assert (preparing.done, preparing.ready) == (True, False)
