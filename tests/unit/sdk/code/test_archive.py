"""Packing a code folder."""

from __future__ import annotations

import os
import tarfile

import pytest

from danlu.sdk.code import archive
from danlu.sdk.http.errors import BadCode


def make(root, files: dict[str, str]) -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return str(root)


def names(packed: archive.Archive) -> list[str]:
    with packed.body, tarfile.open(fileobj=packed.body) as tar:
        return tar.getnames()


def digest(folder: str) -> str:
    packed = archive.pack(folder)
    packed.body.close()
    return packed.digest


def test_ignored_files_stay_and_the_rest_goes_in_order(tmp_path):
    folder = make(
        tmp_path,
        {
            ".gitignore": "*.pt\nout/\n!keep.pt\n",
            "train.py": "x",
            "big.pt": "x",
            "keep.pt": "x",
            "out/log.txt": "x",
            "pkg/.gitignore": "local.cfg\n!special.pt\n",
            "pkg/local.cfg": "x",
            "pkg/special.pt": "x",
            "pkg/__pycache__/a.pyc": "x",
            ".git/HEAD": "x",
            ".venv/bin/python": "x",
        },
    )
    expected = [".gitignore", "keep.pt", "pkg/.gitignore", "pkg/special.pt", "train.py"]
    assert names(archive.pack(folder)) == expected


def test_a_folder_inside_a_working_copy_obeys_the_files_above_it(tmp_path):
    make(
        tmp_path,
        {
            ".git/HEAD": "x",
            ".gitignore": "*.bin\n/app/secret\n",
            "app/a.py": "",
            "app/b.bin": "",
            "app/secret": "",
        },
    )
    assert names(archive.pack(str(tmp_path / "app"))) == ["a.py"]


def test_the_same_content_has_the_same_digest_whenever_and_wherever(tmp_path):
    one = make(tmp_path / "one", {"a.py": "a", "b/c.py": "c"})
    two = make(tmp_path / "two", {"b/c.py": "c", "a.py": "a"})
    os.utime(tmp_path / "two" / "a.py", (1, 1))
    assert digest(one) == digest(two)
    make(tmp_path / "two", {"a.py": "A"})
    assert digest(one) != digest(two)


def test_a_program_stays_executable_and_owners_are_not_told(tmp_path):
    folder = make(tmp_path, {"run.sh": "#!/bin/sh\n"})
    os.chmod(tmp_path / "run.sh", 0o700)
    packed = archive.pack(folder)
    with packed.body, tarfile.open(fileobj=packed.body) as tar:
        info = tar.getmember("run.sh")
    assert (info.mode, info.uid, info.uname, info.mtime) == (0o755, 0, "", 0)


class Listener:
    """A progress that wants to know what was left out."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, step: str, done: int, total: int) -> None: ...

    def left_out(self, names: list[str]) -> None:
        self.told = names


def test_a_link_to_a_file_elsewhere_is_never_sent(tmp_path):
    folder = make(tmp_path / "code", {"train.py": "x"})
    make(tmp_path, {"id_rsa": "secret", "data/a": "x"})
    for name, target in (("absolute", tmp_path / "id_rsa"), ("relative", "../id_rsa"), ("data", "../data")):
        (tmp_path / "code" / name).symlink_to(target)
    (tmp_path / "code" / "broken").symlink_to("nowhere")
    listener = Listener()
    packed = archive.pack(folder, progress=listener)
    assert names(packed) == ["train.py"]
    assert [one.partition(" ")[0] for one in packed.left_out] == ["absolute", "broken", "data", "relative"]
    assert listener.told == packed.left_out
    assert "relative -> ../id_rsa (a link out of the folder)" in listener.told
    assert "broken -> nowhere (a link to nothing)" in listener.told


def test_links_inside_stay_links_whatever_way_they_take(tmp_path):
    folder = make(tmp_path / "code", {"real.py": "x", "sub/b.py": "x"})
    links = {
        "link.py": "real.py",
        "sub/up.py": "../real.py",
        "folder": "sub",
        "here": ".",
        "sub/absolute.py": str(tmp_path / "code" / "real.py"),
        "around.py": "../code/real.py",
    }
    for name, target in links.items():
        (tmp_path / "code" / name).symlink_to(target)
    packed = archive.pack(folder)
    with packed.body, tarfile.open(fileobj=packed.body) as tar:
        found = {one.name: one.linkname for one in tar.getmembers() if one.issym()}
    assert found == {**links, "sub/absolute.py": "../real.py", "around.py": "real.py"}
    assert packed.left_out == []


def test_what_is_neither_file_nor_folder_is_left_out_and_said(tmp_path):
    folder = make(tmp_path, {"a.py": "x"})
    os.mkfifo(tmp_path / "pipe")
    with pytest.warns(UserWarning, match=r"Left out of the code folder:\n  pipe \(neither a file nor"):
        packed = archive.pack(folder)
    assert names(packed) == ["a.py"]


def test_what_may_not_be_read_is_left_out_and_said(tmp_path, monkeypatch):
    folder = make(tmp_path, {"a.py": "x", "secret.txt": "x", "private/b": "x"})
    real_open, real_scandir = open, os.scandir

    def refuse(act, word):
        def guarded(path, *args, **more):
            if str(path).endswith(word):
                raise PermissionError(13, "Permission denied", path)
            return act(path, *args, **more)

        return guarded

    monkeypatch.setattr("builtins.open", refuse(real_open, "secret.txt"))
    monkeypatch.setattr("os.scandir", refuse(real_scandir, "private"))
    packed = archive.pack(folder, progress=Listener())
    assert (names(packed), packed.files) == (["a.py"], 1)
    assert packed.left_out == [
        "private/ (cannot be read: permission denied)",
        "secret.txt (cannot be read: permission denied)",
    ]


def test_what_was_left_out_is_named_up_to_a_point_and_harmless_to_a_terminal():
    told = archive.left_out_lines([f"file-{number}" for number in range(4)] + ["\x1b[2J", "f", "g"])
    assert told[-2:] == ["  ?[2J", "  and 2 more"]
    assert len(told) == 7


def test_too_large_names_the_largest_parts(tmp_path):
    folder = make(
        tmp_path, {"data/a": "x" * 3000, "data/b": "x" * 3000, "model.pt": "x" * 4000, "train.py": "x"}
    )
    with pytest.raises(BadCode) as caught:
        archive.pack(folder, max_bytes=5000)
    text = str(caught.value)
    assert "has 9.8 KiB; at most 4.9 KiB can be uploaded" in text
    assert text.index("data/ (5.9 KiB)") < text.index("model.pt (3.9 KiB)") < text.index("train.py")
    assert ".gitignore" in text


@pytest.mark.parametrize(
    ("name", "what"), [("missing", "does not exist"), ("file.txt", "a file, not a folder")]
)
def test_what_is_no_folder_is_said(tmp_path, name, what):
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(BadCode, match=what):
        archive.pack(str(tmp_path / name))


def test_progress_reaches_the_total(tmp_path):
    told = []
    folder = make(tmp_path, {"a": "x" * 10, "b": "y" * 5})
    archive.pack(folder, progress=lambda *one: told.append(one)).body.close()
    assert told == [("pack", 10, 15), ("pack", 15, 15)]
