"""Who may use which subordinate ids."""

import os

import pytest

from danlu.runtime.isolation import holder, subordinate
from danlu.runtime.isolation.subordinate import NoIds, find_ids, widest_range

LINES = [
    "root:1:9",
    "smith:100000:65536",
    "",
    "# smith",
    "smith:x:y",
    "12345:300000:131072",
    "smith:5:0",
    "a:b",
]


@pytest.mark.parametrize(
    ("name", "uid", "found"),
    [
        ("smith", 1000, (100_000, 65_536)),
        ("smith", 12_345, (300_000, 131_072)),
        ("jones", 12_345, (300_000, 131_072)),
        ("jones", 1000, None),
    ],
)
def test_the_widest_range_counts_that_a_name_or_number_has(name, uid, found):
    assert widest_range(LINES, name, uid) == found


def test_what_is_missing_is_a_code(tmp_path, monkeypatch):
    files = [tmp_path / "subuid", tmp_path / "subgid"]
    monkeypatch.setattr(subordinate, "_FILES", tuple(map(str, files)))
    with pytest.raises(NoIds) as missing:
        find_ids()
    assert missing.value.cause == "no_range"
    for file, count in zip(files, (20, 10), strict=True):
        file.write_text(f"{os.getuid()}:100000:{count}\n")
    monkeypatch.setattr(subordinate, "_PROGRAMS", ("no-such-program",))
    with pytest.raises(NoIds) as missing:
        find_ids()
    assert missing.value.cause == "not_installed"
    monkeypatch.setattr(subordinate, "_PROGRAMS", ("sh", "sh"))
    assert find_ids() == (100_000, 100_000, 10)


def test_a_folder_where_files_cannot_be_given_away_is_told_by_its_name(tmp_path):
    assert str(tmp_path / "gone") in holder._try(str(tmp_path / "gone"), 5)
    assert list(tmp_path.iterdir()) == []
