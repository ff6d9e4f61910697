"""Reads a job file, YAML or JSON, into plain data that remembers where everything stood."""

from __future__ import annotations

import importlib
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any, Iterator, NamedTuple

from danlu.domain.names import SOME, name_of_command, usable_name
from danlu.domain.words import Words, say
from danlu.sdk.code.yamlnodes import PLAIN, TAG, at, is_merge, refuse_tag, scalar
from danlu.sdk.http.errors import BadFile

MAX_NODES = 100_000
MAX_DEPTH = 64
MAX_BYTES = 4 * 1024 * 1024
NO_FILES = ("-", "<stdin>", "danlu run")
"""What stands for a file's name where there is no file."""


class FileKind(NamedTuple):
    """A kind of file, in words: its name, what it needs at least, and how it begins."""

    name: Words
    needs: Words
    begins: Words


JOB = FileKind(
    Words("job file", "任务文件"),
    Words("a job file needs at least kind, name and command", "任务文件至少需要 kind、name 和 command"),
    Words("begin with 'kind: training'", "请以“kind: training”开头"),
)
_TOO_DEEP = Words("it is nested too deeply, or its aliases repeat too much", "嵌套过深，或别名重复过多")


@dataclass(frozen=True)
class FilePlace:
    """Where a key and its value stand; lines and columns count from 1."""

    key: tuple[int, int]
    value: tuple[int, int]


@dataclass
class LocatedJobFile:
    """A job file's data, and for every path in it the place it came from."""

    name: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)
    places: dict[tuple[str | int, ...], FilePlace] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """What a relative code path is relative to."""
        return os.path.dirname(self.name) if self.name not in NO_FILES else ""

    def place_of(self, loc: tuple[str | int, ...], at_key: bool = False) -> tuple[int, int]:
        """Line and column of what `loc` names; of the nearest thing around it when it is missing."""
        for end in range(len(loc), 0, -1):
            place = self.places.get(loc[:end])
            if place:
                return place.key if at_key or end < len(loc) else place.value
        return self.places[()].value if () in self.places else (1, 1)


def read(path: str) -> LocatedJobFile:
    """Read a file; OSError as it comes, BadFile when it is not a job file."""
    with open(path, "rb") as file:
        raw = file.read(MAX_BYTES + 1)
    return parse(decode(raw), path)


def named(file: LocatedJobFile) -> LocatedJobFile:
    """The file with a name, made from its own, or from its folder if that is `job`; without a file from its command."""
    if file.data.get("name") is None:
        file.data["name"] = _made_name(file)
    return file


def _made_name(file: LocatedJobFile) -> str:
    stem = os.path.splitext(os.path.basename(file.name))[0]
    folder = os.path.basename(os.path.dirname(os.path.abspath(file.name)))
    command = name_of_command(file.data.get("command"))
    if stem in NO_FILES:
        made = [command, usable_name(folder)]
    else:
        # Every project has a job.yaml and a train.py: the folder tells them apart.
        own = folder if stem in ("job", "danlu") else stem
        made = [usable_name(own), command]
    return next(filter(None, made), SOME)


def decode(raw: bytes, kind: FileKind = JOB) -> str:
    if len(raw) > MAX_BYTES:
        raise BadFile(
            say(
                "it is larger than {most} MiB, which is too large for a {kind}",
                "大小超过 {most} MiB，对{kind}来说过大",
                most=MAX_BYTES >> 20,
                kind=kind.name,
            )
        )
    if b"\0" in raw[:1024]:
        hint = say("a {kind} is YAML or JSON", "{kind}应为 YAML 或 JSON", kind=kind.name)
        raise BadFile(Words("it is not text", "不是文本文件"), hint=hint)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = raw[: why.start].count(b"\n") + 1
        wrong = say("byte {at} is not UTF-8", "第 {at} 个字节不是 UTF-8", at=why.start)
        hint = Words("save the file as UTF-8", "请将文件保存为 UTF-8")
        raise BadFile(wrong, line, 1, hint) from why


def parse(text: str, name: str = "<stdin>", kind: FileKind = JOB) -> LocatedJobFile:
    """Parse YAML or JSON, refusing what has two meanings: duplicate keys, several documents, no mapping."""
    if name.endswith(".json") and text.strip():
        _check_json(text)
    yaml = _yaml()
    out = LocatedJobFile(name, text)
    root = _compose(yaml, text)
    if root is None:
        raise BadFile(Words("it is empty", "文件为空"), 1, 1, kind.needs)
    if not isinstance(root, yaml.MappingNode):
        raise _not_a_mapping(yaml, root, text, kind)
    out.data = _Reader(yaml, out).mapping(root, (), 0)
    out.places[()] = FilePlace(at(root), at(root))
    return out


def _check_json(text: str) -> None:
    """YAML reads more than JSON; a file that calls itself JSON should be it."""
    try:
        json.loads(text)
    except RecursionError:
        # Too deep for JSON's reader is too deep for ours, which knows the place as well.
        return
    except ValueError as why:
        line, column = getattr(why, "lineno", 1), getattr(why, "colno", 1)
        message = str(getattr(why, "msg", why))
        wrong = say(
            "not valid JSON: {why}", "不是有效的 JSON：{why}", why=f"{message[:1].lower()}{message[1:]}"
        )
        raise BadFile(wrong, line, column) from None


def _yaml() -> Any:
    try:
        # By name: this package itself depends on the standard library alone.
        return importlib.import_module("yaml")
    except ImportError as why:
        hint = Words("pip install PyYAML, or pass a dict", "运行 pip install PyYAML，或传入字典")
        raise BadFile(Words("reading YAML needs PyYAML", "读取 YAML 需要 PyYAML"), hint=hint) from why


_loaders: dict[str, Any] = {}


def _compose(yaml: Any, text: str) -> Any:
    if text.lstrip().startswith("{"):
        # JSON may be indented with tabs, YAML may not; one space for each keeps the columns.
        text = re.sub(r"(?m)^[\t ]+", lambda found: " " * len(found.group()), text)
    try:
        _refuse_depth(yaml, text)
        loader = _loader(yaml)(text)
        try:
            return loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.YAMLError as why:
        from danlu.sdk.code.yamlerrors import explained  # words that are needed when something is wrong

        raise explained(why, text) from None


def _refuse_depth(yaml: Any, text: str) -> None:
    """Composing goes as deep as the file does, and PyYAML's C part takes the whole process down with it."""
    depth = 0
    for event in yaml.parse(text, _loader(yaml)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                deep = say(
                    "it is nested too deeply: more than {most} levels",
                    "嵌套过深：超过 {most} 层",
                    most=MAX_DEPTH,
                )
                raise BadFile(deep, *at(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _loader(yaml: Any) -> Any:
    if "loader" not in _loaders:
        base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        kind = type("JobFileLoader", (base,), {"yaml_implicit_resolvers": {}})
        for tag, pattern, first in PLAIN:
            anchored = re.compile(rf"^(?:{pattern.pattern})$")
            kind.add_implicit_resolver(TAG + tag, anchored, ["" if one == "\0" else one for one in first])  # type: ignore[attr-defined]
        _loaders["loader"] = kind
    return _loaders["loader"]


class _Reader:
    """Turns nodes into data, noting places; a budget stops files that aliases blow up."""

    def __init__(self, yaml: Any, out: LocatedJobFile) -> None:
        self.yaml = yaml
        self.places = out.places
        self.left = MAX_NODES

    def value(self, node: Any, path: tuple[str | int, ...], depth: int) -> Any:
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            raise BadFile(_TOO_DEEP, *at(node))
        if isinstance(node, self.yaml.MappingNode):
            return self.mapping(node, path, depth)
        if isinstance(node, self.yaml.SequenceNode):
            refuse_tag(node, "seq")
            return [self.item(one, (*path, index), depth) for index, one in enumerate(node.value)]
        read = scalar(node)
        # A variable is text: 0.10 stays 0.10.
        return node.value if path[-2:-1] == ("env",) and isinstance(read, (bool, int, float)) else read

    def item(self, node: Any, path: tuple[str | int, ...], depth: int) -> Any:
        self.places[path] = FilePlace(at(node), at(node))
        return self.value(node, path, depth + 1)

    def mapping(self, node: Any, path: tuple[str | int, ...], depth: int) -> dict[str, Any]:
        refuse_tag(node, "map")
        data: dict[str, Any] = {}
        seen: dict[str, Any] = {}
        for key_node, value_node in self.merged(node, depth):
            key = self.key(key_node)
            if key in seen:
                if id(key_node) in self.inherited:
                    continue
                line, column = at(seen[key])
                raise BadFile(
                    say("the key '{key}' appears here a second time", "键“{key}”在此重复出现", key=key),
                    *at(key_node),
                    hint=say(
                        "it first appears in line {line}; keep one of them",
                        "首次出现在第 {line} 行，请保留其中一个",
                        line=line,
                    ),
                    also=(line, column, say("the first '{key}'", "第一个“{key}”", key=key)),
                )
            seen[key] = key_node
            self.places[(*path, key)] = FilePlace(at(key_node), at(value_node))
            data[key] = self.value(value_node, (*path, key), depth + 1)
        return data

    inherited: set[int] = set()  # noqa: RUF012 (replaced, never changed in place)

    def merged(self, node: Any, depth: int) -> Iterator[tuple[Any, Any]]:
        """The pairs of a mapping, its own first; then those that `<<` brings and it does not have itself."""
        if depth > MAX_DEPTH:
            raise BadFile(
                Words("it is nested too deeply, or an alias contains itself", "嵌套过深，或别名包含自身"),
                *at(node),
            )
        own = [pair for pair in node.value if not is_merge(pair[0])]
        brought: list[tuple[Any, Any]] = []
        for _, source in (pair for pair in node.value if is_merge(pair[0])):
            sources = source.value if isinstance(source, self.yaml.SequenceNode) else [source]
            for one in sources:
                if not isinstance(one, self.yaml.MappingNode):
                    raise BadFile(Words("'<<' takes an alias of a mapping", "“<<”后应为映射的别名"), *at(one))
                brought += self.merged(one, depth + 1)
        self.inherited = self.inherited | {id(key) for key, _ in brought}
        yield from own
        yield from brought

    def key(self, node: Any) -> str:
        if not isinstance(node, self.yaml.ScalarNode):
            hint = Words("quote a text that contains { or [", "含有 { 或 [ 的文本请加引号")
            raise BadFile(
                Words("a key must be a plain word here", "此处的键应为普通单词"), *at(node), hint=hint
            )
        refuse_tag(node, "str", *(tag for tag, _, _ in PLAIN))
        return str(node.value)


def _not_a_mapping(yaml: Any, root: Any, text: str, kind: FileKind) -> BadFile:
    line, column = at(root)
    hint = kind.begins
    if isinstance(root, yaml.SequenceNode):
        a_list = say(
            "a {kind} must be a mapping, but this is a list", "{kind}应为映射，而这是列表", kind=kind.name
        )
        return BadFile(a_list, line, column, hint)
    tight = re.match(r"\s*([A-Za-z_]+):(?=\S)", text.split("\n")[line - 1])
    if tight:
        column = tight.end()
        hint = say(
            "write a space after the colon: '{key}: …'", "冒号后请加空格：“{key}: …”", key=tight.group(1)
        )
    a_text = say(
        "a {kind} must be a mapping, but this is a single text",
        "{kind}应为映射，而这是一段文本",
        kind=kind.name,
    )
    return BadFile(a_text, line, column, hint)
