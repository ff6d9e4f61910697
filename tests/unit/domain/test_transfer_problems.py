"""Every sentence of a problem is there in both languages, its reason too."""

import json
import re
from pathlib import Path

import pytest

import danlu.data.transfers
from danlu.domain.errors import NotFound
from danlu.domain.transfers.problems import WHYS, Problem, TransferStopped, bounded
from danlu.domain.words import say

_CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize("code", sorted(WHYS))
def test_a_code_is_told_in_both_languages(code: str) -> None:
    problem = TransferStopped("not_read", path="/a", why=code, most=128, oid="ab12", encoding="gzip").problem
    english, chinese = problem.text.en, problem.text.zh
    assert not _CHINESE.search(english)
    assert english.startswith("/a could not be read: ")
    assert _CHINESE.search(chinese.partition("：")[2]), chinese
    assert "{" not in english + chinese
    assert problem.params["why"] == code  # the code travels


def test_what_the_transfers_say_by_themselves_is_a_code() -> None:
    folder = Path(danlu.data.transfers.__path__[0])
    said = [one for file in folder.glob("*.py") for one in re.findall(r'\bwhy=f?"([^"]*)"', file.read_text())]
    assert set(said) <= set(WHYS)
    assert len(said) > 10


def test_a_refusal_of_danlu_travels_in_both_languages() -> None:
    refusal = NotFound(say("no volume {name}", "没有存储卷 {name}", name="{weird}\x1b"))
    problem = TransferStopped("no_access", volume="v1", why=refusal.text).problem
    read = Problem(*json.loads(json.dumps([problem.code, dict(problem.params)])))
    assert read.text.en == "volume v1 cannot be used any more: no volume {weird}?"
    assert read.text.zh == "已不能使用存储卷 v1：没有存储卷 {weird}?"


def test_what_another_program_says_stays_as_it_is() -> None:
    problem = TransferStopped("git_failed", why="fatal: {0} is not a {ref}").problem
    assert problem.text.by_language == {
        "en": "git failed: fatal: {0} is not a {ref}",
        "zh": "git 失败：fatal: {0} is not a {ref}",
    }


def test_what_a_worker_sends_in_two_languages_is_bounded() -> None:
    assert bounded({"en": "x" * 9000, "zh": "\x07", "fr": "?"}) == {"en": "x" * 299 + "…", "zh": "?"}
    assert Problem("git_failed", {"why": {}}).text.zh == "git 失败："
