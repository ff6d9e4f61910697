"""The store of datasets: what a folder holds is kept once, read back as it was, and only what changed is read again."""

from __future__ import annotations

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from danlu.data.datasets.collecting import Collection
from danlu.data.datasets.making import SnapshotWish, make_snapshot
from danlu.data.datasets.objects import SMALL, Objects, ObjectWriter
from danlu.data.datasets.reading import VersionFiles
from danlu.data.datasets.snapshot import TooMuch, stays_inside
from danlu.data.datasets.tree import plant
from danlu.data.datasets.verifying import Verification
from danlu.ports.disk_use import TooDeep
from danlu.ports.files import EntryKind, FileOrder, ListWish, PlaceBelow

LARGE = bytes(range(256)) * 300
assert len(LARGE) > SMALL


class Bench:
    """A folder, and the store that it is put into."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "volume"
        self.folder.mkdir()
        (root / "store").mkdir()
        self.objects = Objects(root / "store")
        self.files = VersionFiles(self.objects)
        self.roots: tuple[str, ...] = ()
        self.read = self.looked = 0
        self.later = False
        """Whether all that is there was there for a while."""

    def write(self, path: str, data: bytes | str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        return file

    def snapshot(self, workers: int = 1, reread: bool = False, most: int | None = None):
        place = PlaceBelow(str(self.folder.parent), b"volume")
        known = self.objects.root / "known" / "x"
        wish = SnapshotWish(place, known, self.roots, reread, most, workers, self.clock)

        def tell(counts: dict[str, int]) -> None:
            self.read, self.looked = counts["read"], counts["files"]

        made = make_snapshot(self.objects, wish, tell)
        self.roots = (*self.roots, made.folder.digest.hex())
        return made

    def clock(self) -> int:
        return time.time_ns() + 60_000_000_000 * self.later

    def all(self, root: str) -> dict[bytes, bytes]:
        """The files of a version, and the targets of its links."""
        place = PlaceBelow(root)
        return {
            one.path: one.target if one.target is not None else self.content(root, one.path)
            for one in self.files.all_files(place)
        }

    def content(self, root: str, path: bytes) -> bytes:
        opened = self.files.open(PlaceBelow(root, path))
        try:
            return opened.read(0, opened.size)
        finally:
            opened.close()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_what_is_read_back_is_what_was_there(bench: Bench) -> None:
    bench.write("a/small.txt", "hi")
    bench.write("a/b/large.bin", LARGE)
    bench.write("empty", b"")
    (bench.folder / "hollow").mkdir()
    made = bench.snapshot()
    root = made.folder.digest.hex()
    assert bench.all(root) == {b"a/b/large.bin": LARGE, b"a/small.txt": b"hi", b"empty": b""}
    assert (made.folder.files, made.folder.size, made.folder.folders) == (3, len(LARGE) + 2, 3)
    page = bench.files.page(PlaceBelow(root), ListWish(limit=2))
    assert [(one.name, one.kind, one.size) for one in page.entries] == [
        (b"a", EntryKind.FOLDER, len(LARGE) + 2),
        (b"hollow", EntryKind.FOLDER, 0),
    ]
    assert page.more
    assert page.total == 3


def test_only_what_changed_is_read_again_and_stored(bench: Bench) -> None:
    for number in range(20):
        bench.write(f"{number % 4}/{number}.txt", f"number {number}")
    first = bench.snapshot()
    bench.later = True
    again = bench.snapshot(reread=True)
    assert (bench.read, again.stored) == (20, 0)
    assert again.folder.digest == first.folder.digest
    assert bench.snapshot().folder.digest == first.folder.digest
    assert (bench.read, bench.looked) == (0, 20)
    bench.write("2/6.txt", "something else")
    changed = bench.snapshot()
    assert (bench.read, bench.looked) == (1, 20)
    assert changed.folder.digest != first.folder.digest
    assert bench.content(bench.roots[-1], b"2/6.txt") == b"something else"
    assert bench.content(bench.roots[0], b"2/6.txt") == b"number 6"


def test_a_file_that_changed_a_moment_ago_is_read_again(bench: Bench) -> None:
    """Its clock may tick so slowly that the next change has the same time."""
    file = bench.write("a.txt", "one")
    bench.snapshot()
    os.utime(file, ns=(1, 1))
    bench.snapshot()
    assert bench.read == 1


def test_what_looks_unchanged_is_trusted_unless_told_otherwise(bench: Bench, tmp_path: Path) -> None:
    """A file that was put in place of another is another inode; the same inode tells by its ctime."""
    file = bench.write("a.txt", "one")
    bench.later = True
    bench.snapshot()
    os.utime(file, ns=(5, 5))
    before = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    bench.snapshot()
    assert bench.content(bench.roots[-1], b"a.txt") == b"two"


def test_what_is_known_counts_only_while_its_version_is_there(bench: Bench) -> None:
    bench.write("a.txt", "one")
    bench.later = True
    bench.snapshot()
    bench.roots = ()
    bench.snapshot()
    assert bench.read == 1


def test_two_processes_make_the_same_version_as_one(bench: Bench) -> None:
    for number in range(60):
        bench.write(f"{number % 5}/{number % 3}/{number}.txt", f"number {number}")
    bench.write("top.bin", LARGE)
    one = bench.snapshot(workers=1, reread=True)
    two = bench.snapshot(workers=2, reread=True)
    assert one.folder.digest == two.folder.digest
    assert one.found.tally.plain() == two.found.tally.plain()
    assert sum(files for files, _ in one.found.tally.endings.values()) == one.folder.files == 61


@pytest.mark.parametrize(
    ("target", "depth", "stays"),
    [
        (b"x", 0, True),
        (b"../x", 1, True),
        (b"./a/b", 0, True),
        (b"../../x", 2, True),
        (b"../x", 0, False),
        (b"../../x", 1, False),
        (b"/etc/passwd", 3, False),
        (b"a/../../x", 1, False),
        (b"a/..", 5, False),
        (b"", 1, False),
        (b"..", 1, True),
    ],
)
def test_links_are_kept_where_they_cannot_lead_outside(target: bytes, depth: int, stays: bool) -> None:
    assert stays_inside(target, depth) is stays


def test_links_out_and_what_is_no_file_are_left_out_and_told(bench: Bench) -> None:
    bench.write("real.txt", "here")
    os.symlink("real.txt", bench.folder / "in")
    os.symlink("/etc/passwd", bench.folder / "out")
    os.symlink("../../secret", bench.folder / "above")
    os.mkfifo(bench.folder / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(bench.folder / "socket"))
        made = bench.snapshot()
    tally = made.found.tally
    assert (tally.links, tally.links_out, tally.special) == (1, 2, 2)
    assert sorted(made.found.left_out) == ["above", "out", "pipe", "socket"]
    assert bench.all(bench.roots[-1]) == {b"in": b"real.txt", b"real.txt": b"here"}


def test_hostile_names_survive(bench: Bench) -> None:
    names = [b"-rf", b"a\nb", b"\xff\xfe", b" ", b"..x", "火".encode(), b"%41", b"x" * 255]
    top = os.fsencode(bench.folder)
    for name in names:
        Path(os.fsdecode(top + b"/" + name)).write_bytes(name)
    bench.snapshot()
    assert bench.all(bench.roots[-1]) == {name: name for name in names}


def test_folders_that_nobody_could_use_are_refused(bench: Bench) -> None:
    here = str(bench.folder)
    for _ in range(140):
        here += "/d"
        os.mkdir(here)
    with pytest.raises(TooDeep):
        bench.snapshot()


def test_more_than_may_be_stored_is_refused(bench: Bench) -> None:
    for number in range(10):
        bench.write(f"{number}.bin", LARGE + bytes([number]))
    with pytest.raises(TooMuch):
        bench.snapshot(most=3 * len(LARGE))
    assert os.listdir(bench.objects.drafts) == []


def test_the_same_content_is_stored_once(bench: Bench) -> None:
    bench.write("a.bin", LARGE)
    bench.write("b/a.bin", LARGE)
    bench.write("small", "s")
    bench.write("b/small", "s")
    made = bench.snapshot()
    assert len(LARGE) < made.stored < 2 * len(LARGE)


def test_a_folder_is_sorted_and_paged_from_any_place(bench: Bench) -> None:
    for number in range(30):
        bench.write(f"f{number:02}", b"x" * (30 - number))
    bench.write("dir/inner", "x")
    root = bench.snapshot().folder.digest.hex()
    for order in FileOrder:
        for descending in (False, True):
            wish = ListWish(order, descending, None, 7)
            seen: list[bytes] = []
            while True:
                page = bench.files.page(PlaceBelow(root), wish)
                seen += [one.name for one in page.entries]
                if not page.more:
                    break
                wish = ListWish(order, descending, wish.key_of(page.entries[-1]), 7)
            assert len(seen) == len(set(seen)) == 31
            assert seen[0] == b"dir"


def test_damage_is_told_by_the_names_of_files(bench: Bench) -> None:
    bench.write("good.bin", LARGE)
    bench.write("a/bad.bin", LARGE[::-1])
    bench.write("a/gone.bin", LARGE + b"x")
    bench.write("a/small.txt", "a little text")
    root = bench.snapshot().folder.digest
    assert verify(bench, root) == []
    files = {one.path: one.digest for one in bench.files.all_files(PlaceBelow(root.hex()))}
    bad = bench.objects.path(bytes.fromhex(files[b"a/bad.bin"]))
    bad.chmod(0o600)
    bad.write_bytes(b"?" * len(LARGE))
    bench.objects.path(bytes.fromhex(files[b"a/gone.bin"])).unlink()
    assert verify(bench, root) == ["a/bad.bin", "a/gone.bin"]
    pack = next(bench.objects.packs.glob("*.pack"))
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes().replace(b"a little text", b"a brittle one"))
    assert verify(bench, root) == ["a/bad.bin", "a/gone.bin", "a/small.txt"]
    bench.later = True
    bench.objects = Objects(bench.objects.root)
    assert bench.snapshot(reread=True).folder.digest == root  # from the source, which is as it was
    assert verify(bench, root) == []


def verify(bench: Bench, root: bytes) -> list[str]:
    verification = Verification(Objects(bench.objects.root), lambda *_: None)
    verification.run(root)
    assert verification.damaged == len(verification.files)
    return verification.files


def test_what_no_version_needs_is_collected_and_the_rest_stays(bench: Bench) -> None:
    bench.write("same.bin", LARGE)
    bench.write("old.bin", LARGE + b"old")
    for number in range(50):
        bench.write(f"small/{number}", f"number {number}")
    bench.snapshot()
    (bench.folder / "old.bin").unlink()
    for number in range(40):
        (bench.folder / f"small/{number}").unlink()
    kept = bench.snapshot().folder.digest.hex()
    before = bench.all(kept)
    collected = Collection(bench.objects)
    collected.run([kept])
    assert collected.objects >= 41
    bench.objects = Objects(bench.objects.root)
    bench.files = VersionFiles(bench.objects)
    assert bench.all(kept) == before
    assert verify(bench, bytes.fromhex(kept)) == []
    last = Collection(bench.objects)
    last.run([])
    assert not list(bench.objects.packs.iterdir())
    assert not [one for folder in bench.objects.objects.iterdir() for one in folder.iterdir()]


def test_a_reader_that_knew_the_packs_goes_on_while_they_are_rewritten(bench: Bench) -> None:
    for number in range(30):
        bench.write(f"{number}", f"number {number}")
    bench.snapshot()
    for number in range(25):
        (bench.folder / f"{number}").unlink()
    kept = bench.snapshot().folder.digest.hex()
    reader = VersionFiles(Objects(bench.objects.root))
    assert len(list(reader.all_files(PlaceBelow(kept)))) == 5
    Collection(bench.objects).run([kept])
    opened = reader.open(PlaceBelow(kept, b"29"))
    assert opened.read(0, 100) == b"number 29"


def test_a_listing_that_is_gone_ends_a_collection_before_anything_is_removed(bench: Bench) -> None:
    bench.write("a.bin", LARGE)
    root = bench.snapshot().folder.digest.hex()
    with pytest.raises(OSError, match="not in the store"):
        Collection(bench.objects).run([root, "00" * 32])
    assert verify(bench, bytes.fromhex(root)) == []


def test_nothing_is_collected_while_something_is_made(bench: Bench) -> None:
    with bench.objects.in_use(), bench.objects.in_use(), bench.objects.alone() as alone:
        assert not alone
    with bench.objects.alone() as alone:
        assert alone


def test_a_session_that_was_killed_leaves_nothing_that_counts(bench: Bench) -> None:
    session = ObjectWriter(bench.objects)
    digest = session.add(LARGE)
    small = session.add(b"small")
    assert not bench.objects.has(digest, len(LARGE))
    assert not bench.objects.has(small, 5)
    Collection(bench.objects).run([])
    assert os.listdir(bench.objects.drafts) == []


def test_a_tree_is_what_the_version_is_and_nobody_may_change_it(bench: Bench, tmp_path: Path) -> None:
    bench.write("a/large.bin", LARGE)
    bench.write("a/small.txt", "small")
    bench.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    bench.write("large.sh", LARGE).chmod(0o755)
    os.symlink("a/small.txt", bench.folder / "link")
    root = bench.snapshot().folder.digest
    tree = bench.objects.root / "trees" / root.hex()
    plant(bench.objects, root, tree, lambda _: None)
    plant(bench.objects, root, tree, lambda _: None)
    assert (tree / "a/large.bin").read_bytes() == LARGE
    assert (tree / "link").read_text() == "small"
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in (tree, tree / "a", *tree.rglob("*.*"))}
    assert {modes["a"], modes["run.sh"], modes["large.sh"], modes[tree.name]} == {0o555}
    assert {modes["large.bin"], modes["small.txt"]} == {0o444}
    large = bench.objects.path(bytes.fromhex(next(
        one.digest for one in bench.files.all_files(PlaceBelow(root.hex())) if one.path == b"a/large.bin"
    )))  # fmt: skip
    assert (tree / "a/large.bin").stat().st_ino == large.stat().st_ino


def test_a_tree_that_cannot_be_made_is_not_there(bench: Bench) -> None:
    bench.write("a.bin", LARGE)
    bench.write("b.txt", "small")
    root = bench.snapshot().folder.digest
    next(bench.objects.packs.glob("*.idx")).unlink()
    tree = bench.objects.root / "trees" / root.hex()
    with pytest.raises(OSError, match="not in the store"):
        plant(Objects(bench.objects.root), root, tree, lambda _: None)
    assert os.listdir(tree.parent) == []
