"""Every command, setting, code, reason, event, permission and endpoint is named in docs/reference."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from types import ModuleType
from typing import Any

from tools.dev.places import ROOT

PAGES = ROOT / "docs" / "reference"
SETTINGS_HOMES = ("danlu.settings", "danlu.files.settings", "danlu.ports.settings", "danlu.domain.settings")
HTTP_VERBS = {"get", "put", "post", "delete", "patch", "head", "options"}


def main() -> int:
    pages = sorted(PAGES.glob("**/*.md"))
    text = "\n".join(page.read_text() for page in pages)
    faults = []
    covered = []
    for subject, names in subjects().items():
        found = sorted(set(names()))
        missing = [name for name in found if not is_named(name, text)]
        faults += [f"{subject} '{name}' is in no page of docs/reference" for name in missing]
        if found:
            covered.append(f"{len(found)} {subject}s")
    print("\n".join(faults))
    print(f"note: {', '.join(covered) or 'nothing to cover yet'}; {len(pages)} pages")
    return 1 if faults else 0


def subjects() -> dict[str, Callable[[], Iterable[str]]]:
    return {
        "command": commands,
        "setting": settings,
        "error code": lambda: marked_classes("danlu.domain.errors", "code"),
        "reason": lambda: marked_classes("danlu.domain.reasons", "code"),
        "event": lambda: marked_classes("danlu.domain.events", "kind"),
        "permission": permissions,
        "endpoint": endpoints,
    }


def is_named(name: str, text: str) -> bool:
    """As a whole word: `job` is not named by `jobs`. Runs of space count as one, for tables."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return re.search(rf"(?<![\w-]){words}(?![\w-])", text) is not None


def marked_classes(module_name: str, mark: str) -> Iterator[str]:
    """The mark each class gives itself; one it only inherits belongs to its parent."""
    module = module_if_there(module_name)
    for value in vars(module).values() if module else ():
        ours = isinstance(value, type) and f"{value.__module__}.".startswith(f"{module_name}.")
        own = vars(value).get(mark) if ours else None
        if isinstance(own, str) and own:
            yield own


def permissions() -> Iterator[str]:
    module = module_if_there("danlu.domain.permissions")
    for value in vars(module).values() if module else ():
        if isinstance(value, type) and issubclass(value, Enum):
            yield from (str(member.value) for member in value if ":" in str(member.value))


def settings() -> Iterator[str]:
    for home in SETTINGS_HOMES:
        module = module_if_there(home)
        if module and hasattr(module, "Settings"):
            yield from field_names(module.Settings, "")


def field_names(model: Any, prefix: str) -> Iterator[str]:
    """Dotted names of a dataclass or pydantic model, groups opened."""
    if dataclasses.is_dataclass(model):
        fields = {field.name: type_of(field.type, model) for field in dataclasses.fields(model)}
    else:
        fields = {name: field.annotation for name, field in model.model_fields.items()}
    for name, kind in fields.items():
        is_group = isinstance(kind, type) and (
            dataclasses.is_dataclass(kind) or hasattr(kind, "model_fields")
        )
        if is_group:
            yield from field_names(kind, f"{prefix}{name}.")
        else:
            yield prefix + name


def type_of(annotation: Any, model: Any) -> Any:
    """Postponed annotations are text; a group of settings is a class of the same module."""
    home = sys.modules[model.__module__]
    return getattr(home, annotation, annotation) if isinstance(annotation, str) else annotation


def commands() -> Iterator[str]:
    module = module_if_there("danlu.cli.main")
    if module is None:
        return
    import click  # only here: the tools themselves need the standard library alone

    groups = [value for value in vars(module).values() if isinstance(value, click.Group)]
    for group in groups[:1]:
        yield from command_names(group, "danlu", click.Context(group))


def command_names(group: Any, path: str, context: Any) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        if hasattr(command, "list_commands"):
            yield from command_names(command, f"{path} {name}", context)
        else:
            yield f"{path} {name}"


def endpoints() -> Iterator[str]:
    """From the served document, in an interpreter of its own: it builds the whole application."""
    if not (ROOT / "src" / "danlu" / "server" / "openapi.py").exists():
        return
    command = [sys.executable, "-m", "danlu.server.openapi"]
    document = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    for path, verbs in document["paths"].items():
        yield from (f"{verb.upper()} {path}" for verb in verbs if verb in HTTP_VERBS)


def module_if_there(name: str) -> ModuleType | None:
    """A room that is not built yet is no fault; one that cannot be imported is."""
    package = name.rpartition(".")[0]
    if package != "danlu" and module_if_there(package) is None:
        return None
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


if __name__ == "__main__":
    sys.exit(main())
