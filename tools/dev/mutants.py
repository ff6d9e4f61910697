"""`./dev mutants`: makes the mistakes of mutations.toml one at a time and tells which test notices each."""

from __future__ import annotations

import argparse
import functools
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterable
from pathlib import Path

from tools.dev import mutations
from tools.dev.console import ensure_console
from tools.dev.mutations import Caught, Mutation, Result, planted
from tools.dev.node import ensure_node, node_env
from tools.dev.places import CONSOLE_DIST, ROOT, STATE
from tools.dev.steps import Stop, run_step, say
from tools.dev.system import ensure_needs
from tools.testing.imports import Imports
from tools.testing.tiers import CONSOLE_TIER, HEAVY_PLUGINS, TEN_MINUTES, TIERS

TABLE = ROOT / "tools" / "dev" / "mutations.toml"
OWN_TESTS = Path("tests/unit/tools/test_mutants.py")
COPY = STATE / "mutants"
RESULTS = STATE / "mutants.json"
SMOKE = "smoke"
QUICK = tuple(tier.name for tier in TEN_MINUTES)
PURE = ("unit", "scenarios")
"""No real time passes in these: who fails once with a mistake always does."""
SLOW = ("integration", "kubernetes", "e2e")
USUAL = (*QUICK, "integration")
COMPUTE = ("properties", "simulation")
"""Of these, those that take minutes whatever they are asked: they come last."""
NAMESAKE = 0
BANDS = (NAMESAKE, 2, 4, 99)
"""Tests named as the module are tried first, then those at most so many imports away, then those up to the next."""
PATIENCE_S = 1800

Group = tuple[str, list[str]]
"""A tier, and what of it is run at once: pytest's words, the files last."""


def run(_habit: str, args: list[str]) -> int:
    # Whoever ends us ends the tests too, and the mistake is taken back.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    asked = understand(args)
    chosen = mutations.choose(mutations.read(TABLE), asked.id)
    before = mutations.load(asked.compare) if asked.compare else None
    trouble = mutations.misfits(chosen, ROOT)
    if trouble:
        raise Stop(
            "\n".join(
                ["the sources have changed; update these mutations in tools/dev/mutations.toml:", *trouble]
            )
        )
    commit = prepare(asked.tiers)
    known = mutations.load(asked.json) if asked.json.exists() else mutations.Results(commit, {})
    results = known if known.commit == commit else mutations.Results(commit, {})
    for number, mutation in enumerate(chosen, 1):
        say(f"{number} of {len(chosen)}  {mutation.id}: {mutation.harm}")
        result = Trial(COPY, mutation, asked.tiers).run()
        results.by_id[mutation.id] = result
        mutations.save(asked.json, results)
        say(f"    {result.told} ({result.seconds:.0f} s)")
    print(mutations.table(results, chosen, QUICK), flush=True)
    if before is None:
        return int(any(results.by_id[one.id].caught is None for one in chosen))
    lost, lines = mutations.compared(before, results, chosen, QUICK)
    print("\n".join(["", *lines]), flush=True)
    return int(lost)


def understand(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__)
    parser.add_argument("id", nargs="*", help="only these mutations, or all of these areas")
    parser.add_argument("--tiers", type=lambda text: tuple(text.split(",")), default=USUAL)
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the results are kept")
    parser.add_argument("--compare", type=Path, help="the results of an earlier run")
    asked = parser.parse_args(args)
    known = (*QUICK, *SLOW)
    for tier in asked.tiers:
        if tier not in known:
            raise Stop(f"there is no tier '{tier}'. Tiers: {', '.join(known)}.")
    return asked


def prepare(tiers: Collection[str]) -> str:
    """Have a copy of the last commit with an environment of its own; the commit's name."""
    if not (COPY / ".git").exists():
        COPY.parent.mkdir(exist_ok=True)
        subprocess.run(["git", "clone", "-q", ROOT, COPY], check=True)
    commit = git(ROOT, "rev-parse", "HEAD")
    git(COPY, "fetch", "-q", str(ROOT), "HEAD")
    git(COPY, "checkout", "-q", "--force", "--detach", commit)
    git(COPY, "clean", "-fdq")
    run_step("Prepare a copy to mutate", [sys.executable, COPY / "dev", "check", "sizes"], cwd=COPY)
    ensure_needs(dict.fromkeys(need for tier in TIERS if tier.name in tiers for need in tier.needs))
    if any(tier.console for tier in TIERS if tier.name in tiers):
        ensure_console()
        for link in (COPY / "console" / "dist", COPY / "src" / "danlu" / "server" / "static"):
            if not link.is_symlink() and not link.exists():
                link.symlink_to(CONSOLE_DIST)
    return commit


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


class Trial:
    """One mistake, and the tests that could notice it, from the quickest and nearest to the slowest."""

    def __init__(self, root: Path, mutation: Mutation, tiers: Collection[str]) -> None:
        self._root, self._mutation, self._tiers = root, mutation, tiers
        self._doubtful: list[str] = []
        """Tests that fail without the mistake, or not always with it: they notice nothing."""

    def run(self) -> Result:
        began = time.monotonic()
        caught = self._console() if self._mutation.of_console else self._python()
        return Result(self._mutation.id, self._mutation.area, caught, time.monotonic() - began)

    def _python(self) -> Caught | None:
        for tier, words in groups(self._root, Path(self._mutation.file), self._tiers):
            while (test := self._failing(tier, words)) is not None:
                alone = [test] if "::" in test or test.endswith(".py") else words
                again = tier in PURE or self._failing(tier, alone)
                if again and self._failing(tier, alone, whole=True) is None:
                    return Caught(tier, test)
                self._doubtful.append(test)
                say(f"    {test} does not count: it fails without the mistake, or not always with it")
        return None

    def _failing(self, tier: str, words: list[str], *, whole: bool = False) -> str | None:
        """The first test that fails, with the mistake or on the whole code."""
        command = [str(self._root / ".venv" / "bin" / "python"), "-m", "pytest", "-x", "-q", "-ra"]
        for plugin in HEAVY_PLUGINS:
            if not any(plugin in one.plugins for one in TIERS if one.name == tier):
                command += ["-p", f"no:{plugin}"]
        command += [f"--deselect={one}" for one in self._doubtful]
        env = {"KUBECONFIG": ""}
        with planted(self._mutation, self._root, whole=whole):
            return first_failure(*mutations.output([*command, *words], self._root, env, PATIENCE_S))

    def _console(self) -> Caught | None:
        """Its own tests, those beside it, then all that import it."""
        file = Path(self._mutation.file).relative_to("console")
        tried = (
            ["run", f"{file.with_suffix('')}.test"],
            ["run", f"{file.parent}/"],
            ["related", "--run", str(file)],
        )
        for words in tried if CONSOLE_TIER.name in self._tiers else ():
            test = self._failing_in_console(words)
            if test is None:
                continue
            own = test.partition(" > ")[0]
            if self._failing_in_console(["run", own] if own != test else words, whole=True) is None:
                return Caught(CONSOLE_TIER.name, test)
            say(f"    {test} does not count: it fails without the mistake, or not always with it")
        return None

    def _failing_in_console(self, words: list[str], *, whole: bool = False) -> str | None:
        home = ensure_node()
        vitest = [str(home / "bin" / "node"), "node_modules/vitest/vitest.mjs", *words]
        command = [*vitest, "--bail=1", "--reporter=tap-flat", "--passWithNoTests"]
        with planted(self._mutation, self._root, whole=whole):
            code, said = mutations.output(command, self._root / "console", node_env(home), PATIENCE_S)
        return first_not_ok(code, said) if code else None


def groups(root: Path, target: Path, tiers: Collection[str]) -> Iterable[Group]:
    """What to run, in this order: the quick tiers, near tests first, the smoke, then the slow tiers."""
    reached = imports(root).reached_from([target])
    # The table's own tests would notice that it no longer fits, not the mistake.
    far = {
        file: steps for file, steps in reached.items() if file.name.startswith("test_") and file != OWN_TESTS
    }
    far |= {file: NAMESAKE for file in far if file.name.startswith(f"test_{target.stem}")}
    yield from banded(far, target, [tier for tier in QUICK if tier in tiers and tier not in COMPUTE])
    yield from banded(far, target, [tier for tier in COMPUTE if tier in tiers])
    for tier in SLOW if SMOKE in tiers else ():
        files = of_tiers(far, target, [tier])
        if marked := [str(file) for file in files if f"mark.{SMOKE}" in (root / file).read_text()]:
            yield SMOKE, ["-m", SMOKE, *marked]
    yield from banded(far, target, [tier for tier in SLOW if tier in tiers])


@functools.lru_cache(maxsize=1)
def imports(root: Path) -> Imports:
    """No mistake of the table changes them."""
    return Imports(root)


def banded(far: dict[Path, int], target: Path, tiers: Collection[str]) -> Iterable[Group]:
    for above, band in zip((-1, *BANDS), BANDS, strict=False):
        for tier in tiers:
            files = [str(file) for file in of_tiers(far, target, [tier]) if above < far[file] <= band]
            if files:
                yield tier, files


def of_tiers(far: dict[Path, int], target: Path, tiers: Collection[str]) -> list[Path]:
    """Tests in a folder of the module's name before others, then the nearest."""
    own = set(target.parts)
    found = (file for file in far if file.parts[1] in tiers)
    return sorted(found, key=lambda file: (-len(own & set(file.parts)), far[file], file))


def first_failure(code: int, said: str) -> str | None:
    """What pytest's summary names first; a run that failed without naming any is told by its exit code."""
    if code in (0, 5):
        return None
    named = [
        line.split(" ", 1)[1].split(" - ", 1)[0]
        for line in said.splitlines()
        if line.startswith(("FAILED ", "ERROR "))
    ]
    return named[0] if named else f"pytest, exit code {code}"


def first_not_ok(code: int, said: str) -> str:
    """What a report in the form of TAP names first as failed."""
    named = (
        line.partition(" - ")[2].partition(" # ")[0]
        for line in said.splitlines()
        if line.startswith("not ok")
    )
    return next(named, f"vitest, exit code {code}")
