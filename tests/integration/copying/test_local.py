"""From folder to folder of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from danlu.sdk.copying.entries import CHUNK
from danlu.sdk.http.errors import BadPlace, DiskFull, NotFound
from tests.integration.copying.conftest import Danlu, copying, tree
from tests.live import PATIENCE


def test_a_folder_is_copied_whole_and_a_second_time_nothing_is_done(source: Path, tmp_path: Path) -> None:
    (source / "link").symlink_to("/etc/passwd")
    os.mkfifo(source / "pipe")
    done = copying().copy([str(source)], str(tmp_path / "target"))
    assert (done.copied, done.failed, done.links, done.special) == (12, 0, 1, 1)
    (source / "link").unlink()
    (source / "pipe").unlink()
    assert tree(tmp_path / "target") == tree(source)
    assert (tmp_path / "target" / "run.sh").stat().st_mode & 0o111
    assert (tmp_path / "target" / "a" / "x").stat().st_mtime_ns == 1_600_000_000_123_456_789
    again = copying().copy([str(source)], str(tmp_path / "target"))
    assert (again.copied, again.same, again.bytes) == (0, 12, 0)


def test_thousands_of_small_files_are_copied_by_helpers_as_well(tmp_path: Path) -> None:
    for number in range(3000):
        folder = tmp_path / "many" / str(number % 7)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / str(number)).write_text(str(number))
    done = copying(parallel=2).copy([str(tmp_path / "many")], str(tmp_path / "target"))
    assert (done.copied, done.failed) == (3000, 0)
    assert tree(tmp_path / "target") == tree(tmp_path / "many")


@pytest.mark.parametrize(
    ("differs", "counted", "content"),
    [
        ("refuse", (0, 0, 1), "old"),
        ("skip", (0, 1, 0), "old"),
        ("overwrite", (1, 0, 0), "newer"),
        ("newer", (1, 0, 0), "newer"),
    ],
)
def test_what_differs_becomes_what_was_asked(
    tmp_path: Path, differs: str, counted: tuple[int, int, int], content: str
) -> None:
    (tmp_path / "new").write_text("newer")
    (tmp_path / "file").write_text("old")
    os.utime(tmp_path / "file", (1, 1))
    done = copying(differs=differs).copy([str(tmp_path / "new")], str(tmp_path / "file"))
    assert (done.copied, done.kept, done.failed) == counted
    assert (tmp_path / "file").read_text() == content


def test_an_older_source_does_not_replace_what_is_newer(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("older")
    os.utime(tmp_path / "source", (1, 1))
    (tmp_path / "target").write_text("new")
    done = copying(differs="newer").copy([str(tmp_path / "source")], str(tmp_path / "target"))
    assert (done.kept, (tmp_path / "target").read_text()) == (1, "new")


def test_a_checksum_finds_what_size_and_time_hide(tmp_path: Path) -> None:
    for name, content in (("one", "aaaa"), ("other", "aaab")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(content)
        os.utime(tmp_path / name / "file", (5, 5))
    one, other = str(tmp_path / "one"), str(tmp_path / "other")
    assert copying().sync(one, other).same == 1
    assert copying(checksum=True, differs="overwrite").sync(one, other).copied == 1
    assert (tmp_path / "other" / "file").read_text() == "aaaa"
    os.utime(tmp_path / "other" / "file", (9, 9))
    assert copying(checksum=True).sync(one, other).same == 1


def test_globs_keep_what_is_behind_the_first_wildcard(source: Path, tmp_path: Path) -> None:
    copying().copy([f"{source}/d*/e?/*"], str(tmp_path / "target"))
    assert tree(tmp_path / "target") == {"deep": None, "deep/er": None, "deep/er/z": b"z"}
    with pytest.raises(NotFound, match="nothing matches"):
        copying().copy([f"{source}/*.nix"], str(tmp_path / "target"))


def test_several_sources_go_into_the_target_under_their_own_names(source: Path, tmp_path: Path) -> None:
    copying().copy([str(source / "a"), str(source / "run.sh")], str(tmp_path / "target"))
    assert sorted(tree(tmp_path / "target")) == ["a", "a/x", "run.sh"]


def test_links_are_followed_only_inside_the_source_and_never_in_circles(source: Path, tmp_path: Path) -> None:
    (source / "inside").symlink_to("a/x")
    (source / "outside").symlink_to("/etc/passwd")
    (source / "a" / "up").symlink_to("..")
    (source / "folder").symlink_to("a")
    (source / "gone").symlink_to("nowhere")
    done = copying(follow=True).copy([str(source)], str(tmp_path / "target"))
    found = tree(tmp_path / "target")
    assert (found["inside"], found["folder/x"], done.failed) == (b"x", b"x", 0)
    assert not {"outside", "a/up", "gone"} & set(found)


def test_nothing_is_written_through_a_link_in_the_target(source: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "deep").symlink_to(tmp_path / "elsewhere")
    done = copying().copy([str(source)], str(tmp_path / "target"))
    assert done.failed
    assert tree(tmp_path / "elsewhere") == {}
    assert (tmp_path / "target" / "a" / "x").read_text() == "x"


# ── sync ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sync_that_deletes_makes_the_target_like_the_source_and_touches_nothing_else(
    source: Path, tmp_path: Path
) -> None:
    target, outside = tmp_path / "target", tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (target / "old" / "deeper").mkdir(parents=True)
    (target / "old" / "deeper" / "file").write_text("old")
    (target / "old" / "way-out").symlink_to(outside)
    (target / "kept.log").write_text("excluded")
    done = copying(delete=True, differs="overwrite", rules=[(False, "*.log")]).sync(str(source), str(target))
    assert (outside / "kept").read_text() == "kept"
    assert (target / "kept.log").exists()
    assert not (target / "old" / "deeper").exists()
    # A link is nothing that was copied, and so nothing that is removed; the folder it is in stays with it.
    assert (target / "old" / "way-out").is_symlink()
    assert done.failed


@pytest.mark.parametrize("make", [True, False])
def test_an_empty_or_missing_source_deletes_nothing(tmp_path: Path, make: bool) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "file").write_text("kept")
    if make:
        (tmp_path / "source").mkdir()
    with pytest.raises(NotFound):
        copying(delete=True).sync(str(tmp_path / "source"), str(tmp_path / "target"))
    assert (tmp_path / "target" / "file").exists()


def test_nothing_is_deleted_after_a_failure_or_a_no(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "extra").write_text("kept")
    asked: list[int] = []

    def no(count: int) -> bool:
        asked.append(count)
        return False

    copying(delete=True, may_delete=no).sync(str(source), str(target))
    assert asked == [1]
    assert (target / "extra").exists()
    (source / "nothing").write_text("changed")
    (target / "nothing").unlink()
    (target / "nothing").mkdir()
    done = copying(delete=True, differs="overwrite").sync(str(source), str(target))
    assert done.failed == 2
    assert "nothing was deleted" in str(done.failures[-1].error)
    assert (target / "extra").exists()


def test_a_folder_is_not_copied_into_itself(source: Path) -> None:
    for to in (source, source / "deep" / "copy", source.parent):
        with pytest.raises(BadPlace, match="lie in each other"):
            copying().sync(str(source), str(to))


# ── what goes wrong on the way ───────────────────────────────────────────────────────────────────────


def test_after_a_kill_only_the_rest_is_copied(tmp_path: Path) -> None:
    """Slowed down, killed when some chunks are there, and run again."""
    data = os.urandom(5 * CHUNK)
    (tmp_path / "big").write_bytes(data)
    command = [sys.executable, "-m", "danlu.cli.main", "cp", "big", "target"]
    slow = subprocess.Popen([*command, "--limit-rate", "12MiB"], cwd=tmp_path)
    deadline = time.monotonic() + PATIENCE
    while not (part := [one for one in tmp_path.glob(".danlu-*.part") if there(one, len(data)) >= 2]):
        assert slow.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    slow.send_signal(signal.SIGKILL)
    slow.wait()
    assert not (tmp_path / "target").exists()
    had = there(part[0], len(data))
    again = subprocess.run([*command, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    told = json.loads(again.stdout)
    assert (told["resumed"], told["bytes"]) == (had * CHUNK, (5 - had) * CHUNK)
    assert (tmp_path / "target").read_bytes() == data
    assert not list(tmp_path.glob(".danlu-*"))


def test_ctrl_c_tells_how_far_it_came_and_that_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(os.urandom(5 * CHUNK))
    command = [sys.executable, "-m", "danlu.cli.main", "cp", "big", "target", "--limit-rate", "12MiB"]
    slow = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    while not [one for one in tmp_path.glob(".danlu-*.part") if there(one, 5 * CHUNK)]:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    slow.send_signal(signal.SIGINT)
    _, said = slow.communicate(timeout=PATIENCE)
    assert (slow.returncode, "The same command goes on" in said) == (130, True)
    assert not (tmp_path / "target").exists()


def there(part: Path, size: int) -> int:
    """How many chunks are."""
    with part.open("rb") as file:
        file.seek(size)
        return file.read().count(1)


def test_parts_of_another_version_are_not_gone_on_with(tmp_path: Path) -> None:
    source, target = tmp_path / "big", tmp_path / "target"
    source.write_bytes(b"a" * 3 * CHUNK)
    run = copying(limit_rate=1 << 30)
    stale = tmp_path / ".danlu-0123456789abcdef-0123456789abcdef.part"
    stale.write_bytes(b"of another file")
    run.copy([str(source)], str(target))
    source.write_bytes(b"b" * 3 * CHUNK)
    copying(differs="overwrite").copy([str(source)], str(target))
    assert target.read_bytes() == b"b" * 3 * CHUNK
    assert list(tmp_path.glob(".danlu-*")) == [stale]


def test_a_file_that_grows_while_it_is_copied_is_told_and_not_there(tmp_path: Path) -> None:
    source = tmp_path / "log"
    source.write_bytes(bytes(3 * CHUNK))
    run = copying(limit_rate=16 << 20)

    class Growing(type(run.progress)):  # type: ignore[misc]
        def add(self, **more: int) -> None:
            super().add(**more)
            if more.get("bytes"):
                with source.open("ab") as file:
                    file.write(b"more")

    run.progress = Growing()
    done = run.copy([str(source)], str(tmp_path / "target"))
    assert [getattr(one.error, "code", "") for one in done.failures] == ["source_changed"]
    assert not (tmp_path / "target").exists()


def test_a_full_disk_ends_the_run_and_the_same_command_goes_on(tmp_path: Path) -> None:
    source, disk = tmp_path / "source", tmp_path / "disk"
    source.mkdir()
    disk.mkdir()
    for number in range(12):
        (source / str(number)).write_bytes(os.urandom(1 << 20))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=True)
    try:
        with pytest.raises(DiskFull, match="goes on"):
            copying().copy([str(source)], str(disk / "target"))
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        done = copying().copy([str(source)], str(disk / "target"))
        assert done.same > 0
        assert tree(disk / "target") == tree(source)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


# ── the command ──────────────────────────────────────────────────────────────────────────────────────


def test_a_dry_run_tells_and_changes_nothing(danlu: Danlu, source: Path, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "old").write_text("old")
    told = json.loads(danlu("sync", "source", "target", "--delete", "--dry-run", "--json").stdout)
    acts = {(one["act"], one["path"]) for one in told["changes"]}
    assert {("copy", "a/x"), ("delete", "old"), ("copy", "empty/")} <= acts
    assert (told["summary"]["copied"], told["summary"]["deleted"]) == (12, 1)
    assert tree(tmp_path / "target") == {"old": b"old"}
    plain = danlu("cp", "source", "target", "--dry-run", "--exclude", "large.bin")
    assert "Would copy 11 files" in plain.stderr
    assert "large.bin" not in plain.stdout


def test_the_exit_code_tells_some_from_none(danlu: Danlu, source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    (target / "a").mkdir(parents=True)
    (target / "a" / "x").write_text("another")
    some = danlu("cp", "source", "target")
    assert some.returncode == 1, some.stderr
    assert "a/x: another file is there; --overwrite" in some.stderr
    none = danlu("cp", "source/a/x", "target/a/x")
    assert none.returncode == 6
    assert danlu("cp", "source", "target", "--overwrite").returncode == 0
    assert danlu("cp", "source", "target", "--overwrite", "--newer").returncode == 2
    assert danlu("cp", "nowhere", "target").returncode == 4
    assert danlu("cp", "source", "https://example.com/x").returncode == 2


def test_a_delete_needs_a_yes(danlu: Danlu, source: Path, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "old").write_text("old")
    asked = danlu("sync", "source", "target", "--delete")
    assert (asked.returncode, tree(tmp_path / "target")) == (2, {"old": b"old"})
    assert danlu("sync", "source", "target", "--delete", "--yes").returncode == 0
    assert tree(tmp_path / "target") == tree(source)


def test_rules_keep_the_order_of_the_command_line(danlu: Danlu, source: Path, tmp_path: Path) -> None:
    danlu("cp", "source/a", "one", "--include", "x", "--exclude", "*")
    danlu("cp", "source/a", "two", "--exclude", "*", "--include", "x")
    assert (tmp_path / "one" / "x").exists()
    assert not (tmp_path / "two").exists()


def test_the_summary_is_chinese_where_people_are(danlu: Danlu, source: Path) -> None:
    done = danlu("cp", "source", "target", DANLU_LANG="zh")
    assert "已复制 12 个文件" in done.stderr
    refused = danlu("cp", "s3://", "target", DANLU_LANG="zh")
    assert "不是有效的位置" in refused.stderr
    assert "之间复制文件和目录" in danlu("cp", "--help", DANLU_LANG="zh").stdout
