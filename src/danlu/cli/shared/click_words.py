"""What click itself says of wrong use and when it asks, in Chinese. It asks gettext for its sentences; this answers."""

from __future__ import annotations

import sys

from danlu.cli.shared.click_pages import make_pages_chinese
from danlu.cli.words import language

_NUMBERS = {"integer": "整数", "integer range": "整数"}


class _OfNumbers(str):
    """A sentence into which click fills a kind of number without asking for its Chinese."""

    def format(self, *args: object, **params: object) -> str:
        return super().format(
            *args, **{**params, "number_type": _NUMBERS.get(str(params["number_type"]), "数字")}
        )


SENTENCES = {
    "Aborted!": "已中止。",
    "Missing command.": "缺少命令。",
    "Got unexpected extra argument ({args})": "多余的参数：{args}",
    "Got unexpected extra arguments ({args})": "多余的参数：{args}",
    "Takes {nargs} values but 1 was given.": "需要 {nargs} 个值，只给出了 1 个。",
    "Takes {nargs} values but {len} were given.": "需要 {nargs} 个值，给出了 {len} 个。",
    "Could not open file {filename!r}: {message}": "无法打开文件“{filename}”：{message}",
    "Error: {message}": "错误：{message}",
    "unknown error": "未知错误",
    "{value!r} is not {choice}.": "“{value}”不是 {choice}。",
    "{value!r} is not one of {choices}.": "“{value}”不在可选范围内：{choices}。",
    "{value} is not in the range {range}.": "{value} 不在范围 {range} 内。",
    "{value!r} is not a valid {number_type}.": _OfNumbers("“{value}”不是有效的{number_type}。"),
    "{value!r} is not a valid boolean. Recognized values: {states}": "“{value}”不是有效的布尔值，可选：{states}",
    "{name} {filename!r} does not exist.": "{name}“{filename}”不存在。",
    "{name} {filename!r} is a file.": "{name}“{filename}”是文件。",
    "{name} {filename!r} is a directory.": "{name}“{filename}”是目录。",
    "{name} {filename!r} is not readable.": "{name}“{filename}”不可读。",
    "{name} {filename!r} is not writable.": "{name}“{filename}”不可写。",
    "{name} {filename!r} is not executable.": "{name}“{filename}”不可执行。",
    "file": "文件",
    "directory": "目录",
    "path": "路径",
    "Option {name!r} does not take a value.": "选项 {name} 不带值。",
    "Option {name!r} requires an argument.": "选项 {name} 需要一个值。",
    "Option {name!r} requires {nargs} arguments.": "选项 {name} 需要 {nargs} 个值。",
    "Argument {name!r} takes {nargs} values.": "参数 {name} 需要 {nargs} 个值。",
    "Usage:": "用法：",
    "Options": "选项",
    "Commands": "命令",
    "default: {default}": "默认：{default}",
    "Do you want to continue?": "是否继续？",
    "Repeat for confirmation": "请再输入一次以确认",
    "Error: The two entered values do not match.": "错误：两次输入不一致。",
    "Error: invalid input": "错误：输入无效",
}
_ASKING = ("core", "formatting", "exceptions", "parser", "termui", "types")


def speak_chinese() -> None:
    """From now on click says these in Chinese, and what is not here in English."""
    make_pages_chinese()
    for name in _ASKING:
        module = sys.modules.get(f"click.{name}")
        for asked, answer in (("_", _said), ("ngettext", _counted)):
            if module is not None and hasattr(module, asked):
                setattr(module, asked, answer)


def _said(english: str) -> str:
    return SENTENCES.get(english, english) if language() == "zh" else english


def _counted(one: str, many: str, count: int) -> str:
    return _said(one if count == 1 else many)
