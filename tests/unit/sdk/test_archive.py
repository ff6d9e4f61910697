"""Packing a code folder."""

from __future__ import annotations

import os
import tarfile

import pytest

from danlu.sdk import archive
from danlu.sdk.errors import BadCode


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


def test_links_inside_stay_links_and_others_do_not_lead_out(tmp_path):
    folder = make(tmp_path / "code", {"real.py": "x"})
    make(tmp_path, {"outside.txt": "content", "data/a": "x"})
    (tmp_path / "code" / "link.py").symlink_to("real.py")
    (tmp_path / "code" / "copied.txt").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "code" / "data").symlink_to(tmp_path / "data")
    (tmp_path / "code" / "broken").symlink_to("nowhere")
    packed = archive.pack(folder)
    assert sorted(one.partition(" ")[0] for one in packed.left_out) == ["broken", "data"]
    with packed.body, tarfile.open(fileobj=packed.body) as tar:
        assert tar.getmember("link.py").linkname == "real.py"
        found = tar.extractfile("copied.txt")
        assert found is not None
        assert found.read() == b"content"
        assert "data" not in tar.getnames()


def test_too_large_names_the_largest_parts(tmp_path):
    folder = make(
        tmp_path, {"data/a": "x" * 3000, "data/b": "x" * 3000, "model.pt": "x" * 4000, "train.py": "x"}
    )
    with pytest.raises(BadCode) as caught:
        archive.pack(folder, max_bytes=5000)
    text = str(caught.value)
    assert "has 9.8 KiB, and at most 4.9 KiB may be sent" in text
    assert text.index("data/ (5.9 KiB)") < text.index("model.pt (3.9 KiB)") < text.index("train.py")
    assert ".gitignore" in text


@pytest.mark.parametrize(("name", "what"), [("missing", "not there"), ("file.txt", "a file, not a folder")])
def test_what_is_no_folder_is_said(tmp_path, name, what):
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(BadCode, match=what):
        archive.pack(str(tmp_path / name))


def test_progress_reaches_the_total(tmp_path):
    told = []
    folder = make(tmp_path, {"a": "x" * 10, "b": "y" * 5})
    archive.pack(folder, progress=lambda *one: told.append(one)).body.close()
    assert told == [("pack", 10, 15), ("pack", 15, 15)]
