"""What is to be done: two listings side by side, what counts as the same, what replaces what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.sdk.copying.entries import CopyEntry
from danlu.sdk.copying.extra import Extra
from danlu.sdk.copying.options import Differs
from danlu.sdk.copying.plan import is_path, is_replaced, is_same, paired
from danlu.sdk.copying.sorting import in_order

S = 1_000_000_000
keys = st.lists(st.binary(min_size=1, max_size=4), unique=True)


@given(keys, keys)
def test_every_key_comes_once_with_what_is_on_the_other_side(ours: list[bytes], theirs: list[bytes]) -> None:
    pairs = list(paired(map(CopyEntry, sorted(ours)), map(CopyEntry, sorted(theirs))))
    assert [one.source.key for one in pairs if one.source] == sorted(ours)
    assert [one.target.key for one in pairs if one.target] == sorted(theirs)
    both = {one.source.key for one in pairs if one.source and one.target}
    assert both == set(ours) & set(theirs)


@pytest.mark.parametrize(
    ("source", "target", "same"),
    [
        (CopyEntry(b"a", 1, 5 * S), CopyEntry(b"a", 1, 5 * S), True),
        (CopyEntry(b"a", 1, 5 * S), CopyEntry(b"a", 2, 5 * S), False),
        (CopyEntry(b"a", 1, 5 * S + 1_999_999), CopyEntry(b"a", 1, 5 * S + 1_000_000, step=1_000_000), True),
        (CopyEntry(b"a", 1, 5 * S + 2_000_000), CopyEntry(b"a", 1, 5 * S + 1_000_000, step=1_000_000), False),
        (CopyEntry(b"a", 1, 5 * S, step=S), CopyEntry(b"a", 1, 5 * S + 7), True),
        (CopyEntry(b"a", 1, 5 * S), CopyEntry(b"a", 1, 9 * S, vague=True), None),
        (CopyEntry(b"a", 1, 5 * S), CopyEntry(b"a", 2, 9 * S, vague=True), False),
        (CopyEntry(b"a", 1), CopyEntry(b"a", 1, 9 * S), False),
        (CopyEntry(b"a", -1), CopyEntry(b"a", 1, 9 * S), False),
    ],
)
def test_size_and_time_tell_what_is_the_same(source: CopyEntry, target: CopyEntry, same: bool | None) -> None:
    assert is_same(source, target) is same


def test_what_differs_is_for_the_person_to_say() -> None:
    old, new = CopyEntry(b"a", 1, 5 * S), CopyEntry(b"a", 1, 6 * S)
    assert is_replaced(new, old, Differs.REFUSE) is None
    assert is_replaced(new, old, Differs.OVERWRITE) is True
    assert is_replaced(new, old, Differs.SKIP) is False
    assert (is_replaced(new, old, Differs.NEWER), is_replaced(old, new, Differs.NEWER)) == (True, False)


@pytest.mark.parametrize("key", [b"", b"..", b"a/../b", b"/a", b"a//b", b"./a", b"a/.", b"a\0b", b"/"])
def test_a_key_that_is_no_path_below_is_found_out(key: bytes) -> None:
    assert not is_path(key)


def test_every_other_key_is_a_path() -> None:
    assert all(map(is_path, [b"a", b"a/b", b"a/", b"...", b"a..b/c", b"\xff\n"]))


@given(st.lists(st.binary(min_size=1, max_size=6)), st.integers(1, 5))
def test_names_are_sorted_however_few_fit_into_memory(names: list[bytes], most: int) -> None:
    assert list(in_order(names, most)) == sorted(names)


def test_what_is_too_much_comes_files_first_and_what_is_in_a_folder_before_the_folder() -> None:
    with Extra() as extra:
        for key in (b"a/", b"a/b/", b"a/b/c", b"d"):
            extra.add(CopyEntry(key))
        assert list(extra.in_turns(3)) == [[b"a/b/c", b"d", b"a/b/"], [b"a/"]]
