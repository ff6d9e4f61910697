"""What `./dev test` was asked for: tiers, paths inside them, and how far to go."""

from __future__ import annotations

import datetime
import difflib
import re
from dataclasses import dataclass, field

from tools.dev.steps import Stop
from tools.testing.tiers import CONSOLE_TIER, EVERYTHING, TEN_MINUTES, TIER_NAMES, TIERS, Tier

SWITCHES = ("--all", "--long", "--slow")


@dataclass(frozen=True)
class Asked:
    """`options` are pytest's own; `changed` is the commit to compare with, empty for where the branch began;
    `kubeconfig` leads to a cluster that is there already."""

    tiers: tuple[Tier, ...] = ()
    paths: dict[str, list[str]] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    named: bool = False
    long: bool = False
    slow: bool = False
    changed: str | None = None
    seed: int = 0
    kubeconfig: str = ""

    @property
    def whole(self) -> bool:
        """Whether whole tiers run, so that their reports speak for them."""
        return not self.options and not self.paths

    @property
    def by_hand(self) -> bool:
        """Whether somebody wants to see the output of one thing as it comes."""
        return bool(self.options) or len(self.tiers) == 1


def understand(args: list[str], today: datetime.date | None = None) -> Asked:
    """Words name tiers, or paths inside them, and options of ours; from the first other option on all is pytest's."""
    seed = (today or datetime.datetime.now(datetime.UTC).date()).toordinal()
    names: list[str] = []
    paths: dict[str, list[str]] = {}
    switches: set[str] = set()
    changed = None
    rest = list(args)
    while rest:
        name, equals, value = rest[0].partition("=")
        if name == "--seed":
            seed = number(value if equals else rest.pop(1) if len(rest) > 1 else "")
        elif name == "--changed":
            changed = value
        elif rest[0] in SWITCHES:
            switches.add(name)
        elif name.startswith("-"):
            break
        else:
            names.append(tier_of(rest[0], paths))
        rest.pop(0)
    if names and "--all" in switches:
        raise Stop("name tiers or give --all, not both.")
    everything = bool(switches & {"--all", "--long"})
    return Asked(
        tiers=chosen(names, everything=everything, with_options=bool(rest)),
        paths=paths,
        options=tuple(rest),
        named=bool(names),
        long="--long" in switches,
        slow="--slow" in switches,
        changed=changed,
        seed=seed,
    )


def chosen(names: list[str], *, everything: bool, with_options: bool) -> tuple[Tier, ...]:
    if names:
        return tuple(tier for tier in TIERS if tier.name in names)
    tiers = EVERYTHING if everything else TEN_MINUTES
    # pytest's options mean nothing to the console's tests.
    return tuple(tier for tier in tiers if not (with_options and tier is CONSOLE_TIER))


def tier_of(word: str, paths: dict[str, list[str]]) -> str:
    """The tier that a word names, or in which the path lies that it is; the path is noted in `paths`."""
    inside = re.match(r"(?:\./)?tests/(\w+)/?(.*)", word)
    name = inside.group(1) if inside else word
    if name not in TIER_NAMES:
        near = difflib.get_close_matches(name, TIER_NAMES, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else f"Tiers: {', '.join(TIER_NAMES)}."
        raise Stop(f"there is no tier '{name}'. {hint}")
    if inside and inside.group(2):
        paths.setdefault(name, []).append(word)
    return name


def number(value: str) -> int:
    if not value.isascii() or not value.isdigit():
        raise Stop(f"--seed takes a whole number, such as the one that a run printed, not '{value}'.")
    return int(value)
