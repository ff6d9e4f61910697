"""Lock files fix versions and hashes: a registry's address would bind everybody to one network."""

from __future__ import annotations

import json
import re
import sys

from tools.dev.places import ROOT
from tools.dev.sources import own_files

PINNED = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.+!_-]*(?: --hash=sha256:[0-9a-f]{64})+"
)
REGISTRY = re.compile(r"^\s*(?:(?:@[\w-]+:)?registry|(?:extra-)?index-url|find-links)\s*=", re.IGNORECASE)


def main() -> int:
    faults = constraint_faults((ROOT / "constraints.txt").read_text())
    for file in own_files("package-lock.json"):
        name = file.relative_to(ROOT).as_posix()
        faults += [f"{name}: {fault}" for fault in npm_faults(file.read_text())]
    for file in own_files(".npmrc", "pip.conf"):
        name = file.relative_to(ROOT).as_posix()
        faults += [f"{name}: {line}" for line in file.read_text().splitlines() if REGISTRY.match(line)]
    faults += [f"{file.relative_to(ROOT)}: not kept in this repository" for file in own_files("uv.lock")]
    print("\n".join(faults))
    return 1 if faults else 0


def constraint_faults(text: str) -> list[str]:
    return [
        f"constraints.txt:{number}: {line[:80]!r} is not of the form name==version --hash=sha256:… (./dev lock)"
        for number, line in enumerate(text.splitlines(), 1)
        if not PINNED.fullmatch(line)
    ]


def npm_faults(text: str) -> list[str]:
    packages = json.loads(text).get("packages", {})
    return [
        f"{name} is resolved to {entry['resolved']}; set omit-lockfile-registry-resolved=true in .npmrc"
        for name, entry in packages.items()
        if re.match(r"(git\+)?(https?|ssh)://", str(entry.get("resolved", "")))
    ]


if __name__ == "__main__":
    sys.exit(main())
