"""The tiers of tests: what each needs, where it runs and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from tools.dev.system import (
    BUBBLEWRAP,
    CHROMIUM,
    COMPILER,
    ERASURE_CODE,
    FONTS,
    IPROUTE,
    IPTABLES,
    NFS_CLIENT,
    NFS_SERVER,
    NFS_SERVER_FILES,
    OPENMPI,
    OPENSSH,
    OPENSSH_CLIENT,
    POSTGRESQL,
    UIDMAP,
    Need,
)


@dataclass(frozen=True)
class Pass:
    """One call of pytest; a tier is one, or several after each other."""

    options: tuple[str, ...]
    workers: int = 0
    spread: str = "load"
    """How tests are given to workers: one by one, or by the groups that they are marked with."""


@dataclass(frozen=True)
class Tier:
    """Tests of one kind; the budget is in minutes on two cores, warm and beside the other lane.

    `quick` ones make up the ten-minute run. One that `waits` for kubelets or browsers more than it computes runs in the
    second lane, beside one of the first. One `on_demand` runs only for those who name it."""

    name: str
    budget: float
    passes: tuple[Pass, ...] = ()
    quick: bool = False
    waits: bool = False
    on_demand: bool = False
    needs: tuple[Need, ...] = ()
    console: bool = False
    cluster: bool = False
    plugins: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return f"tests/{self.name}"


def parallel(name: str, spread: str = "load") -> tuple[Pass, ...]:
    return (Pass((f"tests/{name}",), workers=2, spread=spread),)


# Importing these costs every process of pytest seconds, so only the tiers that use them load them.
HEAVY_PLUGINS = ("playwright", "schemathesis")
BY_GROUP = "loadgroup"

# Those that want the cluster to themselves come last: handed out in heaps, both workers would soon wait for each other.
ONE_BY_ONE = (Pass(("tests/kubernetes", "--maxschedchunk=1"), workers=2),)

CONSOLE_TIER = Tier("console", 4, quick=True)
# In the order in which they run while nothing has to be waited for: the soonest answer first.
TIERS = (
    Tier("scenarios", 1, (Pass(("tests/scenarios",)),), quick=True),
    Tier("unit", 1.5, parallel("unit"), quick=True),
    Tier("properties", 1, parallel("properties"), quick=True),
    Tier("simulation", 2, parallel("simulation"), quick=True),
    Tier(
        "contracts",
        1.5,
        parallel("contracts"),
        quick=True,
        needs=(POSTGRESQL, BUBBLEWRAP),
        plugins=("schemathesis",),
    ),
    CONSOLE_TIER,
    Tier(
        "integration",
        10,
        parallel("integration", BY_GROUP),
        needs=(POSTGRESQL, BUBBLEWRAP, COMPILER, ERASURE_CODE, OPENMPI, OPENSSH, OPENSSH_CLIENT),
        console=True,
        plugins=("schemathesis",),
        environments=("torch", "swift"),
    ),
    Tier(
        "security",
        5,
        parallel("security", BY_GROUP),
        waits=True,
        needs=(
            POSTGRESQL,
            BUBBLEWRAP,
            UIDMAP,
            COMPILER,
            ERASURE_CODE,
            NFS_CLIENT,
            NFS_SERVER,
            NFS_SERVER_FILES,
            OPENMPI,
            OPENSSH,
            OPENSSH_CLIENT,
            IPROUTE,
            IPTABLES,
        ),
        console=True,
        environments=("swift",),
    ),
    Tier(
        "kubernetes",
        12,
        ONE_BY_ONE,
        waits=True,
        needs=(POSTGRESQL, ERASURE_CODE),
        cluster=True,
        environments=("swift",),
    ),
    Tier(
        "e2e",
        8,
        parallel("e2e", BY_GROUP),
        waits=True,
        needs=(CHROMIUM, FONTS, BUBBLEWRAP, POSTGRESQL),
        console=True,
        plugins=("playwright",),
    ),
    # A look at the real thing for the ten-minute run; whoever runs all tiers sees these tests in theirs.
    Tier(
        "smoke",
        2,
        (Pass(("tests/integration", "-m", "smoke")), Pass(("tests/e2e", "-m", "smoke"))),
        quick=True,
        waits=True,
        needs=(POSTGRESQL, BUBBLEWRAP, CHROMIUM, FONTS),
        console=True,
        plugins=("playwright",),
    ),
    # Gigabytes of packages.
    Tier(
        "frameworks",
        30,
        (Pass(("tests/frameworks",)),),
        on_demand=True,
        needs=(BUBBLEWRAP, OPENMPI),
        environments=("torch", "deepspeed", "tensorflow", "jax", "paddle"),
    ),
)
TIER_NAMES = tuple(tier.name for tier in TIERS)
TEN_MINUTES = tuple(tier for tier in TIERS if tier.quick)
EVERYTHING = tuple(tier for tier in TIERS if not tier.on_demand and tier.name != "smoke")
