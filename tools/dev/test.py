"""`./dev test`: have what the tests need, run the tiers in order, tell how they went."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.cluster.lifecycle import ensure_cluster_parts
from tools.dev.console import ensure_console, ensure_packages
from tools.dev.environments import environment
from tools.dev.node import node_env, npm
from tools.dev.places import CONSOLE, PYTHON, ROOT, TESTS
from tools.dev.steps import Stop, say
from tools.dev.system import ensure_needs, is_root_on_debian
from tools.dev.tiers import (
    CONSOLE_TIER,
    HEAVY_PLUGINS,
    TIER_NAMES,
    TIERS,
    Outcome,
    Tier,
    last_line,
    outcome_of,
    table,
)
from tools.dev.venv import ensure_venv


@dataclass(frozen=True)
class Request:
    """What was asked for: tiers, paths inside them, and pytest's own options."""

    tiers: tuple[Tier, ...]
    paths: dict[str, list[str]]
    options: list[str]
    named: bool = False

    @property
    def whole(self) -> bool:
        return not self.options and not self.paths


def run(_habit: str, args: list[str]) -> int:
    request = understand(args)
    ensure_venv("server", "dev")
    ensure_needs(dict.fromkeys(need for tier in request.tiers for need in tier.needs))
    if any(tier.console for tier in request.tiers):
        ensure_console()
    if any(tier.cluster for tier in request.tiers) and not uses_other_cluster(request):
        ensure_cluster_parts()
    for name in dict.fromkeys(name for tier in request.tiers for name in tier.environments):
        environment(name)
    with tempfile.TemporaryDirectory(prefix="danlu-test-") as reports:
        outcomes = [run_tier(tier, request, Path(reports)) for tier in request.tiers]
    if not any(one.passed + one.failed for one in outcomes):
        say("No test was chosen by these options.")
        return 1
    print("\n" + table(outcomes))
    print(last_line(outcomes), flush=True)
    return 0 if all(one.good for one in outcomes) else 1


def understand(args: list[str], tests: Path = TESTS) -> Request:
    """Leading words name tiers, or paths inside them; from the first option on all is pytest's."""
    names: list[str] = []
    paths: dict[str, list[str]] = {}
    rest = list(args)
    while rest and not rest[0].startswith("-"):
        word = rest.pop(0)
        inside = re.match(r"(?:\./)?tests/(\w+)/?(.*)", word)
        name = inside.group(1) if inside else word
        if name not in TIER_NAMES:
            raise Stop(no_such_tier(name))
        names.append(name)
        if inside and inside.group(2):
            paths.setdefault(name, []).append(word)
    if names:
        tiers = tuple(tier for tier in (CONSOLE_TIER, *TIERS) if tier.name in names)
    else:
        tiers = tuple(tier for tier in TIERS if (tests / tier.name).is_dir() and not left_out(tier))
        if not rest:  # pytest's options mean nothing to the console's tests
            tiers = (CONSOLE_TIER, *tiers)
    return Request(tiers, paths, rest, named=bool(names))


def left_out(tier: Tier, env: Mapping[str, str] = os.environ) -> bool:
    """Whether a tier that nobody named is not run, or cannot be here; continuous integration leaves out only what runs
    on demand."""
    if tier.on_demand:
        return True
    if not tier.cluster or env.get("CI") or is_root_on_debian():
        return False
    say(f"The tier '{tier.name}' is left out: a cluster of its own needs root on Debian.")
    return True


def uses_other_cluster(request: Request, env: Mapping[str, str] = os.environ) -> bool:
    """Someone's own cluster is used by those alone who name the tier, never by a plain `./dev test`."""
    return request.named and bool(env.get("KUBECONFIG"))


def no_such_tier(name: str) -> str:
    near = difflib.get_close_matches(name, TIER_NAMES, n=1)
    hint = f"Did you mean '{near[0]}'?" if near else f"Tiers: {', '.join(TIER_NAMES)}."
    return f"there is no tier '{name}'. {hint}"


def run_tier(tier: Tier, request: Request, reports: Path) -> Outcome:
    report = reports / f"{tier.name}.xml"
    if tier is CONSOLE_TIER:
        home = ensure_packages()
        command = npm(
            home, "test", "--", "--reporter=default", "--reporter=junit", f"--outputFile.junit={report}"
        )
        folder, env = CONSOLE, node_env(home)
        if not sys.stdout.isatty():  # npm's tools colour a pipe too when CI is set
            env["NO_COLOR"] = "1"
    else:
        command = pytest_command(tier, request, report)
        folder, env = ROOT, {}
        if not uses_other_cluster(request):
            env["KUBECONFIG"] = ""
    print(f"\n── {tier.name} " + "─" * (70 - len(tier.name)), flush=True)
    began = time.monotonic()
    code = subprocess.call(command, cwd=folder, env={**os.environ, **env}, stdin=subprocess.DEVNULL)
    return outcome_of(tier, code, report, time.monotonic() - began, may_be_empty=not request.whole)


def pytest_command(tier: Tier, request: Request, report: Path) -> list[str]:
    command = [str(PYTHON), "-m", "pytest", f"--junitxml={report}"]
    if tier.workers and not request.options and not request.paths.get(tier.name):
        command += ["-n", str(tier.workers)]
    for plugin in HEAVY_PLUGINS:
        if plugin not in tier.plugins:
            command += ["-p", f"no:{plugin}"]
    return [*command, *(request.paths.get(tier.name) or [f"tests/{tier.name}"]), *request.options]
