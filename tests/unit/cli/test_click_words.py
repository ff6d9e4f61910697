"""What click says of wrong use, in the language of the person."""

from __future__ import annotations

import ast
from pathlib import Path

import click
import pytest

from danlu.cli.shared.click_words import SENTENCES
from tests.unit.cli.conftest import Danlu

CASES = [
    ("ls --limit many", "-n / --limit 的值无效：“many”不是有效的整数。"),
    ("logs --tail -3 x", "--tail 的值无效：-3 不在范围"),
    ("ls --owner", "选项 --owner 需要一个值。"),
    ("ls --json=yes", "选项 --json 不带值。"),
    ("show a b", "多余的参数：b"),
    ("stop", "缺少 JOB..."),
    ("token", "danlu token"),
]


@pytest.mark.parametrize(("line", "said"), CASES, ids=[line for line, _ in CASES])
def test_wrong_use_is_told_in_chinese(
    danlu: Danlu, monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    assert said in danlu(*line.split()).err


def test_who_reads_english_is_told_in_english_afterwards(
    danlu: Danlu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    danlu("show", "a", "b")
    monkeypatch.setenv("DANLU_LANG", "en")
    assert "unexpected extra argument (b)" in danlu("show", "a", "b").err


def test_click_still_asks_for_these_sentences() -> None:
    """A newer click may say it otherwise: then the Chinese is to follow."""
    asked: set[str] = set()
    for file in Path(click.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("_", "ngettext")
            ):
                asked |= {str(one.value) for one in node.args if isinstance(one, ast.Constant)}
    assert set(SENTENCES) <= asked
