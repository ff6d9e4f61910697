"""What runs inside people's training environments: Python 3.8, and no packages but those allowed.

Follows imports made when a module is imported; an import inside a function happens on the server's machine.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.dev.places import ROOT, VENV

SOURCE = ROOT / "src"
ALLOWED = {
    "danlu.sdk": set[str](),
    "danlu.runtime": set[str](),
    "danlu.cli": {"click", "yaml"},
    "danlu.torch": {"torch"},
}


def main() -> int:
    faults: list[str] = []
    reached: set[Path] = set()
    for room, packages in ALLOWED.items():
        found, files = examine(room, packages, SOURCE)
        faults += found
        reached |= files
    print("\n".join(faults))
    too_new = vermin(sorted(reached)) if reached else 0
    print(f"note: {len(reached)} modules")
    return 1 if faults or too_new else 0


def examine(room: str, packages: set[str], source: Path) -> tuple[list[str], set[Path]]:
    """Faults in the room and in everything of ours that importing it brings along, and those files."""
    folder = source / room.replace(".", "/")
    waiting = [*folder.rglob("*.py"), *files_of(room, source)]
    seen: set[Path] = set()
    faults = []
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        for line, module in imports_of(file, source):
            top = module.partition(".")[0]
            if top == "danlu":
                waiting += files_of(module, source)
            elif top not in sys.stdlib_module_names and top not in packages:
                place = file.relative_to(source.parent)
                faults.append(f"{place}:{line}: imports {top}, which {room} must not import")
    return sorted(faults), seen


def imports_of(file: Path, source: Path) -> Iterator[tuple[int, str]]:
    """(line, module) of what importing this file imports; a name taken from a package may be a module."""
    package = file.relative_to(source).parent.parts
    for node in running_at_import(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield node.lineno, base
            if base.startswith("danlu"):
                yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def running_at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Skips function bodies, what only type checkers read, and imports that may fail."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for otherwise in node.orelse:
                yield otherwise
                yield from running_at_import(otherwise)
            continue
        if isinstance(node, ast.Try) and any(
            "ImportError" in ast.unparse(one.type or one) for one in node.handlers
        ):
            continue
        yield node
        yield from running_at_import(node)


def files_of(module: str, source: Path) -> list[Path]:
    """A module's file and the __init__ of every package around it."""
    parts = module.split(".")
    files = [source.joinpath(*parts[:end], "__init__.py") for end in range(1, len(parts) + 1)]
    files.append(source.joinpath(*parts).with_suffix(".py"))
    return [file for file in files if file.exists()]


def vermin(files: list[Path]) -> int:
    command: list[str | Path] = [
        VENV / "bin" / "vermin",
        "--no-tips",
        "--quiet",
        "--violations",
        "-t=3.8-",
        *files,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
