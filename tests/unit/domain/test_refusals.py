"""Every refusal and every mistake speaks both languages, with the same parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from danlu.domain import errors
from danlu.sdk.http import errors as client_errors

SOURCE = Path(errors.__file__).parents[1]
KINDS = {
    name
    for module in (errors, client_errors)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}
SENTENCES = {"FieldError": (2, 5), "Invalid": (1,), "Unreachable": (1, 2), "BadFile": (0, 3)}
"""Where the sentences are among the arguments; of all others the first."""
AT_THE_KEYBOARD = {"UsageError", "BadParameter", "ClickException", "fail", "NoSuchCommand"}
"""How the command line refuses what was typed."""
IN_THEIR_OWN_WORDS = {
    "sdk/code/yamlerrors.py": "what PyYAML says of a mistake that we know no better words for",
    "files/mistakes.py": "what pydantic says of a value that we know nothing of",
    "server/http/problems.py": "what FastAPI says of a header or a path",
    "engines/kubernetes/claims/claims.py": "what an API server says of a claim",
    "sdk/copying/engine.py": "what the system says of a file on this machine",
    "server/jobs/reports.py": "the SDK's sentence for a report that is too long",
}
"""Where a sentence of another program is passed on, in the one language it has."""
COUNTED_OTHERWISE = {
    "control/jobs/advice.py",
    "domain/reasons/clusters.py",
    "domain/reasons/nodes.py",
    "domain/reasons/waits.py",
}
"""No refusals: `{jobs}` is `3 jobs` in English, where Chinese says the number alone."""
SPEAKER = "cli/words.py"
"""Makes a sentence of what it is given."""
HAN = re.compile(r"[\u4e00-\u9fff]")


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Those that refuse something or say something in both languages."""
    paths = ((path, path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py")))
    marks = (
        "danlu.domain.errors",
        "danlu.domain.words",
        "danlu.cli.words",
        "danlu.sdk.http.errors",
        "import click",
    )
    return tuple(
        (str(path.relative_to(SOURCE)), ast.parse(text))
        for path, text in paths
        if any(mark in text for mark in marks)
    )


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def typed_wrong(tree: ast.Module) -> Iterator[ast.Call]:
    """`click.UsageError(…)`, `self.fail(…)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else name_of(node)
            if name in AT_THE_KEYBOARD and node.args:
                yield node


def calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call) and name_of(node) in names)


def sentences(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """All that is said in both languages."""
    for name, tree in modules():
        known = imported(tree, "danlu.domain.words", "danlu.cli.words")
        if name == SPEAKER:
            continue
        yield from ((f"{name}:{call.lineno}", call) for call in calls(tree, *(known & set(names))))


def imported(tree: ast.Module, *modules: str) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in modules
        for alias in node.names
    }


def refusals(tree: ast.Module) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Calls that make an error of ours or a mistake at a place, and the sentences they are given."""
    known = imported(tree, "danlu.domain.errors", "danlu.sdk.http.errors")
    for call in calls(tree, *(known & {*KINDS, "FieldError"})):
        places = SENTENCES.get(name_of(call), (0,))
        given = [call.args[place] for place in places if place < len(call.args)]
        yield call, given + [word.value for word in call.keywords if word.arg in ("text", "hint")]


def parameters(sentence: str) -> set[str]:
    try:
        return {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}
    except ValueError:
        return set()  # braces that stand for themselves


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_no_refusal_has_a_plain_sentence():
    plain = [
        f"{name}:{call.lineno}: {ast.unparse(one)}"
        for name, tree in modules()
        for call, given in refusals(tree)
        for one in given
        if one_language(one)
    ]
    assert plain == []


def test_nothing_that_was_typed_is_refused_in_a_plain_sentence():
    plain = [
        f"{name}:{call.lineno}: {ast.unparse(call.args[0])}"
        for name, tree in modules()
        if name.startswith("cli/")
        for call in typed_wrong(tree)
        if one_language(call.args[0])
    ]
    assert plain == []


def one_language(node: ast.expr) -> bool:
    return any(isinstance(part, ast.JoinedStr) or literal(part) for part in (node, *branches(node)))


def branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.BoolOp):
        yield from node.values


def test_only_what_others_say_is_passed_on_in_one_language():
    passed_on = {
        name
        for name, tree in modules()
        for _, given in refusals(tree)
        for one in given
        if any(True for _ in calls(one, "same"))
    }
    assert passed_on == set(IN_THEIR_OWN_WORDS)


def test_both_languages_of_a_sentence_take_the_same_parameters():
    wrong = []
    for place, call in sentences("say", "speak", "Words"):
        english, chinese = (literal(one) for one in call.args[:2]) if len(call.args) > 1 else (None, None)
        if english is None or chinese is None:
            continue
        given = {word.arg for word in call.keywords}
        alike = parameters(english) == parameters(chinese)
        if not alike or (name_of(call) in ("say", "speak") and given and given != parameters(english)):
            wrong.append((place.partition(":")[0], english))
    assert [one for one in wrong if one[0] not in COUNTED_OTHERWISE] == []


def test_a_sentence_that_is_filled_at_once_is_a_literal_in_both_languages():
    loose = [
        place
        for place, call in sentences("say", "speak")
        if len(call.args) != 2 or not all(literal(one) for one in call.args)
    ]
    assert loose == []


def test_the_chinese_of_a_sentence_is_chinese():
    english_twice = [
        f"{place}: {literal(call.args[1])}"
        for place, call in sentences("say", "speak", "Words")
        if len(call.args) > 1
        and (chinese := literal(call.args[1]))
        and re.search(r"[A-Za-z]{2,} [a-z]{2,}", re.sub(r"\{.*?\}|`.*?`", "", chinese))
        and not HAN.search(chinese)
    ]
    assert english_twice == []
