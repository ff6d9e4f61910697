"""`./dev test`: have what the tests need, run the tiers in two lanes, tell how they went."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tools.dev.clusters import found_cluster
from tools.dev.node import ensure_node, node_env, npm
from tools.dev.places import CONSOLE, PYTHON, ROOT, STATE
from tools.dev.steps import Stop, say
from tools.dev.system import is_root_on_debian
from tools.dev.venv import ensure_venv
from tools.testing.asked import Asked, understand
from tools.testing.changed import changed_files, choose, durations_of
from tools.testing.lanes import Runner, run_in_lanes
from tools.testing.outcomes import Outcome, Took, clock, last_line, outcome_of, table
from tools.testing.preparing import Preparations, refuse_what_cannot_be_had
from tools.testing.slow import slowest
from tools.testing.tiers import CONSOLE_TIER, HEAVY_PLUGINS, Pass, Tier

REPORTS = STATE / "tests"
"""What the tiers printed and how long each test took, of the last run."""


def run(_habit: str, args: list[str]) -> int:
    asked = understand(args)
    if asked.slow:
        print(slowest(REPORTS, asked.tiers))
        return 0
    if asked.changed is not None:
        asked = touched(asked)
    elif not asked.named:
        asked = replace(asked, tiers=tuple(tier for tier in asked.tiers if not left_out(tier)))
    asked = with_cluster(asked)
    refuse_what_cannot_be_had(asked.tiers)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever is asked to end cleans up too
    began = time.monotonic()
    ensure_venv("server", "dev")
    outcomes = run_tiers(asked)
    if not any(one.passed + one.failed for one in outcomes):
        say("These options select no test.")
        return 1
    tell(outcomes, time.monotonic() - began, logs=not asked.by_hand)
    return 0 if all(one.good for one in outcomes) else 1


def touched(asked: Asked) -> Asked:
    """The tests that a change can touch, as if they had been named."""
    found = choose(ROOT, changed_files(ROOT, asked.changed or ""), durations_of(REPORTS))
    tiers = (*found.tiers, *([CONSOLE_TIER] if found.console else []))
    if not tiers:
        raise Stop("no test imports what changed; './dev test --all' runs every one.")
    count = sum(map(len, found.files.values()))
    left = f"; {found.left} that import it indirectly only run with './dev test --all'" if found.left else ""
    say(f"{count} test files import what changed, about {clock(found.seconds)}{left}.")
    return replace(asked, tiers=tiers, paths={**found.files, CONSOLE_TIER.name: found.console}, named=True)


def run_tiers(asked: Asked) -> list[Outcome]:
    say(f"Seed {asked.seed}: './dev test --seed {asked.seed} …' repeats the same rounds and examples.")
    preparations = Preparations(asked.tiers, own_cluster=not asked.kubeconfig)
    runner = Runner(named_lines=not asked.by_hand)
    return run_in_lanes(asked.tiers, preparations, lambda tier: run_tier(tier, asked, runner), runner)


def tell(outcomes: list[Outcome], seconds: float, *, logs: bool) -> None:
    failures = [name for one in outcomes for name in one.failures]
    if failures:
        print("\nfailed:\n" + "\n".join(f"  {name}" for name in failures))
    if failures and logs:
        print(f"What each tier printed is in {REPORTS.relative_to(ROOT)}.")
    print(f"\n{table(outcomes)}\ntotal time {clock(seconds)}")
    print(last_line(outcomes), flush=True)


def left_out(tier: Tier, env: Mapping[str, str] = os.environ) -> bool:
    """Whether a tier that nobody named cannot run here; continuous integration leaves out nothing."""
    if not tier.cluster or env.get("CI") or is_root_on_debian():
        return False
    say(f"The tier '{tier.name}' is skipped: its cluster needs root on Debian.")
    return True


def with_cluster(asked: Asked, env: Mapping[str, str] = os.environ) -> Asked:
    """Somebody's own cluster is used for those alone who name the tier, never by a plain `./dev test`."""
    if not asked.named or not any(tier.cluster for tier in asked.tiers):
        return asked
    found = found_cluster(env)
    if found is None:
        return asked
    say(found.words())
    return replace(asked, kubeconfig=str(found.kubeconfig))


def run_tier(tier: Tier, asked: Asked, runner: Runner) -> Outcome:
    # Of a part of a tier nothing is kept: `--slow` would take it for the whole.
    folder = REPORTS if asked.whole else REPORTS / "part"
    for old in folder.glob(f"{tier.name}-*.*"):
        old.unlink()
    codes, reports, took = [], [], Took(0)
    for number, one in enumerate(tier.passes or (Pass(()),)):
        report = folder / f"{tier.name}-{number}.xml"
        if tier is CONSOLE_TIER:
            command, cwd, env = console_command(report, asked.paths.get(tier.name, []))
        else:
            command, cwd, env = pytest_command(tier, one, asked, report), ROOT, environment_of(asked)
        code, took_now = runner.run(tier.name, command, cwd=cwd, env=env, log=report.with_suffix(".log"))
        took = Took(took.seconds + took_now.seconds, took.cpu_s + took_now.cpu_s)
        codes.append(code)
        reports.append(report)
        if asked.paths.get(tier.name):
            break  # a path is run once, whichever pass it belongs to
    return outcome_of(tier, codes, reports, took, may_be_empty=not asked.whole)


def console_command(report: Path, changed: Sequence[str]) -> tuple[list[str], Path, dict[str, str]]:
    home = ensure_node()
    env = node_env(home)
    if not sys.stdout.isatty():  # npm's tools colour a pipe too when CI is set
        env["NO_COLOR"] = "1"
    reporters = ("--reporter=default", "--reporter=junit", f"--outputFile.junit={report}")
    if changed:  # vitest knows the console's imports
        related = [str(ROOT / name) for name in changed]
        return npm(home, "exec", "--", "vitest", "related", "--run", *reporters, *related), CONSOLE, env
    return npm(home, "test", "--", *reporters), CONSOLE, env


def pytest_command(tier: Tier, one: Pass, asked: Asked, report: Path) -> list[str]:
    command = [str(PYTHON), "-m", "pytest", "-q", f"--junitxml={report}", f"--hypothesis-seed={asked.seed}"]
    for plugin in HEAVY_PLUGINS:
        if plugin not in tier.plugins:
            command += ["-p", f"no:{plugin}"]
    paths = asked.paths.get(tier.name)
    if one.workers and (asked.whole or asked.changed is not None):
        command += ["-n", str(one.workers), "--dist", one.spread]
    return [*command, *(paths or one.options), *asked.options]


def environment_of(asked: Asked) -> dict[str, str]:
    return {
        "TESTS_SEED": str(asked.seed),
        "TESTS_LONG": "1" if asked.long else "",
        "KUBECONFIG": asked.kubeconfig,
    }
