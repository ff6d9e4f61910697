"""What the command line says is said in both languages: a walk through its sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from danlu.cli import main
from tests.fakes.http_server import FakeServer, Reply
from tests.unit.cli.conftest import Danlu

ROOT = Path(main.__file__).parent
SPEAKERS = {
    "note",
    "confirm",
    "surely",
    "echo",
    "secho",
    "complain",
    "_say",
    "print_list",
    "send",
    "prompt",
    "must_ask",
}
"""What prints a sentence that it is given, or asks one."""
LABELS = re.compile(r"\s{2}[a-z ]+ {2,}")
"""Of what `danlu up` prints when it is ready: a word and what it means."""


def texts(node: ast.expr) -> Iterator[str]:
    """Literal text that is printed as it is."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "§" for part in node.values)  # type: ignore[misc]
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))
    elif isinstance(node, ast.BinOp):
        yield from (*texts(node.left), *texts(node.right))


def english_only() -> Iterator[str]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in SPEAKERS:
                said = (text for argument in node.args for text in texts(argument))
                yield from (f"{path.relative_to(ROOT)}: {text}" for text in said if _is_sentence(text))


def _is_sentence(text: str) -> bool:
    """Two words next to each other, or one that a sentence begins with."""
    return bool(re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}|^[A-Z][a-z]+", text)) and not LABELS.match(text)


def test_no_sentence_is_printed_in_english_alone() -> None:
    assert list(english_only()) == []


BOTH = {"speak", "say", "Words"}
HELPED = {"option", "argument", "command", "limit_option", "ls", "show", "create", "edit", "rm"}
"""What takes help texts, which have a catalog of their own."""


def sentences() -> Iterator[str]:
    """Texts that begin and end as a sentence does, wherever they are, which no second language goes with."""
    for path in sorted(ROOT.rglob("*.py")):
        if path.name == "click_words.py":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        known = {
            id(part)
            for node in ast.walk(tree)
            if (isinstance(node, ast.Call) and _called(node) in BOTH | HELPED)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            for part in ast.walk(node)
        }
        loose = (node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in known)
        for text in (text for node in loose for text in texts(node)):
            if re.search(r"^[A-Z§][a-z]* .*\w\.$", text):
                yield f"{path.relative_to(ROOT)}: {text}"


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_no_sentence_is_made_in_english_alone() -> None:
    assert sorted(set(sentences())) == ["shared/options.py: List at most this many; 0 is all."]


def test_ordinary_notes_are_chinese_for_those_who_read_it(
    danlu: Danlu, server: FakeServer, monkeypatch
) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    server.on("GET", "jobs/train", {"id": "j1", "name": "train"})
    server.on("DELETE", "jobs/j1", Reply(204))
    assert danlu("rm", "-y", "train").err == "已删除 train。\n"
    assert "请加上 -y（--yes）重试" in danlu("rm", "train").err
    server.on("DELETE", "pools/big", Reply(204))
    assert danlu("pool", "rm", "big", "-y").err == "已移除资源池 big。\n"
    server.on("POST", "groups/nlp/members", {"changed": ["lin"], "already": [], "unknown": []})
    assert danlu("group", "add-members", "nlp", "lin").err == "已加入 nlp：lin。\n"
    job = {"id": "j1", "name": "train", "state": "running", "nodes": 1}
    server.on("GET", "jobs/train", job)
    server.on("GET", "jobs/j1/why", {"state": "running", "reason": None})
    assert danlu("why", "train").out == "train 运行中。一切正常。\n"
