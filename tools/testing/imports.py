"""Which module imports which, read from the sources: what a change can touch without being run."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeGuard

SOURCES = ("src/danlu", "tests", "tools", "bench")


def module_of(file: Path) -> str:
    """The name under which a file of the checkout, given from its root, is imported."""
    parts = list(file.with_suffix("").parts)
    if parts[0] == "src":
        parts.pop(0)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


class Imports:
    """The graph of a checkout, by files from its root; a test has its conftests by import too."""

    def __init__(self, root: Path) -> None:
        files = [
            file.relative_to(root)
            for source in SOURCES
            for file in sorted((root / source).rglob("*.py"))
            if "node_modules" not in file.parts
        ]
        self._files = {module_of(file): file for file in files}
        self._importers: dict[Path, set[Path]] = {}
        for file in files:
            tree = ast.parse((root / file).read_bytes())
            names = set(imported(tree, file))
            if "importlib" in names:  # a package whose modules are loaded by name when they are asked for
                names |= {name for name, other in self._files.items() if other.parent == file.parent}
            wanted = {target for name in names for target in self._targets(name)} - {file}
            for target in wanted | set(self._conftests(file)):
                self._importers.setdefault(target, set()).add(file)

    def reached_from(self, changed: Iterable[Path]) -> dict[Path, int]:
        """All files that a change of these can touch, with the number of imports between."""
        far = dict.fromkeys(changed, 0)
        waiting = deque(far)
        while waiting:
            file = waiting.popleft()
            for importer in sorted(self._importers.get(file, ())):
                if importer not in far:
                    far[importer] = far[file] + 1
                    waiting.append(importer)
        return far

    def _targets(self, name: str) -> Iterator[Path]:
        """The module that a dotted name (`module:thing` too) leads to, and the packages that are run on the way."""
        words = name.partition(":")[0].split(".")
        for length in range(1, len(words) + 1):
            file = self._files.get(".".join(words[:length]))
            if file is not None:
                yield file

    def _conftests(self, file: Path) -> Iterator[Path]:
        if file.parts[0] == "tests" and file.name != "conftest.py":
            for folder in file.parents:
                conftest = self._files.get(module_of(folder / "conftest.py"))
                if conftest is not None:
                    yield conftest


def imported(tree: ast.Module, file: Path) -> Iterator[str]:
    """Dotted names that a file imports, inside functions too, and those that it names as pytest's plugins."""
    package = module_of(file).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and is_module(node.value):
            yield node.value


def is_module(value: object) -> TypeGuard[str]:
    """Programs that are started by name (`-m danlu.runtime.enter`), lazy names of SDK and command line, plugins."""
    return isinstance(value, str) and value.startswith(("danlu.", "tests.", "tools.")) and " " not in value
