"""Examples are found, packed the same way every time, and ready to be submitted."""

from __future__ import annotations

import os
import re
import tarfile
from pathlib import Path

import pytest

from danlu.data.code import FileCode
from danlu.data.examples import FolderExamples, find_examples
from danlu.files.reading import read_job_file
from danlu.sdk.code.jobfile import parse
from tools.dev.places import ROOT

pytestmark = pytest.mark.anyio
ABOUT = """group = "{group}"
order = {order}
label_en = "One"
label_zh = "一"
about_en = "About one."
about_zh = "关于一。"
"""
JOB = "# One\nkind: training\nname: the-one\nframework: pytorch\ncode: {path: .}\ncommand: python train.py\n"


def example(folder: Path, name: str, group: str = "basics", order: int = 1, job: str = JOB) -> Path:
    made = folder / name
    (made / "more").mkdir(parents=True)
    (made / "about.toml").write_text(ABOUT.format(group=group, order=order), "utf-8")
    (made / "job.yaml").write_text(job)
    (made / "train.py").write_text("print('训练')\n", "utf-8")
    (made / "more" / "data.py").write_text("DATA = 1\n")
    (made / "README.md").write_text("# One\n")
    return made


@pytest.fixture
def code(tmp_path: Path) -> FileCode:
    return FileCode(tmp_path / "code", 1 << 20)


def archived(code: FileCode, file: str) -> str:
    found = re.search(r'^code: \{archive: "([0-9a-f]{64})"\}$', file, re.MULTILINE)
    assert found is not None
    assert code.has(found[1])
    return found[1]


async def test_an_example_is_submitted_as_it_stands_and_its_code_is_there(tmp_path: Path, code: FileCode):
    example(tmp_path / "x", "one")
    [one] = await FolderExamples(tmp_path / "x", code).all()
    assert (one.id, one.group, one.framework, one.strategy) == ("one", "basics", "pytorch", None)
    assert (one.label.zh, one.about.en) == ("一", "About one.")
    path = code.path(archived(code, one.file))
    assert path is not None
    with tarfile.open(path) as tar:
        assert tar.getnames() == ["more/data.py", "train.py"]
    assert one.file.startswith("# One\nkind: training\n")
    assert one.files["job.yaml"] == JOB
    assert sorted(one.files) == ["README.md", "job.yaml", "more/data.py", "train.py"]


async def test_the_same_files_make_the_same_archive_whenever_they_were_written(
    tmp_path: Path, code: FileCode
):
    for place in ("x", "y"):
        made = example(tmp_path / place, "one")
        os.utime(made / "train.py", (1, len(place)))
        (made / "__pycache__").mkdir()
        (made / "__pycache__" / f"{place}.pyc").write_bytes(b"\xff" + place.encode())
    digests = [
        archived(code, one.file)
        for place in ("x", "y")
        for one in await FolderExamples(tmp_path / place, code).all()
    ]
    assert len(set(digests)) == 1


async def test_code_that_was_swept_away_is_there_again(tmp_path: Path, code: FileCode):
    example(tmp_path / "x", "one")
    examples = FolderExamples(tmp_path / "x", code)
    [one] = await examples.all()
    path = code.path(archived(code, one.file))
    assert path is not None
    path.unlink()
    assert await examples.get("one") == one
    assert path.exists()


async def test_they_come_in_the_order_of_their_groups(tmp_path: Path, code: FileCode):
    example(tmp_path / "x", "a", "frameworks", 2)
    example(tmp_path / "x", "b", "frameworks", 1)
    example(tmp_path / "x", "c", "basics", 9, JOB.replace("code: {path: .}\n", ""))
    (tmp_path / "x" / "no-example").mkdir()
    found = await FolderExamples(tmp_path / "x", code).all()
    assert [one.id for one in found] == ["c", "b", "a"]
    assert "code:" not in found[0].file


async def test_what_there_is_not_is_not_found(tmp_path: Path, code: FileCode):
    assert await FolderExamples(tmp_path / "nowhere", code).get("one") is None


async def test_every_example_of_ours_is_a_right_job_file_told_in_both_languages(code: FileCode):
    assert find_examples() == ROOT / "examples"
    found = await FolderExamples(find_examples(), code).all()
    assert "plain-resume" in [one.id for one in found]
    for one in found:
        assert read_job_file(parse(one.file).data).errors == (), one.id
        assert {"README.md", "README.zh.md"} <= set(one.files), one.id
        assert all((one.label.en, one.label.zh, one.about.en, one.about.zh)), one.id
