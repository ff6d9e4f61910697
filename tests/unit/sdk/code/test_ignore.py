"""What .gitignore files say, case by case as Git itself decides."""

from __future__ import annotations

import pytest

from danlu.sdk.code.ignore import default_rules, ignored, rules_in

CASES = [
    ("*.pt", "model.pt", False, True),
    ("*.pt", "deep/er/model.pt", False, True),
    ("/model.pt", "deep/model.pt", False, False),
    ("/model.pt", "model.pt", False, True),
    ("data/", "data", True, True),
    ("data/", "data", False, False),
    ("data/", "src/data", True, True),
    ("src/data", "src/data", True, True),
    ("src/data", "other/src/data", True, False),
    ("*.log\n!keep.log", "keep.log", False, False),
    ("!keep.log\n*.log", "keep.log", False, True),
    ("# a comment", "# a comment", False, False),
    ("\\#odd", "#odd", False, True),
    ("\\!odd", "!odd", False, True),
    ("trailing   ", "trailing", False, True),
    ("kept\\ ", "kept ", False, True),
    ("a/**/z", "a/z", False, True),
    ("a/**/z", "a/b/c/z", False, True),
    ("**/z", "a/b/z", False, True),
    ("a/**", "a/b", False, True),
    ("a/**", "a", True, False),
    ("run?", "run1", False, True),
    ("run?", "run10", False, False),
    ("[a-c].txt", "b.txt", False, True),
    ("[!a-c].txt", "b.txt", False, False),
    ("[!a-c].txt", "d.txt", False, True),
    ("[unclosed", "[unclosed", False, True),
    ("*", "anything", True, True),
    ("foo*bar", "foo/bar", False, False),
    ("a.b", "axb", False, False),
    ("Ünïcode", "Ünïcode", False, True),
]


@pytest.mark.parametrize(("text", "path", "is_folder", "expected"), CASES)
def test_a_pattern_means_what_git_says(text, path, is_folder, expected):
    assert ignored(rules_in(text), path, is_folder) is expected


def test_a_nested_file_counts_in_its_folder_only_and_wins_there():
    rules = rules_in("*.bin") + rules_in("!*.bin\n/top", base="sub/")
    assert ignored(rules, "x.bin", False)
    assert not ignored(rules, "sub/x.bin", False)
    assert ignored(rules, "sub/top", False)
    assert not ignored(rules, "top", False)


@pytest.mark.parametrize("name", [".git", "__pycache__", "deep/.venv", "node_modules"])
def test_what_is_never_code_is_left_out_by_default(name):
    assert ignored(default_rules(), name, True)


def test_a_default_may_be_brought_back_but_git_itself_never():
    rules = default_rules() + rules_in("!node_modules/\n!.git")
    assert not ignored(rules, "node_modules", True)
    assert ignored(rules, ".git", True)
