"""Every help text, heading and label has its Chinese, and no Chinese is left of what is gone."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from danlu.cli.chinese import HEADINGS, HELP, catalog
from danlu.cli.datasets import commands as datasets
from danlu.cli.shared import show
from danlu.cli.shared.click_pages import broken
from danlu.cli.shared.show import width
from danlu.cli.terms import term
from danlu.cli.transfers import schedules
from danlu.domain.isolation import IsolationForm
from danlu.domain.job import JobClass, JobState, Kind, TaskState
from danlu.domain.members import MemberRole
from danlu.domain.node import NodeState
from danlu.domain.people import UserRole
from danlu.domain.requests import RequestState
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


LATIN = re.compile(r"[A-Za-z][A-Za-z]+")
TERMS = {"ID", "GPU", "CPU", "GiB", "MiB", "TiB", "danlu", "lin", "public", "normal", "train"}
"""What stays as it is in Chinese: units, names, and words of the trade."""
JOB = {
    "id": "1", "name": "train", "state": "running", "owner": "lin", "project": "public", "run": 1, "gpus": 1,
    "kind": "training", "class": "single", "priority": "normal", "cpus": 2, "memory": 2**30, "nodes": 1,
    "actions": ["stop", "restart", "exec"], "spec": {"expected_time": "90m"},
    "tasks": [{"name": "0", "state": "running", "gpus": [0], "isolation": "sandbox+cgroup+network"}],
}  # fmt: skip
NODE = {
    "name": "1", "state": "ready", "virtual": True, "gpus": [{}], "cpus": 4, "memory": 2**40, "used": {"cpus": 1},
    "isolation": {"form": "sandbox", "lacking": []}, "tasks": [{"task": "0", "owner": "lin", "gpus": [0]}],
}  # fmt: skip
PROJECT = {"name": "public", "open": True, "closed": False, "guarantee": {"cpus": 4}, "my_role": "member"}
PRIORITY = {"name": "normal", "value": 200, "may_preempt": True, "may_be_preempted": True, "description": ""}
HELD = {
    "items": [],
    "storage": [{"type": "code", "used": 399, "limit": 2**34, "counted_at": "2026-01-01T00:00:00Z"}],
}
ANSWERS = {
    "ls": ("jobs", {"items": [JOB], "total": 1}),
    "show train": ("jobs/train", JOB),
    "nodes": ("nodes", {"items": [NODE]}),
    "nodes 1": ("nodes/1", NODE),
    "project ls": ("projects", {"items": [PROJECT]}),
    "priority ls": ("priorities", {"items": [PRIORITY]}),
    "quota show lin": ("users/lin/quota", HELD),
}


@pytest.mark.parametrize("line", ANSWERS)
def test_chinese_output_has_no_english_word_but_names_and_terms(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    path, answer = ANSWERS[line]
    server.on("GET", path, answer)
    shown = danlu(*line.split())
    assert shown.code == 0, shown.err
    assert set(LATIN.findall(shown.out + shown.err)) <= TERMS


def test_a_heading_with_a_context_is_shown_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert show.heading_said("SIZE|bytes") == "SIZE"
    monkeypatch.setenv("DANLU_LANG", "zh")
    assert [show.heading_said(one) for one in ("SIZE", "SIZE|bytes")] == ["规格", "大小"]


def test_every_word_that_the_server_sends_for_a_state_a_class_or_a_role_has_its_chinese() -> None:
    sent = (JobState, TaskState, NodeState, Kind, JobClass, UserRole, MemberRole, RequestState, IsolationForm)
    words = [str(one.value) for kind in sent for one in kind]
    assert [word for word in words if not CHINESE.search(term(word).zh) and word != "pod"] == []


@pytest.mark.parametrize(
    ("columns", "column", "chinese"),
    [
        (datasets.COLUMNS, 4, "大小"),
        (schedules.COLUMNS, 6, "上次传输"),
    ],
)
def test_what_files_take_is_no_flavour_and_a_transfer_no_metric(
    monkeypatch: pytest.MonkeyPatch, columns: tuple[str, ...], column: int, chinese: str
) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    assert show.heading_said(columns[column]) == chinese
