"""One word per thing: no two modules of `danlu` define a class of one name.

What crosses the wire has the same name on each of its sides: inside, as the API answers it, and in the SDK.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

from tools.dev.places import ROOT

SOURCE = ROOT / "src" / "danlu"
SDK = ("sdk/models/", "sdk/resources/", "sdk/http/errors.py")


def main() -> int:
    found = repeated(SOURCE)
    for name, modules in found.items():
        print(f"class {name} is defined in {' and '.join(modules)}; rename one by what it is")
    return 1 if found else 0


def repeated(source: Path) -> dict[str, list[str]]:
    """Names that several modules of one side define, and which."""
    found = defaultdict(set)
    for file in source.rglob("*.py"):
        module = file.relative_to(source).as_posix()
        answers = module.startswith("server/") and module.endswith("models.py")
        side = "SDK" if module.startswith(SDK) else "API" if answers else "inside"
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ClassDef):
                found[side, node.name].add(module)
    return {name: sorted(modules) for (_, name), modules in sorted(found.items()) if len(modules) > 1}


if __name__ == "__main__":
    sys.exit(main())
