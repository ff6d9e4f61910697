"""The SDK's dataclasses, written from the server's OpenAPI document; `--check` says which are out of date."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from danlu.server.openapi import bare_app, document
from tools.dev.places import ROOT, VENV
from tools.dev.sdk_classes import BASES, BEHAVIOUR, CLASSES, DEFAULTS, MAY_LACK, NEVER_NONE, PLAIN

FOLDER = ROOT / "src" / "danlu" / "sdk" / "models"
_NOTE = (
    "# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.\n"
)
_SPELLED = {"class": "job_class"}
"""What is a word of the language in Python."""
_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_EMPTY = {"str": '""', "int": "0", "float": "0", "bool": "False"}
_MODULE_OF = {name: module for module, classes in CLASSES.items() for name in classes}
_CLASS_OF = {schema or name: name for classes in CLASSES.values() for name, schema in classes.items()}

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """One field: its name here and in the API, its type, default, and what makes it from an answer."""

    name: str
    key: str
    type: str
    default: str
    reader: str = ""


def main() -> int:
    checking = "--check" in sys.argv[1:]
    stale = []
    for name, text in files(document(bare_app())["components"]["schemas"]).items():
        path = FOLDER / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not checking:
            path.write_text(text)
    for name in stale:
        said = "is out of date: run ./dev docs" if checking else "written"
        print(f"{(FOLDER / name).relative_to(ROOT)} {said}")
    return 1 if stale and checking else 0


def files(schemas: Json) -> dict[str, str]:
    """Every file by its name, as the formatter leaves it."""
    texts = {f"{module}.py": _module(module, schemas) for module in CLASSES}
    return {name: _formatted(text) for name, text in {**texts, "__init__.py": _front()}.items()}


def _front() -> str:
    """The package: its names, each loaded from its module when first used."""
    imports = "\n".join(f"    from danlu.sdk.models.{module} import *" for module in sorted(CLASSES))
    names = "".join(f'    "{module}": {_words(CLASSES[module])},\n' for module in sorted(CLASSES))
    return f"""\
\"\"\"What the server answers, as plain dataclasses; a module for each capability.\"\"\"
{_NOTE}
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

{imports}

_NAMES = {{
{names}}}
HOMES = {{name: f"danlu.sdk.models.{{module}}" for module, names in _NAMES.items() for name in names.split()}}
\"\"\"By class, the module that it is loaded from when it is first used.\"\"\"


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'danlu.sdk.models' has no attribute '{{name}}'")
    value = globals()[name] = getattr(__import__(HOMES[name], fromlist=[name]), name)
    return value
"""


def _words(names: Iterable[str]) -> str:
    """Names in one text, over several lines where they are many."""
    lines = textwrap.wrap(" ".join(names), 90)
    return "(" + "".join(f'"{line} "' for line in lines[:-1]) + f'"{lines[-1]}")'


def _module(module: str, schemas: Json) -> str:
    classes = CLASSES[module]
    fields = {name: list(_fields(name, schemas)) for name in classes}
    order = _ordered(module, fields)
    bodies = "\n\n".join(_class(name, fields[name], schemas) for name in order)
    readers = "".join(_readers(name, fields[name]) for name in order)
    table = f"\n\nREADERS.update({{\n{readers}}})\n" if readers else ""
    body = f"{bodies}{table}"
    return (
        f'"""What the server answers about {module}."""\n{_NOTE}\nfrom __future__ import annotations\n\n'
        f"{_imports(module, fields, body)}\n\n{body}"
    )


def _imports(module: str, fields: Mapping[str, list[Field]], body: str) -> str:
    known = ", ".join(["dataclass", *(["field"] if "field(" in body else [])])
    typed = [word for word in ("Any", "Mapping") if any(word in f.type for fs in fields.values() for f in fs)]
    lines = [f"from dataclasses import {known}"]
    if typed:
        lines.append(f"from typing import {', '.join(typed)}")
    others: dict[str, set[str]] = {}
    for name in fields:
        if name in BEHAVIOUR:
            others.setdefault("danlu.sdk.models.behaviour", set()).add(BEHAVIOUR[name])
        for used in (*_used(fields[name]), *([BASES[name]] if name in BASES else [])):
            if _MODULE_OF[used] != module:
                others.setdefault(f"danlu.sdk.models.{_MODULE_OF[used]}", set()).add(used)
    if "READERS" in body:
        makers = [word for word in ("each", "one") if f"{word}(" in body]
        makers += ["rows"] if ", rows)" in body else []
        others["danlu.sdk.models.reading"] = {"READERS", *makers}
    return "\n".join(
        [
            *lines,
            "",
            *(f"from {home} import {', '.join(sorted(names))}" for home, names in sorted(others.items())),
        ]
    )


def _ordered(module: str, fields: Mapping[str, list[Field]]) -> list[str]:
    """A class after those that it is made of."""
    done: list[str] = []

    def visit(name: str) -> None:
        for used in (*_used(fields[name]), *([BASES[name]] if name in BASES else [])):
            if used != name and _MODULE_OF[used] == module:
                visit(used)
        if name not in done:
            done.append(name)

    for name in fields:
        visit(name)
    return done


def _used(fields: list[Field]) -> list[str]:
    return [f.reader.partition("(")[2].rstrip(")") for f in fields if "(" in f.reader]


def _class(name: str, fields: list[Field], schemas: Json) -> str:
    bases = [BASES[name]] if name in BASES else []
    bases += [BEHAVIOUR[name]] if name in BEHAVIOUR else []
    own = fields
    if name in BASES:
        inherited = {f.name for f in _fields(BASES[name], schemas)}
        own = [f for f in fields if f.name not in inherited]
    head = f"@dataclass(frozen=True)\nclass {name}{'(' + ', '.join(bases) + ')' if bases else ''}:\n"
    about = schemas[CLASSES[_MODULE_OF[name]][name] or name].get("description")
    lines = [f"    {f.name}: {f.type} = {f.default}" for f in own]
    return head + (_docstring(about) + "\n\n" if about else "") + "\n".join(lines) + "\n"


def _docstring(about: str) -> str:
    words = " ".join(about.split())
    return textwrap.fill(f'"""{words}"""', 116, initial_indent="    ", subsequent_indent="    ")


def _readers(name: str, fields: list[Field]) -> str:
    """The row of a class in the table; a field that is taken as it comes has no entry."""
    entries = ", ".join(
        f'"{f.name}": ("{f.key}", {f.reader or "None"})' for f in fields if f.reader or f.key != f.name
    )
    return f"    {name}: {{{entries}}},\n" if entries else ""


def _fields(name: str, schemas: Json) -> Iterator[Field]:
    schema = schemas[CLASSES[_MODULE_OF[name]][name] or name]
    for key, about in schema["properties"].items():
        spelled = _SPELLED.get(key, key)
        place = f"{name}.{spelled}"
        kind, nullable = _type(about, schemas, place in PLAIN)
        nullable = (nullable and place not in NEVER_NONE) or place in MAY_LACK
        default = DEFAULTS.get(place) or ("None" if nullable or kind == "Any" else _default(kind))
        yield Field(
            spelled, key, f"{kind} | None" if nullable and kind != "Any" else kind, default, _reader(kind)
        )


def _type(about: Json, schemas: Json, plain: bool) -> tuple[str, bool]:
    """A property's type in Python, and whether it may be null."""
    if "anyOf" in about:
        choices = [one for one in about["anyOf"] if one.get("type") != "null"]
        kinds = list(dict.fromkeys(_type(one, schemas, plain)[0] for one in choices))
        return " | ".join(kinds), len(choices) < len(about["anyOf"])
    if "$ref" in about:
        return _named(about["$ref"].rpartition("/")[2], schemas, plain), False
    if about.get("type") == "array":
        inner, nullable = _type(about["items"], schemas, plain)
        return f"tuple[{inner}{' | None' if nullable else ''}, ...]", False
    if about.get("type") == "object":
        return f"Mapping[str, {_values(about.get('additionalProperties'), schemas)}]", False
    return _SIMPLE.get(about.get("type", ""), "Any"), False


def _named(name: str, schemas: Json, plain: bool) -> str:
    if name in _CLASS_OF and not plain:
        return _CLASS_OF[name]
    if "properties" not in schemas[name]:  # an enumeration
        return _type(schemas[name], schemas, plain)[0]
    kinds = {_type(one, schemas, True) for one in schemas[name]["properties"].values()}
    only = next(iter(kinds)) if len(kinds) == 1 else ("Any", False)
    return f"Mapping[str, {only[0] if only[0] in _SIMPLE.values() and not only[1] else 'Any'}]"


def _values(about: Any, schemas: Json) -> str:
    if not isinstance(about, Mapping):
        return "Any"
    kind, nullable = _type(about, schemas, True)
    return f"{kind} | None" if nullable and kind != "Any" else kind


def _default(kind: str) -> str:
    if kind.startswith("tuple["):
        return "()"
    if kind.startswith("Mapping["):
        return "field(default_factory=dict)"
    return _EMPTY.get(kind) or f"{kind}()"


def _reader(kind: str) -> str:
    if kind in _MODULE_OF:
        return f"one({kind})"
    if not kind.startswith("tuple["):
        return ""
    inner = kind[len("tuple[") : -len(", ...]")]
    if inner.startswith("tuple["):
        return "rows"
    return f"each({inner})" if inner in _MODULE_OF else "tuple"


def _formatted(text: str) -> str:
    command = [str(VENV / "bin" / "ruff"), "format", "--stdin-filename", str(FOLDER / "any.py"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


if __name__ == "__main__":
    sys.exit(main())
