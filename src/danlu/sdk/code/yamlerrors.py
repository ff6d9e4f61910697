"""YAML's syntax errors in plain sentences, at the place a person has to look at."""

from __future__ import annotations

import re
from typing import Any

from danlu.domain.words import Words, same, say
from danlu.sdk.http.errors import BadFile


def explained(why: Any, text: str) -> BadFile:
    """What is wrong, where, and what to do, for an error of either of PyYAML's parsers."""
    problem = str(getattr(why, "problem", None) or why)
    context = str(getattr(why, "context", None) or "")
    here = _position(getattr(why, "problem_mark", None))
    began = _position(getattr(why, "context_mark", None)) or here
    lines = text.splitlines()
    if here is None:
        return _unplaced(why, text, problem)
    tab = _tab_before(lines, here[0])
    if tab:
        hint = Words(
            "YAML is indented with spaces: replace the tab with two spaces",
            "YAML 用空格缩进：请将制表符换成两个空格",
        )
        return BadFile(Words("there is a tab in the indentation", "缩进中有制表符"), *tab, hint=hint)
    return _by_words(problem, context, here, began or here, lines)


def _by_words(
    problem: str, context: str, here: tuple[int, int], began: tuple[int, int], lines: list[str]
) -> BadFile:
    # PyYAML's errors have no codes: we go by its words, and only our own words depend on them.
    source = _line(lines, here[0])
    if "quoted scalar" in context:
        quote = _line(lines, began[0])[began[1] - 1 : began[1]]
        hint = say("close it with {quote}", "请用 {quote} 结束", quote=quote)
        return BadFile(Words("a quote is opened and never closed", "引号没有闭合"), *began, hint=hint)
    if "flow mapping" in context or "flow sequence" in context:
        bracket = "}" if "mapping" in context else "]"
        return BadFile(
            say(
                "a bracket is opened and not closed with {bracket}, or a comma is missing",
                "括号没有用 {bracket} 闭合，或缺少逗号",
                bracket=bracket,
            ),
            *began,
            hint=say(
                "put {bracket} where the list ends, and commas between the items",
                "请在末尾加上 {bracket}，各项之间用逗号分隔",
                bracket=bracket,
            ),
        )
    if "mapping values are not allowed" in problem:
        return _second_colon(here, source, lines)
    if "could not find expected ':'" in problem:
        at = began if began[0] < here[0] else here
        word = _line(lines, at[0]).strip()
        wrong = say(
            "'{word}' is neither a key with a colon nor part of a value",
            "“{word}”既不是带冒号的键，也不是值的一部分",
            word=word,
        )
        return BadFile(wrong, *at, hint=say("write '{word}: …'", "请写成“{word}: …”", word=word))
    if "cannot start any token" in problem:
        char = source[here[1] - 1 : here[1]]
        wrong = say("no value can begin with {char}", "值不能以 {char} 开头", char=repr(char))
        return BadFile(wrong, *here, hint=Words("put the value in quotes", "请给值加引号"))
    if "undefined alias" in problem:
        name = source[here[1] :].split()[0] if source[here[1] :].split() else ""
        hint = say(
            "mark the value it refers to with &{name}, or quote it",
            "请用 &{name} 标记所指内容，或给它加引号",
            name=name,
        )
        return BadFile(
            say("*{name} refers to nothing", "*{name} 没有对应的内容", name=name), *here, hint=hint
        )
    if "expected a single document" in context or "another document" in problem:
        hint = Words(
            "a file contains one job: remove what follows '---'",
            "一个文件只含一个任务：请去掉“---”之后的内容",
        )
        return BadFile(Words("a second document begins here", "此处开始了第二个文档"), *here, hint=hint)
    if "block" in context or "expected" in problem:
        hint = Words("align it with the lines next to it", "请与相邻的行对齐")
        return BadFile(
            Words("the indentation does not match the lines above", "缩进与上面的行不一致"), *here, hint=hint
        )
    return BadFile(same(problem), *here)


def _second_colon(here: tuple[int, int], source: str, lines: list[str]) -> BadFile:
    if re.match(r"\s*(- )?[\w.-]+:\s+\S.*:(\s|$)", source):
        hint = Words("put a value that contains ': ' in quotes", "含有“: ”的值请加引号")
        return BadFile(Words("there are two colons in one line", "一行中有两个冒号"), *here, hint=hint)
    above = here[0] - 1
    while above > 1 and not _line(lines, above).strip():
        above -= 1
    key = _line(lines, above).strip()
    return BadFile(
        Words(
            "this is indented deeper than the line above, which already has a value",
            "缩进比上一行更深，而上一行已有值",
        ),
        here[0],
        len(source) - len(source.lstrip()) + 1,
        hint=say("align it with '{key}'", "请与“{key}”对齐", key=key),
    )


def _unplaced(why: Any, text: str, problem: str) -> BadFile:
    """The reader's errors know an offset only: a character that YAML does not allow."""
    character, position = getattr(why, "character", None), getattr(why, "position", None)
    if character is None or position is None:
        return BadFile(same(problem))
    shown = chr(character) if isinstance(character, int) else str(character)
    before = text[: text.find(shown)] if shown in text else text[:position]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    wrong = say("the character {char} is not allowed", "不允许使用字符 {char}", char=repr(shown))
    return BadFile(wrong, line, column, hint=Words("remove it", "请将其删除"))


def _tab_before(lines: list[str], line: int) -> tuple[int, int] | None:
    """A tab in the indentation of the line that broke, or of the one before it."""
    for number in (line, line - 1):
        source = _line(lines, number)
        indent = source[: len(source) - len(source.lstrip())]
        if "\t" in indent:
            return number, indent.index("\t") + 1
    return None


def _position(mark: Any) -> tuple[int, int] | None:
    return (mark.line + 1, mark.column + 1) if mark is not None else None


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""
