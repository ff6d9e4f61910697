"""Runs the `./dev` command that was asked for, or says which there are."""

from __future__ import annotations

import difflib
import importlib
import os
import sys

from tools.dev.steps import StepFailed, Stop, say

# Command, the module with its `run(args) -> exit code`, and its line in the list.
HABITS = {
    "up": (
        "up",
        "start Danlu from here: ./dev up [--port N] [--data DIR] [--virtual-nodes …] [--demo]",
    ),
    "danlu": ("up", "the command line from this checkout: ./dev danlu ls"),
    "test": ("test", "run the tests: ./dev test [--all | --changed | tier…] [pytest options]"),
    "check": ("check", "format, lint, types, imports, sizes, API types, documentation: ./dev check [name…]"),
    "fmt": ("small", "format the code and apply automatic fixes"),
    "bench": ("small", "measure: ./dev bench [name] [options]"),
    "mutants": (
        "mutants",
        "mutate the code, report which test catches it: ./dev mutants [id…] [--compare FILE]",
    ),
    "cluster": ("cluster", "a real Kubernetes on this machine: ./dev cluster up|down|status [options]"),
    "screenshots": ("screenshots", "take screenshots of every page: ./dev screenshots [word…] [--docs]"),
    "build": ("small", "build the wheel, console included, into dist/"),
    "lock": ("lock", "note the hashes of every package that constraints.txt pins"),
    "docs": ("small", "regenerate the reference pages and manifests"),
}


def main(args: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a plain "C" locale knows no ✓
    # Some machines forbid it for the sake of their image; a checkout is slow to start without.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not args or args[0] in ("-h", "--help", "help"):
        print(overview())
        return 0
    if args[0] not in HABITS:
        say(unknown(args[0]))
        return 2
    module = importlib.import_module(f"tools.dev.{HABITS[args[0]][0]}")
    try:
        return int(module.run(args[0], args[1:]))
    except Stop as why:
        say(f"./dev {args[0]}: {why}")
        return 2
    except StepFailed:
        return 1
    except KeyboardInterrupt:
        return 130


def overview() -> str:
    width = max(map(len, HABITS))
    lines = [f"  ./dev {name:<{width}}  {line}" for name, (_, line) in HABITS.items()]
    return "\n".join(["Commands of this repository:", "", *lines, "", "More: docs/reference/dev.md"])


def unknown(habit: str) -> str:
    near = difflib.get_close_matches(habit, HABITS, n=1, cutoff=0.5)
    if near:
        return f"./dev: there is no command '{habit}'. Did you mean './dev {near[0]}'?"
    return f"./dev: there is no command '{habit}'. The commands are: {', '.join(HABITS)}."
