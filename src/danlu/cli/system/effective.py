"""What `--print-settings` prints: every setting as danlu.toml would have it, and what set it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Mapping

from danlu.cli.words import speak

if TYPE_CHECKING:
    from danlu.data.settings import Origin
    from danlu.files.settings import Settings

_BARE = re.compile("[A-Za-z0-9_-]+")


def settings_file(settings: Settings, origins: Mapping[str, Origin]) -> str:
    """Valid TOML: description, value and, after it, the origin; what is not set is a comment."""
    values = settings.model_dump(mode="json")
    return "\n\n".join(
        f"# {field.description}\n{_line(name, values[name])}  # {_said(origins.get(name))}"
        for name, field in type(settings).model_fields.items()
    )


def where_from(place: Path) -> str:
    """A comment that says which file is read, whether it is there, and what overrides it."""
    there = speak("which is there", "已存在") if place.exists() else speak("which is not there", "不存在")
    return speak(
        "# Read from {file} ({there}): danlu.toml in the current directory, or the file that DANLU_SETTINGS names.\n"
        "# Variables (DANLU_PORT=8080 for port) override it, and options override both.\n",
        "# 读取 {file}（{there}）：当前目录下的 danlu.toml，或 DANLU_SETTINGS 指定的文件。\n"
        "# 环境变量（如 DANLU_PORT=8080 对应 port）优先于文件，命令行选项优先于两者。\n",
        file=_shown(str(place)),
        there=there,
    )


def _line(name: str, value: object) -> str:
    return f"# {name} =" if value is None else f"{name} = {_toml(value)}"


def _said(origin: Origin | None) -> str:
    if origin is None or origin.source == "default":
        return speak("default", "默认")
    if origin.source == "file":
        return speak("file {name}", "文件 {name}", name=_shown(origin.name))
    if origin.source == "variable":
        return speak("variable {name}", "环境变量 {name}", name=origin.name)
    return speak("option {name}", "选项 {name}", name=origin.name)


def _shown(path: str) -> str:
    """A comment ends with its line; a path may have any character."""
    return path if path.isprintable() else json.dumps(path)


def _toml(value: object) -> str:
    """A value as written in danlu.toml: JSON, except for mappings, where what is not set is left out."""
    if isinstance(value, dict):
        kept = {_key(key): held for key, held in value.items() if held is not None}
        return "{" + ", ".join(f"{key} = {_toml(held)}" for key, held in kept.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
