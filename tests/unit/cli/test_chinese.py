"""Every help text, heading and label has its Chinese, and no Chinese is left of what is gone."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from danlu.cli.chinese import HEADINGS, HELP, catalog
from danlu.cli.shared import show
from danlu.cli.shared.click_pages import broken
from danlu.cli.shared.show import width
from tests.fakes.http_server import FakeServer
from tests.unit.cli.conftest import Danlu
from tests.unit.cli.spoken_texts import headings, helps

OF_CLICK = {"Show this message and exit."}
ASCII = {"CPU", "GPU", "DNS", "RDMA", "ID", "Python"}
NO_HEADINGS = {"lang"}
"""Of variables' names that look like headings."""
CHINESE = re.compile("[\u4e00-\u9fff]")


def test_every_help_text_has_its_chinese_and_none_is_stale() -> None:
    assert set(catalog(HELP)) == helps() | OF_CLICK


def test_every_heading_and_label_has_its_chinese_and_none_is_stale() -> None:
    assert set(catalog(HEADINGS)) == {one.lower() for one in headings()} - NO_HEADINGS


def test_what_is_meant_to_be_chinese_is() -> None:
    said = [*catalog(HELP).values(), *catalog(HEADINGS).values()]
    assert [one for one in said if not CHINESE.search(one) and one not in ASCII] == []


@pytest.mark.parametrize("line", ["", "stop", "ls", "cluster create", "audit verify", "up"])
def test_help_is_chinese_for_those_who_read_it(
    danlu: Danlu, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    english = danlu(*line.split(), "--help").out
    monkeypatch.setenv("DANLU_LANG", "zh")
    chinese = danlu(*line.split(), "--help").out
    assert chinese.startswith("用法：")
    assert "显示此帮助并退出。" in chinese
    assert not re.search(r"^ {2,}[A-Z][a-z]+ [a-z]+", chinese, re.M)
    assert all(width(row) <= 80 for row in chinese.splitlines() if CHINESE.search(row))
    monkeypatch.setenv("DANLU_LANG", "en")
    assert danlu(*line.split(), "--help").out == english
    assert not CHINESE.search(english)


def test_headings_and_labels_are_chinese_for_those_who_read_it(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    job = {"id": "j1", "name": "train", "state": "queued", "owner": "lin", "project": "public", "run": 1}
    server.on("GET", "jobs", {"items": [job], "total": 1})
    server.on("GET", "jobs/train", {**job, "spec": {"max_time": "90m"}})
    assert danlu("ls").out.split()[:3] == ["ID", "名称", "状态"]
    assert "最长运行时间  1 小时 30 分钟" in danlu("show", "train").out


def test_states_are_chinese_in_a_pipe_too_and_have_their_icon_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    assert show.state("running").text == "运行中"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert show.state("running").text == "◐ 运行中"


def test_lines_are_broken_by_their_columns_and_never_before_a_mark() -> None:
    text = "等待中的任务保持原来的位置，除非它要求 more memory 或别的东西。"
    for room in range(12, 60):
        lines = list(broken(text, room))
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert not any(line[0] in "，。；" for line in lines)
        assert all(width(line) <= room + 2 for line in lines)


def test_english_readers_load_no_chinese() -> None:
    code = "import sys; from danlu.cli.main import main; main(['ls', '--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"DANLU_LANG": "en"}, check=True
    )
    assert "danlu.cli.chinese" not in done.stdout.split()
