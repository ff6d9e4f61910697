"""Patterns of names, and the first rule that decides."""

from __future__ import annotations

import re

import pytest

from danlu.sdk.copying.globs import Filter, GlobRule, translated


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("*.jpg", ["a.jpg", ".jpg"], ["a/b.jpg", "a.jpeg"]),
        ("a?c", ["abc", "a界c"], ["ac", "a/c"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]),
        ("**.txt", ["a.txt", "x/y/a.txt"], ["a.txtx"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "-x"]),
        ("[!a]x", ["bx"], ["ax", "/x"]),
        ("x.{jpg,p?g}", ["x.jpg", "x.png"], ["x.gif"]),
        (r"a\*b", ["a*b"], ["axb"]),
        ("a[b", ["a[b"], ["ab"]),
        ("a[z-a]b", ["azb", "a-b"], ["ayb"]),
        ("a.b", ["a.b"], ["axb"]),
    ],
)
def test_a_pattern_matches_names(pattern: str, yes: list[str], no: list[str]) -> None:
    found = re.compile(translated(pattern), re.DOTALL)
    assert [one for one in yes + no if found.fullmatch(one)] == yes


@pytest.mark.parametrize(
    ("rules", "taken", "left"),
    [
        ([], ["a", "b/c"], []),
        ([(True, "*.py")], ["a.py", "x/a.py"], ["a.txt", "x/b"]),
        ([(False, "*.tmp")], ["a", "x/a"], ["a.tmp", "x/y/b.tmp"]),
        ([(False, "cache")], ["a", "x/cached"], ["cache", "cache/a", "x/cache/y/z"]),
        ([(False, "cache/")], ["cache"], ["cache/a", "x/cache/a"]),
        ([(False, "/cache")], ["x/cache"], ["cache", "cache/a"]),
        ([(True, "keep.log"), (False, "*.log")], ["keep.log", "a"], ["a.log"]),
        ([(False, "*.log"), (True, "keep.log")], ["a"], ["keep.log", "a.log"]),
        ([(False, "a/b")], ["b", "ba/b"], ["a/b", "x/a/b/c"]),
    ],
)
def test_the_first_rule_that_matches_decides(
    rules: list[tuple[bool, str]], taken: list[str], left: list[str]
) -> None:
    wanted = Filter([GlobRule(*one) for one in rules])
    assert [one for one in taken + left if wanted.takes(one.encode())] == taken


def test_folders_that_can_have_nothing_are_not_entered() -> None:
    assert not Filter([GlobRule(False, "cache")]).enters(b"x/cache/")
    assert Filter([GlobRule(True, "cache/keep"), GlobRule(False, "cache")]).enters(b"cache/")
    only = Filter(only="train/*/img?.png")
    assert [only.enters(one) for one in (b"train/", b"test/", b"train/cats/", b"train/cats/x/")] == [
        True,
        False,
        True,
        False,
    ]
    assert Filter(only="**/x").enters(b"a/b/c/")


def test_names_that_are_no_utf_8_are_matched_as_well() -> None:
    assert Filter([GlobRule(False, "*.bad")]).takes(b"\xff.good")
    assert not Filter([GlobRule(False, "?.bad")]).takes(b"\xff.bad")
