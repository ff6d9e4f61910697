"""Single nodes of YAML as plain data: words and numbers by YAML 1.2's core schema; other tags are refused."""

from __future__ import annotations

import re
from typing import Any

from danlu.domain.words import Words, say
from danlu.sdk.http.errors import BadFile

# YAML 1.2's core schema: `yes`, `no`, `on` and `off` are words, and so are dates, 1:30 and 1_000.
PLAIN = (
    ("null", re.compile(r"~|null|Null|NULL|"), "~nN\0"),
    ("bool", re.compile(r"true|True|TRUE|false|False|FALSE"), "tTfF"),
    ("int", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), "-+0123456789"),
    ("float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), "-+.0123456789"),
)
TAG = "tag:yaml.org,2002:"


def is_merge(node: Any) -> bool:
    return node.value == "<<" and not getattr(node, "style", None)


def scalar(node: Any) -> Any:
    tag, text = node.tag.replace(TAG, ""), node.value
    if tag == "str" or (tag == "!" and node.style):
        return text
    try:
        if tag == "null":
            return None
        if tag == "bool":
            return {"true": True, "false": False}[text.lower()]
        if tag == "int":
            return int(text, 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10)
        if tag == "float":
            return float(text)
    except (KeyError, ValueError):
        wrong = say("'{text}' is not of the type !!{tag}", "“{text}”不是 !!{tag} 类型", text=text, tag=tag)
        raise BadFile(wrong, *at(node)) from None
    raise meaningless(node)


def refuse_tag(node: Any, *known: str) -> None:
    """Tags of other programs, such as those that make Python call functions, are refused, never ignored."""
    if node.tag not in [TAG + tag for tag in known]:
        raise meaningless(node)


def meaningless(node: Any) -> BadFile:
    tag = node.tag.replace(TAG, "!!")
    wrong = say("the tag {tag} is not supported here", "此处不支持标签 {tag}", tag=tag)
    return BadFile(wrong, *at(node), hint=Words("remove it", "请去掉"))


def at(node: Any) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
