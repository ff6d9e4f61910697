"""`./dev check`: all checks, two at a time; what failed is shown whole at the end."""

from __future__ import annotations

import difflib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from tools.dev.console import ensure_packages
from tools.dev.node import node_env, npm
from tools.dev.places import CONSOLE, PYTHON, ROOT, VENV
from tools.dev.steps import Stop
from tools.dev.venv import ensure_venv


@dataclass(frozen=True)
class Check:
    """A command that is silent about what is right; exit code 0 means it is."""

    name: str
    command: Sequence[str]
    cwd: Path = ROOT
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    check: Check
    code: int
    output: str
    seconds: float


def run(_habit: str, args: list[str]) -> int:
    ensure_venv("server", "dev")
    checks = chosen(all_checks(), args)
    began = time.monotonic()
    verdicts = []
    width = max(len(check.name) for check in checks)
    with ThreadPoolExecutor(2) as pool:
        for future in as_completed([pool.submit(judge, check) for check in checks]):
            verdict = future.result()
            verdicts.append(verdict)
            print(line(verdict, width), flush=True)
    failed = [verdict for verdict in verdicts if verdict.code]
    for verdict in failed:
        print(f"\n── {verdict.check.name} " + "─" * (70 - len(verdict.check.name)))
        print(verdict.output.rstrip() or f"(no output; exit code {verdict.code})")
    good = len(verdicts) - len(failed)
    print(f"\n{good} ok, {len(failed)} failed in {time.monotonic() - began:.1f} s", flush=True)
    return 1 if failed else 0


def all_checks() -> list[Check]:
    """The slowest first, so that the two lanes end together."""
    typed = [name for name in ("src", "tools", "tests", "bench", "hatch_build.py") if (ROOT / name).exists()]
    return [
        Check("types", [tool("mypy"), *typed]),
        *console_checks(),
        own("documentation", "docs_coverage"),
        Check("reference", [str(PYTHON), "-m", "tools.dev.reference", "--check"]),
        Check("SDK models", [str(PYTHON), "-m", "tools.dev.sdk_models", "--check"]),
        Check("imports", [tool("lint-imports"), "--no-cache"]),
        own("client", "client_modules"),
        Check("lint", [tool("ruff"), "check", "--no-cache"]),
        Check("format", [tool("ruff"), "format", "--check", "--no-cache"]),
        own("sizes", "file_sizes"),
        own("names", "class_names"),
        own("locks", "lock_files"),
        Check("news", [tool("towncrier"), "build", "--draft", "--version", "next"]),
    ]


def console_checks() -> list[Check]:
    if not (CONSOLE / "package.json").exists():
        return []
    home = ensure_packages()
    env = node_env(home)
    return [
        Check("console types", npm(home, "run", "typecheck"), CONSOLE, env),
        own("API types", "api_types"),
        Check("console lint", npm(home, "run", "lint"), CONSOLE, env),
        Check("console format", npm(home, "run", "format:check"), CONSOLE, env),
    ]


def tool(name: str) -> str:
    return str(VENV / "bin" / name)


def own(name: str, module: str) -> Check:
    return Check(name, [str(PYTHON), "-m", f"tools.dev.checks.{module}"])


def chosen(checks: list[Check], names: list[str]) -> list[Check]:
    if not names:
        return checks
    known = {check.name.replace(" ", "-").lower(): check for check in checks}
    for name in names:
        if name.lower() not in known:
            near = difflib.get_close_matches(name.lower(), known, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"Checks: {', '.join(known)}."
            raise Stop(f"there is no check '{name}'. {hint}")
    return [known[name.lower()] for name in names]


def judge(check: Check) -> Verdict:
    began = time.monotonic()
    done = subprocess.run(
        check.command,
        cwd=check.cwd,
        env={**os.environ, **check.env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return Verdict(check, done.returncode, done.stdout, time.monotonic() - began)


def line(verdict: Verdict, width: int) -> str:
    """One line; a check that is content may still have a remark, which starts with `note:`."""
    word = "failed" if verdict.code else "ok"
    notes = [said[5:].strip() for said in verdict.output.splitlines() if said.startswith("note:")]
    text = f"{word:<7} {verdict.check.name:<{width}} {verdict.seconds:6.1f} s"
    return "  ".join([text, *notes])
