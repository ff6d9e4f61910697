"""Whatever a folder holds comes back, changes are told exactly, and what is collected was nobody's."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from danlu.data.datasets.collecting import Collection
from danlu.data.datasets.listing import FILE, FOLDER, LINK, PROGRAM, FolderListing, ListedEntry, written
from danlu.data.datasets.making import SnapshotWish, make_snapshot
from danlu.data.datasets.objects import SMALL, Objects
from danlu.data.datasets.reading import VersionFiles
from danlu.ports.files import PlaceBelow

NAMES = st.binary(min_size=1, max_size=4).filter(
    lambda name: not {0, ord("/")} & {*name} and name not in (b".", b"..")
)
CONTENTS = st.one_of(
    st.binary(max_size=30),
    st.integers(0, 3).map(lambda seed: bytes([seed]) * (SMALL + seed)),
)
TREES = st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map(tuple), CONTENTS, max_size=12).map(
    lambda tree: {
        path: data for path, data in tree.items() if not any(path[:n] in tree for n in range(1, len(path)))
    }
)
ENTRIES = st.dictionaries(
    NAMES,
    st.tuples(st.sampled_from([FOLDER, FILE, PROGRAM, LINK]), st.binary(min_size=32, max_size=32)),
    max_size=20,
)
QUIET = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


@given(ENTRIES)
def test_a_listing_is_read_as_it_was_written_and_each_name_is_found(found):
    entries = [ListedEntry(kind, name, 32, 1, holds) for name, (kind, holds) in found.items()]
    data = written(entries)
    assert written(reversed(entries)) == data
    listing = FolderListing(data)
    assert sorted(listing) == sorted(entries)
    for entry in entries:
        assert listing.find(entry.name) == entry
    assert listing.find(b"not there") is None
    assert [one.kind == FOLDER for one in listing] == sorted(
        (one.kind == FOLDER for one in listing), reverse=True
    )


@QUIET
@given(st.lists(TREES, min_size=1, max_size=4), st.data())
def test_versions_come_back_differ_as_told_and_outlive_every_collection(trees, data):
    root = Path(tempfile.mkdtemp())
    try:
        (root / "store").mkdir()
        objects = Objects(root / "store")
        kept: dict[str, dict[bytes, bytes]] = {}
        former = None
        for number, tree in enumerate(trees):
            top = root / f"v{number}"
            write(top, tree)
            wish = SnapshotWish(PlaceBelow(str(top)), root / "store/known/x", tuple(kept), workers=1)
            version = make_snapshot(objects, wish, lambda _: None).folder.digest.hex()
            kept[version] = {b"/".join(path): content for path, content in tree.items()}
            assert read(objects, version) == kept[version]
            if former is not None:
                assert told(objects, former, version) == difference(kept[former], kept[version])
            former = version
            gone = data.draw(st.sets(st.sampled_from(sorted(kept)))) - {version}
            for one in gone:
                del kept[one]
            if data.draw(st.booleans()):
                with objects.alone() as alone:
                    assert alone
                    Collection(objects).run(kept)
            former = former if former in kept else None
            for one, files in kept.items():
                assert read(objects, one) == files
    finally:
        shutil.rmtree(root)


def write(top: Path, tree: dict[tuple[bytes, ...], bytes]) -> None:
    top.mkdir()
    for path, content in tree.items():
        file = os.path.join(os.fsencode(top), *path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as opened:
            opened.write(content)


def read(objects: Objects, version: str) -> dict[bytes, bytes]:
    files, found = VersionFiles(objects), {}
    paths = [one.path for one in files.all_files(PlaceBelow(version))]
    assert paths == sorted(paths)
    for path in paths:
        opened = files.open(PlaceBelow(version, path))
        found[path] = opened.read(0, opened.size)
        opened.close()
    middle = paths[len(paths) // 2] if paths else b""
    assert [one.path for one in files.all_files(PlaceBelow(version), middle)] == [
        p for p in paths if p > middle
    ]
    return found


def told(objects: Objects, old: str, new: str) -> dict[bytes, str]:
    changes = list(VersionFiles(objects).differences(old, new))
    assert [one.path for one in changes] == sorted(one.path for one in changes)
    return {one.path: one.kind.value for one in changes}


def difference(old: dict[bytes, bytes], new: dict[bytes, bytes]) -> dict[bytes, str]:
    found = {path: "removed" for path in old if path not in new}
    found |= {path: "added" for path in new if path not in old}
    return found | {path: "changed" for path in new if path in old and old[path] != new[path]}
