"""No source file is above 500 lines; those above 300 are counted, as a reminder."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.dev.places import ROOT
from tools.dev.sources import own_files

MOST = 500
MANY = 300
GENERATED = {"console/src/api/schema.d.ts"}


def main() -> int:
    sizes = measured(own_files(".py", ".ts", ".tsx"), ROOT)
    too_long = {name: size for name, size in sizes.items() if size > MOST}
    for name, size in too_long.items():
        print(f"{name}: {size} lines, {size - MOST} more than {MOST}; split it by what its parts do")
    many = {name: size for name, size in sizes.items() if MANY < size <= MOST}
    if many:
        print(f"note: {len(many)} of {len(sizes)} files above {MANY} lines, longest {next(iter(many))}")
    return 1 if too_long else 0


def measured(files: list[Path], root: Path) -> dict[str, int]:
    """Lines of each file that a person wrote, the longest first."""
    sizes = {file.relative_to(root).as_posix(): len(file.read_bytes().splitlines()) for file in files}
    kept = {name: size for name, size in sizes.items() if name not in GENERATED}
    return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))


if __name__ == "__main__":
    sys.exit(main())
