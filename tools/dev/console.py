"""The console: packages installed and pages built when their sources changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tools.dev.node import ensure_node, node_env, npm
from tools.dev.places import CONSOLE, CONSOLE_DIST, ROOT, STATE
from tools.dev.stamps import alone, digest_of_files, read_stamp, write_stamp
from tools.dev.steps import Stop, run_step
from tools.dev.written import wait_until_written

BUILT = STATE / "console-built.json"
INSTALLED = STATE / "console-installed.json"
STATIC = ROOT / "src" / "danlu" / "server" / "static"
NOT_SOURCES = {"node_modules", "dist", ".vite", "test-results", "coverage"}
TESTS_OF_ITS_OWN = (".test.ts", ".test.tsx")


def ensure_console() -> None:
    """Have console/dist as the sources say; a few milliseconds when nothing changed."""
    if not (CONSOLE / "package.json").exists():
        raise Stop("console/package.json is missing: this is not a complete checkout of Danlu.")
    if not is_built():
        with alone("console"):
            if not is_built():
                build_console()
    link_static()


def is_built() -> bool:
    return (CONSOLE_DIST / "index.html").exists() and read_stamp(BUILT).get("digest") == sources_digest()


def build_console() -> None:
    home = ensure_packages()
    digest = sources_digest()
    run_step("Build the console", npm(home, "run", "build"), cwd=CONSOLE, env=node_env(home))
    write_stamp(BUILT, {"digest": digest})


def ensure_packages() -> Path:
    """Have console/node_modules as package-lock.json says; answers where Node is."""
    home = ensure_node()
    digest = digest_of_files([CONSOLE / "package-lock.json"], CONSOLE)
    if not (CONSOLE / "node_modules").is_dir() or read_stamp(INSTALLED).get("digest") != digest:
        command = npm(home, "ci", "--no-audit", "--no-fund")
        run_step("Install the console's packages", command, cwd=CONSOLE, env=node_env(home))
        wait_until_written(CONSOLE / "node_modules")
        write_stamp(INSTALLED, {"digest": digest})
    return home


def sources_digest() -> str:
    return digest_of_files(source_files(CONSOLE), CONSOLE)


def source_files(folder: Path) -> Iterator[Path]:
    """Everything a build may read; its own tests change nothing in it."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in NOT_SOURCES]
        for name in names:
            if not name.endswith(TESTS_OF_ITS_OWN):
                yield Path(here) / name


def link_static() -> None:
    """The server looks for the console beside its code, as in the wheel; in a checkout a link leads there."""
    if not STATIC.parent.is_dir() or STATIC.is_symlink() or STATIC.exists():
        return
    STATIC.symlink_to(os.path.relpath(CONSOLE_DIST, STATIC.parent))
