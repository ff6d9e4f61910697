"""Names of files pass through text unchanged, whatever bytes they are."""

from __future__ import annotations

import pytest

from danlu.domain.file_names import BadPath, escaped_path, path_of, shown_name

ODD = [b"plain.txt", "损失 曲线.csv".encode(), b"50%.txt", b"a%41", b"new\nline", b"\xff\xfe", b"\x1b[31m", "\u202egnp.exe".encode(), b"-rf"]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_name_comes_back_as_it_was(name: bytes) -> None:
    text = escaped_path(b"out/" + name)
    assert path_of(text) == b"out/" + name
    assert text.isprintable()
    assert text.encode()


def test_what_can_be_printed_stays_readable() -> None:
    assert escaped_path("损失 曲线.csv".encode()) == "损失 曲线.csv"
    assert shown_name(b"50%.txt") == "50%.txt"
    assert shown_name(b"a\nb\xff") == "a%0Ab%FF"


@pytest.mark.parametrize(
    "path", ["../up", "a/../../b", "/etc/passwd", "a%00b", "%2e%2e/up", "x" * 5000, "a/%2E%2E"]
)
def test_no_path_leads_out_of_its_folder(path: str) -> None:
    with pytest.raises(BadPath):
        path_of(path)


def test_empty_steps_are_none() -> None:
    assert path_of("a//./b/") == b"a/b"
